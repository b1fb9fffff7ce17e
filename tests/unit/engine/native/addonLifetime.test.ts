import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { ADDON, endlessSurvey, TELLS_BUSY } from '../../../support/endlessSurvey'
import { put, temporaryFolder } from '../../../support/surveyedFolder'

test('a process may exit while a survey runs', () => {
  const code = endlessSurvey('process.exit(7)')
  const ended = spawnSync(process.execPath, ['-e', code], { timeout: 20_000, encoding: 'utf8' })
  expect({ status: ended.status, signal: ended.signal, stderr: ended.stderr }).toEqual({
    status: 7,
    signal: null,
    stderr: '',
  })
})

test('a worker may be terminated while its survey runs, and another one started', async () => {
  for (let round = 0; round < 3; round++) {
    const worker = new Worker(endlessSurvey(TELLS_BUSY), { eval: true })
    expect(await once(worker, 'message')).toEqual(['busy'])
    await worker.terminate()
  }
})

test('a survey that nobody holds any more still ends in order', () => {
  const root = temporaryFolder()
  put(root, 'file', 'x')
  const code = `
    const { startSurvey } = require(${JSON.stringify(ADDON)})
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
