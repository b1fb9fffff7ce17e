import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { CHUNKERS } from '../../src/domain/survey/chunkers'
import { startNativeSurvey } from '../../src/engine/native/addon'
import { seededRandom } from '../../src/primitives/seededRandom'
import { endlessSurvey, TELLS_BUSY } from '../support/endlessSurvey'
import { RunningPace } from '../support/runningPace'
import { DEFAULTS, hole, put, takeAll, temporaryFolder } from '../support/surveyedFolder'

const MEBIBYTE = 1 << 20
const PACE_SAMPLES = 20

test('a survey leaves the JavaScript thread free', async () => {
  const root = temporaryFolder()
  const random = seededRandom(60)
  for (let index = 0; index < 60; index++) {
    const content = new Uint8Array(MEBIBYTE)
    random.fillBytes(content)
    put(root, `${index}`, content)
  }
  const [startedAt, cpuBefore] = [performance.now(), process.threadCpuUsage()]
  const survey = startNativeSurvey({
    roots: [root, hole()],
    ...DEFAULTS,
    sha256: true,
    chunkers: CHUNKERS,
    sampleBytes: 8 * MEBIBYTE,
  })
  const polls: number[] = []
  await new Promise<void>((done) => {
    const timer = setInterval(() => {
      const start = performance.now()
      survey.progress()
      survey.blockLevels()
      survey.chunkLevels()
      takeAll(survey)
      polls.push(performance.now() - start)
      if (polls.length < 10) return
      clearInterval(timer)
      done()
    }, 50)
  })
  survey.cancel()
  await survey.finished
  const cpu = process.threadCpuUsage(cpuBefore)
  const share = (cpu.user + cpu.system) / 1000 / (performance.now() - startedAt)
  const pace = new RunningPace()
  for (let sample = 0; sample < PACE_SAMPLES; sample++) pace.sample()
  // CPU time at the pace of the reference: other programs on the machine, and its age, do not count.
  expect(share / pace.slowness()).toBeLessThan(0.2)
  expect(polls.toSorted((a, b) => a - b)[5]).toBeLessThan(20)
})

test('a worker that is terminated while its survey runs is gone within two seconds', async () => {
  for (let round = 0; round < 3; round++) {
    const worker = new Worker(endlessSurvey(TELLS_BUSY), { eval: true })
    expect(await once(worker, 'message')).toEqual(['busy'])
    const asked = performance.now()
    await worker.terminate()
    expect(performance.now() - asked).toBeLessThan(2000)
  }
})
