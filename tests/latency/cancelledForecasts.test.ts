import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { strataTable } from '../../src/domain/survey/strataTable'
import { forecastCodecs } from '../../src/engine/forecast/codecs/codecSamples'
import { seededRandom } from '../../src/primitives/seededRandom'
import { processorClock } from '../support/processorClock'
import { filesOf, referenceSample } from '../support/referenceSampler'
import { solidForecast } from '../support/solidForecast'
import { temporaryFolder } from '../support/temporaryFolder'

/** What a cancel may take. */
const MOST_MS = 200

async function folderOfText(): Promise<string> {
  const folder = await temporaryFolder()
  const random = seededRandom(52)
  for (let file = 0; file < 10; file++) {
    const lines = Array.from({ length: 12_000 }, () => `${random.below(9000)} of ${random.below(2 ** 30)}\n`)
    writeFileSync(join(folder, `${file}.txt`), lines.join(''))
  }
  return folder
}

test('a codec forecast ends promptly after a cancel, whatever is under way', async () => {
  const folder = await folderOfText()
  const table = strataTable()
  for (const file of filesOf(folder)) table.add(Buffer.from(file.path), file.bytes)
  const stop = new AbortController()
  let partials = 0
  let stoppedMs = 0
  const running = forecastCodecs(referenceSample(folder, 2_000_000, seededRandom(53)), table.totals(), {
    level: 'thorough',
    clock: processorClock,
    signal: stop.signal,
    onPartial: () => {
      partials++
      stoppedMs = performance.now()
      stop.abort()
    },
  })
  await expect(running).rejects.toMatchObject({ code: 'cancelled' })
  expect(performance.now() - stoppedMs).toBeLessThan(MOST_MS)
  expect(partials).toBe(1)
})

test('a forecast of solid archives ends promptly after a cancel', async () => {
  const folder = await folderOfText()
  const stop = new AbortController()
  let stoppedMs = 0
  const running = solidForecast(folder, {
    dictionaryBytes: 2 ** 18,
    signal: stop.signal,
    onStart: () => {
      setTimeout(() => {
        stoppedMs = performance.now()
        stop.abort()
      }, 30)
    },
  })
  await expect(running).rejects.toThrow('cancelled')
  expect(performance.now() - stoppedMs).toBeLessThan(MOST_MS)
})
