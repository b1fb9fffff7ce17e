import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type QuitQuestion, SafeQuit } from '../../../../src/main/jobs/safeQuit'
import { runningJob } from '../../../support/runningJob'

let questions: QuitQuestion[]
let answer: (isToStop: boolean) => void
let cancelled: unknown[]
let closed: number
let quit: SafeQuit

beforeEach(() => {
  vi.useFakeTimers()
  questions = []
  cancelled = []
  closed = 0
  quit = new SafeQuit({
    async ask(channel, params) {
      expect(channel).toBe('job.cancel')
      cancelled.push((params as { jobId: string }).jobId)
      return { ok: true, value: undefined }
    },
    confirm(question) {
      questions.push(question)
      return new Promise((resolve) => {
        answer = resolve
      })
    },
    quit: () => {
      closed += 1
      expect(quit.mayClose()).toBe(true)
    },
  })
})
afterEach(() => vi.useRealTimers())

const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0)

it('closes at once while nothing runs that writes', () => {
  expect(quit.mayClose()).toBe(true)
  quit.jobs([runningJob('survey'), runningJob('check', { jobId: 'j-2' })])
  expect(quit.mayClose()).toBe(true)
  expect(questions).toEqual([])
})

it('asks once, and stays open when the work is to go on', async () => {
  quit.jobs([runningJob('build')])
  expect([quit.mayClose(), quit.mayClose()]).toEqual([false, false])
  expect(questions).toHaveLength(1)
  answer(false)
  await settle()
  expect([cancelled, closed]).toEqual([[], 0])
  expect(quit.mayClose()).toBe(false)
  expect(questions).toHaveLength(2)
})

it('cancels what writes, waits for its end and only then closes', async () => {
  const [build, write] = [runningJob('build'), runningJob('write', { jobId: 'j-2' })]
  quit.jobs([build, write, runningJob('survey', { jobId: 'j-3' })])
  quit.mayClose()
  answer(true)
  await settle()
  expect(cancelled).toEqual(['j-1', 'j-2'])
  quit.jobs([write])
  expect([closed, quit.mayClose()]).toEqual([0, false])
  quit.jobs([])
  expect([closed, questions.length]).toEqual([1, 1])
})

it('closes when the work has ended by itself while it asked', async () => {
  quit.jobs([runningJob('build')])
  quit.mayClose()
  quit.jobs([])
  answer(true)
  await settle()
  expect(closed).toBe(1)
})

it('closes after half a minute where the work does not end', async () => {
  quit.jobs([runningJob('build')])
  quit.mayClose()
  answer(true)
  await vi.advanceTimersByTimeAsync(29_000)
  expect(closed).toBe(0)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(closed).toBe(1)
})

it('names the disc that would be lost, and what stays of other work', () => {
  const burning = { to: '/dev/sr0', losesDisc: true }
  quit.jobs([
    runningJob('write', { writing: burning }),
    runningJob('write', { jobId: 'j-2', writing: { to: '/dev/sr1', losesDisc: false } }),
    runningJob('option', { jobId: 'j-3' }),
    runningJob('restore', { jobId: 'j-4' }),
  ])
  quit.mayClose()
  expect(questions[0]).toEqual({
    title: 'Stowage is still working',
    message: 'Stop the work and quit?',
    detail: [
      'The disc in /dev/sr0 would be lost.',
      'The writing is not finished. Finished volumes stay; the next run continues there.',
      'The build of the option is not finished and would have to be started again.',
      'The restore is not finished. Restored files stay; the next restore continues there.',
    ].join('\n'),
  })
})
