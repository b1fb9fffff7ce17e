import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { truncateSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { put, temporaryFolder } from '../../../support/surveyedFolder'

const place =
  process.env['STOWAGE_ADDON'] ?? join(import.meta.dirname, '../../../../build/native/stowage.node')

/** Code that starts a survey which would take a quarter of an hour. */
function startsEndlessSurvey(): string {
  const root = temporaryFolder()
  put(root, 'endless', 'x')
  truncateSync(join(root, 'endless'), 2 ** 40)
  return `
    const { startSurvey } = require(${JSON.stringify(place)})
    const survey = startSurvey({ roots: [Buffer.from(${JSON.stringify(root)})], blocksFrom512: false, sha256: true, chunkers: new Float64Array(), anchors: false, sampleBytes: 0,
      maxTableBytes: 1 << 20, marks: true, known: null, threads: 2 })
    const whenBusy = (next) => survey.progress().bytesDone > 0 ? next() : setImmediate(whenBusy, next)
  `
}

test('a process may exit while a survey runs', () => {
  const code = `${startsEndlessSurvey()} whenBusy(() => process.exit(7))`
  const ended = spawnSync(process.execPath, ['-e', code], { timeout: 20_000, encoding: 'utf8' })
  expect({ status: ended.status, signal: ended.signal, stderr: ended.stderr }).toEqual({
    status: 7,
    signal: null,
    stderr: '',
  })
})

test('a worker may be terminated while its survey runs, and another one started', async () => {
  for (let round = 0; round < 3; round++) {
    const code = `${startsEndlessSurvey()} whenBusy(() => require('node:worker_threads').parentPort.postMessage('busy'))`
    const worker = new Worker(code, { eval: true })
    expect(await once(worker, 'message')).toEqual(['busy'])
    const asked = performance.now()
    await worker.terminate()
    expect(performance.now() - asked).toBeLessThan(2000)
  }
})

test('a survey that nobody holds any more still ends in order', () => {
  const root = temporaryFolder()
  put(root, 'file', 'x')
  const code = `
    const { startSurvey } = require(${JSON.stringify(place)})
    for (let i = 0; i < 50; i++) {
      startSurvey({ roots: [Buffer.from(${JSON.stringify(root)})], blocksFrom512: true, sha256: false, chunkers: new Float64Array(), anchors: false, sampleBytes: 0, maxTableBytes: 0, marks: true, known: null, threads: 2 })
      gc()
    }`
  const ended = spawnSync(process.execPath, ['--expose-gc', '-e', code], {
    timeout: 20_000,
    encoding: 'utf8',
  })
  expect({ status: ended.status, stderr: ended.stderr }).toEqual({ status: 0, stderr: '' })
})
