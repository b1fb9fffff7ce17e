import { beforeEach, expect, it } from 'vitest'
import { keepAwake } from '../../../../src/main/jobs/keepAwake'
import { NEXT_DISC, runningJob } from '../../../support/runningJob'

let held: number[]
let started: number
let take: ReturnType<typeof keepAwake>

beforeEach(() => {
  held = []
  started = 0
  take = keepAwake({
    start(type) {
      expect(type).toBe('prevent-app-suspension')
      started += 1
      held.push(started)
      return started
    },
    stop(id) {
      held = held.filter((each) => each !== id)
    },
  })
})

it('holds one blocker while jobs work, and releases it with the last of them', () => {
  take([])
  expect(held).toEqual([])
  take([runningJob('build', null)])
  take([runningJob('build'), runningJob('survey', { jobId: 'j-2' })])
  take([runningJob('survey', { jobId: 'j-2' })])
  expect([held, started]).toEqual([[1], 1])
  take([])
  expect(held).toEqual([])
})

it('lets the system sleep while every job is paused or waits for a disc, and holds again afterwards', () => {
  take([runningJob('write')])
  take([runningJob('write', { waitingFor: NEXT_DISC })])
  expect(held).toEqual([])
  take([runningJob('write', { waitingFor: NEXT_DISC }), runningJob('check', { jobId: 'j-2' })])
  expect(held).toEqual([2])
  take([runningJob('write', { state: 'paused' })])
  expect(held).toEqual([])
})
