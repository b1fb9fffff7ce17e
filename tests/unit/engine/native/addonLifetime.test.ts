import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { endlessSurvey, TELLS_BUSY } from '../../../support/endlessSurvey'
import { ADDON } from '../../../support/nativeAddon'
import { put, temporaryFolder } from '../../../support/surveyedFolder'

test('a process may exit while a survey runs', () => {
  const code = endlessSurvey('process.exit(7)')
  const ended = spawnSync(process.execPath, ['-e', code], { timeout: 120_000, encoding: 'utf8' })
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
      startSurvey({ roots: [Buffer.from(${JSON.stringify(root)})], leaveOut: [], rules: null, countExcluded: false, walkOnly: false, listFirst: false, blocksFrom512: true, blockSizes: new Float64Array(), sha256: false, chunkers: new Float64Array(), anchors: false, sampleBytes: 0, maxTableBytes: 0, marks: true, fingerprints: null, known: null, threads: 2 })
      gc()
    }`
  const ended = spawnSync(process.execPath, ['--expose-gc', '-e', code], {
    timeout: 120_000,
    encoding: 'utf8',
  })
  expect({ status: ended.status, stderr: ended.stderr }).toEqual({ status: 0, stderr: '' })
})

test('a closed survey gives what was freed in the heaps back to the system', (context) => {
  if (process.platform !== 'linux') context.skip('only the allocator of Linux keeps freed memory in heaps')
  const root = temporaryFolder()
  put(root, 'file', 'x')
  const code = `
    const { startSurvey } = require(${JSON.stringify(ADDON)})
    const rss = () => process.memoryUsage.rss()
    const settings = { roots: [Buffer.from(${JSON.stringify(root)})], leaveOut: [], rules: null, countExcluded: false, walkOnly: false, listFirst: false, blocksFrom512: false, blockSizes: new Float64Array(), sha256: false, chunkers: new Float64Array(), anchors: false, sampleBytes: 0, maxTableBytes: 1 << 20, marks: true, fingerprints: null, known: null, threads: 1 }
    const survey = startSurvey(settings)
    survey.finished.then(async () => {
      // One small block in a hundred stays in use, so that nothing lies free at the heap's end.
      let blocks = Array.from({ length: 8000 }, (_, at) => Buffer.allocUnsafeSlow(at % 100 === 0 ? 64 : 16384).fill(1))
      globalThis.kept = blocks.filter(({ length }) => length === 64)
      blocks = null
      gc()
      await new Promise((resolve) => setTimeout(resolve, 200))
      const freed = rss()
      await survey.close()
      console.log(freed - rss())
    })`
  const ended = spawnSync(process.execPath, ['--expose-gc', '-e', code], {
    timeout: 120_000,
    encoding: 'utf8',
  })
  expect(ended.stderr).toBe('')
  expect(Number(ended.stdout)).toBeGreaterThan(100_000_000)
})
