import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startTimedRun, timingOverheadNs } from '../../src/engine/native/timing'
import { processorMs } from '../../src/engine/tools/processorTime'
import { buildPlace, wordsOf } from '../support/builtOption'
import { meteredWork } from '../support/meteredWork'
import { temporaryFolder } from '../support/temporaryFolder'

const MIB = 1 << 20

test.runIf(process.platform === 'linux')('the CPU time does not include sleep', () => {
  const idle = processorMs()
  execFileSync('sleep', ['0.4'])
  expect(processorMs() - idle).toBeLessThan(200)
})

test.runIf(process.platform === 'linux')(
  'the meter of programs counts less than 3 s for work of half a second',
  async () => {
    const { used } = await meteredWork()
    expect(used.cpuSeconds).toBeLessThan(3)
  },
)

test('the CPU time of building a small 7z archive is plausible', async () => {
  const place = buildPlace()
  onTestFinished(() => place.dispose())
  for (let file = 0; file < 4; file++)
    writeFileSync(join(place.source, `${file}.txt`), wordsOf(file, 270_000))
  const { built } = await place.build('7z-solid-1m-path')
  expect(built.cpuSeconds).toBeGreaterThan(0.05)
  expect(built.cpuSeconds).toBeLessThan(20)
})

test('timing an operation costs less than a microsecond', () => {
  expect(timingOverheadNs()).toBeLessThan(1000)
})

test('a measurement in the middle of a large file ends promptly after a cancel', async () => {
  const run = startTimedRun({
    directory: await temporaryFolder(),
    runFolder: 'stowage-measure-test',
    cacheMode: 'uncached',
    flush: 'each',
    preallocate: false,
    minimumFreeBytes: 0,
    files: [{ name: 'a', bytes: 600 * MIB, seed: 1 }],
    steps: [
      { op: 'create', file: 0 },
      { op: 'write', file: 0, requestBytes: 65_536, depth: 2 },
    ],
  })
  while (run.progress().bytesDone < MIB) await new Promise<void>((done) => void setImmediate(done))
  const asked = performance.now()
  run.cancel()
  expect((await run.finished).cancelled).toBe(true)
  expect(performance.now() - asked).toBeLessThan(5000)
})
