import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startTimedRun, timingOverheadNs } from '../../src/engine/native/timing'
import { collectGarbage } from '../../src/engine/tools/collectGarbage'
import { processorMs } from '../../src/engine/tools/processorTime'
import { ownMeter } from '../../src/engine/tools/toolMeter'
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

// Unit tests share a process: memory that others free meanwhile would hide what grows.
test('the meter of this process reports by how much its memory grew, and CPU time', async () => {
  await untilMemoryRests()
  const meter = ownMeter()
  const grown = Buffer.alloc(60e6, 1)
  const { ramBytes, cpuSeconds } = meter.end()
  expect(ramBytes).toBeGreaterThan(0.8 * grown.length)
  expect(cpuSeconds).toBeGreaterThan(0)
})

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

/** Threads of V8's own free memory after the garbage collection. */
async function untilMemoryRests(): Promise<void> {
  for (let before = Number.POSITIVE_INFINITY; ; ) {
    collectGarbage('all')
    await new Promise((resolve) => setTimeout(resolve, 100))
    const bytes = process.memoryUsage.rss()
    if (Math.abs(bytes - before) < 1e6) return
    before = bytes
  }
}
