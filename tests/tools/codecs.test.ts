import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { compressSync as lz4Sync } from 'lz4-napi'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { strataTable } from '../../src/domain/survey/strataTable'
import { forecastCodecs } from '../../src/engine/forecast/codecs/codecSamples'
import { requireTool } from '../../src/engine/tools/externalTool'
import { sevenZip } from '../../src/engine/tools/sevenZip'
import { seededRandom } from '../../src/primitives/seededRandom'
import { codecRow, writeFolderOfKinds } from '../support/folderOfKinds'
import { processorClock } from '../support/processorClock'
import { filesOf, RepeatedBlocks, readRange, referenceSample } from '../support/referenceSampler'
import { temporaryFolder } from '../support/temporaryFolder'

const scratch = mkdtempSync(join(tmpdir(), 'stowage-codecs-'))
const folder = join(scratch, 'source')

beforeAll(() => writeFolderOfKinds(folder))

afterAll(() => rmSync(scratch, { recursive: true, force: true }))

function sampled(bytes: number) {
  const table = strataTable()
  for (const file of filesOf(folder)) table.add(Buffer.from(file.path), file.bytes)
  return { set: referenceSample(folder, bytes, seededRandom(41)), totals: table.totals() }
}

describe('forecasting codecs of a folder', () => {
  it('agrees with what the real tools make of it, from a part of its bytes', { tags: 'long' }, async () => {
    // Others that run beside this test have folders of samples in the system's.
    const temporary = await temporaryFolder()
    vi.stubEnv('TMPDIR', temporary)
    onTestFinished(() => void vi.unstubAllEnvs())
    const { set, totals } = sampled(1_500_000)
    const { compression, compressedAlready } = await forecastCodecs(set, totals, {
      level: 'fast',
      budgetMs: 5600,
      clock: processorClock,
      readAround: async (sample, offset, length) =>
        readRange(join(folder, Buffer.from(sample.path).toString()), offset, length),
    })
    for (const row of compression) {
      // Short records were not unpacked, and 7-Zip may have been too quick to tell.
      const isUnpacked = row.recordSize === null || row.recordSize >= 131_072
      if (row.codec !== 'lzma2-9') expect(row.unpackBytesPerSecond !== undefined).toBe(isUnpacked)
    }
    const names = readdirSync(folder)
    const gzipped = execFileSync('gzip', ['-6', '-c', '--', ...names], {
      cwd: folder,
      maxBuffer: 1 << 28,
    }).length
    const archive = join(scratch, 'all.7z')
    const tool = await requireTool(sevenZip)
    execFileSync(tool.path, ['a', '-ms=off', '-mx9', '-bso0', '-bsp0', archive, '.'], { cwd: folder })
    for (const [codec, actual] of [
      ['gzip-6', gzipped],
      ['lzma2-9', statSync(archive).size],
    ] as const) {
      const { predictedBytes, low, high, bytesPerSecond } = codecRow(compression, codec)
      console.log(`${codec}: forecast ${predictedBytes} (${low} to ${high}), actual ${actual}`)
      expect(low).toBeLessThanOrEqual(actual)
      expect(high).toBeGreaterThanOrEqual(actual)
      expect(low).toBeLessThan(predictedBytes)
      expect(high).toBeGreaterThan(predictedBytes)
      expect((high - low) / 2).toBeLessThan(actual * 0.25)
      expect(bytesPerSecond).toBeGreaterThan(0)
    }
    expect(codecRow(compression, 'zstd-9').predictedBytes).toBeLessThan(
      codecRow(compression, 'zstd-1').predictedBytes,
    )
    expect(compressedAlready.map((one) => one.stratum)).toEqual(expect.arrayContaining(['image/2']))
    expect(compressedAlready.some((one) => one.stratum.startsWith('text'))).toBe(false)
    expect(readdirSync(temporary)).toEqual([])
  })

  it('agrees with deduplicating, compressing and rounding every record, from a part of the bytes', {
    tags: 'long',
  }, async () => {
    const repeats = new RepeatedBlocks(folder)
    const { totals } = sampled(1)
    const set = referenceSample(folder, 3_000_000, seededRandom(42), repeats)
    const { combined } = await forecastCodecs(set, totals, {
      level: 'fast',
      budgetMs: 5600,
      patience: Number.POSITIVE_INFINITY,
      clock: processorClock,
      sevenZip: null,
      dedup: repeats.totals(),
    })
    const zstd = new Map<string, number>()
    const lz4 = new Map<string, number>()
    for (const { path } of filesOf(folder)) {
      const data = readFileSync(path)
      for (let at = 0; at < data.length; at += 16_384) {
        const record = data.subarray(at, at + 16_384)
        const key = record.toString('latin1')
        if (!zstd.has(key)) zstd.set(key, Math.min(record.length, zstdCompressSync(record).length))
        const length = data.length <= 16_384 ? Math.ceil(data.length / 512) * 512 : 16_384
        const stored = Buffer.alloc(length)
        record.copy(stored)
        if (lz4.has(stored.toString('latin1'))) continue
        const compressed = lz4Sync(stored).length
        // It fits into the block pointer: no sector, and no entry.
        if (compressed <= 112) continue
        const packed = Math.ceil(compressed / 4096) * 4096
        const whole = Math.ceil(length / 4096) * 4096
        lz4.set(stored.toString('latin1'), packed <= whole - whole / 8 ? packed : whole)
      }
    }
    for (const [method, codec, sectorBytes, records] of [
      ['deduplicate-compress', 'zstd-3', 1, zstd],
      ['zfs', 'lz4', 4096, lz4],
    ] as const) {
      const actual = [...records.values()].reduce((sum, size) => sum + size, 0)
      const one = combined.find(
        (row) =>
          row.method === method &&
          row.codec === codec &&
          row.recordSize === 16_384 &&
          row.sectorBytes === sectorBytes,
      )
      expect(one?.low).toBeLessThanOrEqual(actual)
      expect(one?.high).toBeGreaterThanOrEqual(actual)
      expect((one?.high ?? 0) - (one?.low ?? 0)).toBeLessThan(actual * 0.3)
      expect(one?.tableEntriesLow).toBeLessThanOrEqual(records.size)
      expect(one?.tableEntriesHigh).toBeGreaterThanOrEqual(records.size)
      expect(Math.abs((one?.tableEntries ?? 0) / records.size - 1)).toBeLessThan(0.005)
    }
    expect(combined.filter((row) => row.method === 'compress-deduplicate').length).toBeGreaterThan(5)
  })

  it('forecasts only container overhead for a folder without content', async () => {
    const { compression } = await forecastCodecs({ tau: null, samples: [] }, [], {
      level: 'fast',
      budgetMs: 1500,
      clock: processorClock,
      sevenZip: null,
    })
    expect(compression).toEqual([])
  })
})
