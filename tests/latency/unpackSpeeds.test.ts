import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateRawSync, inflateRawSync, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { strataTable } from '../../src/domain/survey/strataTable'
import { forecastCodecs } from '../../src/engine/forecast/codecs/codecSamples'
import { seededRandom } from '../../src/primitives/seededRandom'
import { codecRow, writeFolderOfKinds } from '../support/folderOfKinds'
import { processorClock } from '../support/processorClock'
import { filesOf, readRange, referenceSample } from '../support/referenceSampler'
import { temporaryFolder } from '../support/temporaryFolder'

test('codecs are forecast to unpack at a quarter at least of the speed of one run, and faster than they pack', async () => {
  const folder = join(await temporaryFolder(), 'source')
  writeFolderOfKinds(folder)
  const table = strataTable()
  for (const file of filesOf(folder)) table.add(Buffer.from(file.path), file.bytes)
  const { compression } = await forecastCodecs(
    referenceSample(folder, 1_500_000, seededRandom(41)),
    table.totals(),
    {
      level: 'fast',
      budgetMs: 5600,
      clock: processorClock,
      readAround: async (sample, offset, length) =>
        readRange(join(folder, Buffer.from(sample.path).toString()), offset, length),
    },
  )
  const log = readFileSync(join(folder, 'large.log'))
  const [deflated, framed] = [deflateRawSync(log, { level: 6 }), zstdCompressSync(log)]
  const startMs = performance.now()
  inflateRawSync(deflated)
  const inflatedMs = performance.now()
  zstdDecompressSync(framed)
  const own = { 'gzip-6': inflatedMs - startMs, 'zstd-3': performance.now() - inflatedMs }
  for (const codec of ['gzip-6', 'zstd-3'] as const) {
    const { unpackBytesPerSecond = 0, bytesPerSecond } = codecRow(compression, codec)
    // Single runs beside other work: a factor, not hundredths.
    expect(unpackBytesPerSecond).toBeGreaterThan((log.length * 1000) / own[codec] / 4)
    expect(unpackBytesPerSecond).toBeGreaterThan(bytesPerSecond)
  }
})
