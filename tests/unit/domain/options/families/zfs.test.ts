import { describe, expect, it } from 'vitest'
import { zfsDatasets, zfsFamily, zfsVariants } from '../../../../../src/domain/options/families/zfs'
import {
  changedRows,
  EMPTY_SURVEY,
  factsFrom,
  knownFacts,
  knownSurvey,
  timesLarger,
  variantNamed,
} from '../../../../fixtures/options/optionFacts'

const SECTOR = 4096
const RECORD = 131_072

/** Survey figures of files of these sizes, all different. */
function surveyOf(sizes: readonly number[]) {
  const bytes = sizes.reduce((sum, size) => sum + size, 0)
  const blocks = (size: number): number => sizes.reduce((sum, file) => sum + Math.ceil(file / size), 0)
  const fixedBlocks = [2048, SECTOR, RECORD].map((blockSize) => ({
    blockSize,
    blocks: blocks(blockSize),
    uniqueBlocks: blocks(blockSize),
    uniqueBytes: bytes,
    low: bytes,
    high: bytes,
    zeroBlocks: 0,
    zeroBytes: 0,
    exact: true,
  }))
  const sizeHistogram = Array.from({ length: 40 }, (_, bin) => {
    const inBin = sizes.filter((size) => size >= 2 ** bin && size < 2 ** (bin + 1))
    return {
      fromBytes: 2 ** bin,
      toBytes: 2 ** (bin + 1),
      files: inBin.length,
      bytes: inBin.reduce((a, b) => a + b, 0),
    }
  })
  return {
    ...EMPTY_SURVEY,
    totals: { ...EMPTY_SURVEY.totals, files: sizes.length, bytes },
    fixedBlocks,
    sizeHistogram,
  }
}

/** As ZFS allocates: a file that fits a record has one in whole sectors, a longer one only whole records. */
function allocated(sizes: readonly number[]): number {
  return sizes.reduce(
    (sum, size) =>
      sum + (size <= RECORD ? Math.ceil(size / SECTOR) * SECTOR : Math.ceil(size / RECORD) * RECORD),
    0,
  )
}

describe('ZFS', () => {
  it('allocates whole sectors for small files and whole records for larger ones', () => {
    const sizes = Array.from({ length: 400 }, (_, index) => Math.round(900 * 1.02 ** index) + 1)
    const variant = variantNamed(factsFrom(surveyOf(sizes)), 'zfs-128k-off-nodedup', zfsFamily)
    const meta = variant.storedBytes.value - allocated(sizes)
    expect(Math.abs(meta)).toBeLessThan(0.02 * allocated(sizes))
    expect(allocated(sizes)).toBeGreaterThan(variant.storedBytes.low * 0.98)
    expect(allocated(sizes)).toBeLessThan(variant.storedBytes.high)
  })

  it('is exact without compression where every file is a whole number of sectors', () => {
    const sizes = [4096, 8192, 65_536, 65_536, RECORD, 3 * RECORD, 5 * RECORD + 4096]
    for (const sectorBytes of [512, 4096] as const) {
      const [once, all] = zfsDatasets({ survey: surveyOf(sizes) }, sectorBytes).filter(
        ({ recordBytes }) => recordBytes === RECORD,
      )
      const { value, low, high } = all?.data ?? { value: 0, low: 0, high: 0 }
      expect([value, low, high]).toEqual(Array.from({ length: 3 }, () => allocated(sizes)))
      // All differ: only what fills up the last record of the longest file may or may not be shared.
      expect(once?.data.high).toBe(allocated(sizes))
      expect(once?.data.low).toBeGreaterThanOrEqual(sizes.reduce((sum, size) => sum + size, 0))
    }
  })

  it('has larger records than samples where blocks of them were counted, with a wider range', () => {
    const survey = knownSurvey('disk')
    const MIB = 2 ** 20
    const blocks = survey.fixedBlocks.find(({ blockSize }) => blockSize === MIB)
    if (!blocks) throw new Error('no blocks of 1 MiB')
    const large = { ...blocks, blockSize: 16 * MIB, uniqueBlocks: 7, blocks: 9 }
    const of = (given: typeof survey, recordBytes: number) =>
      zfsDatasets({ survey: given }, 4096).find(
        (one) => one.recordBytes === recordBytes && one.codec === 'lz4' && one.table !== null,
      )
    expect(of(survey, 16 * MIB)).toBeUndefined()
    const counted = { ...survey, fixedBlocks: [...survey.fixedBlocks, large] }
    const [usual, wide] = [of(counted, MIB), of(counted, 16 * MIB)]
    expect(wide?.data.value).toBe(usual?.data.value)
    expect(wide?.data.low).toBeLessThan(usual?.data.low ?? 0)
    expect(wide?.data.high).toBeGreaterThan(usual?.data.high ?? 0)
    expect(usual?.table?.value).toBeLessThan(blocks.uniqueBlocks)
    expect(wide?.table?.value).toBe(7 - (blocks.uniqueBlocks - (usual?.table?.value ?? 0)))
  })

  it('never expects more of gzip-9 than of gzip-6, which searches less', () => {
    const survey = knownSurvey('source')
    const slow = survey.combined
      .filter(({ method, codec }) => method === 'zfs' && codec === 'gzip-6')
      .map((row) =>
        Object.assign({}, row, {
          codec: 'gzip-9',
          predictedBytes: 2 * row.predictedBytes,
          high: 2 * row.high,
        }),
      )
    const datasets = zfsDatasets({ survey: { ...survey, combined: [...survey.combined, ...slow] } }, 4096)
    const sizesOf = (codec: string) =>
      datasets.filter((one) => one.codec === codec && one.table !== null).map(({ data }) => data.value)
    expect(sizesOf('gzip-9').length).toBeGreaterThan(1)
    expect(sizesOf('gzip-9')).toEqual(sizesOf('gzip-6'))
  })

  it('takes whole sectors for short records: two of 2 KiB cost as much as two of 4 KiB where sectors are that large', () => {
    const sizes = [2048, 4096, 10_000, 131_072]
    const survey = surveyOf(sizes)
    const dataOf = (recordBytes: number, sectorBytes: 512 | 4096): number => {
      const first = zfsVariants(factsFrom(survey), sectorBytes).find(
        ({ recipe }) => recipe.family === 'zfs' && recipe.recordBytes === recordBytes && !recipe.deduplicates,
      )
      return first?.storedBytes.value ?? 0
    }
    expect(dataOf(2048, 4096)).toBeGreaterThan(1.9 * dataOf(2048, 512))
    expect(dataOf(RECORD, 512)).toBeLessThanOrEqual(dataOf(RECORD, 4096))
  })

  it('has block pointers and a deduplication table in addition to the forecast records', () => {
    const row = knownSurvey('source').combined.find(
      (one) => one.method === 'zfs' && one.codec === 'lz4' && one.recordSize === RECORD,
    )
    if (!row) throw new Error('no forecast')
    const variant = variantNamed(knownFacts('source'), 'zfs-128k-lz4-dedup', zfsFamily)
    const blocks =
      knownSurvey('source').fixedBlocks.find(({ blockSize }) => blockSize === RECORD)?.blocks ?? 0
    const beside = variant.storedBytes.value - row.predictedBytes
    expect(beside).toBeGreaterThan(blocks * 128 * 0.35 * 2)
    expect(beside).toBeLessThan(0.5 * row.predictedBytes)
  })

  it('keeps its table in memory for as long as it is used', () => {
    const of = (tableEntryBytes: number) =>
      variantNamed(factsFrom(knownSurvey('source'), { tableEntryBytes }), 'zfs-128k-zstd-3-dedup', zfsFamily)
    const row = knownSurvey('source').combined.find(
      (one) => one.method === 'zfs' && one.codec === 'zstd-3' && one.recordSize === RECORD,
    )
    expect(of(640).useRamBytes.value - of(320).useRamBytes.value).toBe(320 * (row?.tableEntries ?? 0))
    expect(of(320).risks.map(({ code }) => code)).toContain('permanent-memory')
    const without = variantNamed(knownFacts('source'), 'zfs-128k-zstd-3-nodedup', zfsFamily)
    expect(without.risks.map(({ code }) => code)).not.toContain('permanent-memory')
    expect(without.storedBytes.value).toBeGreaterThan(of(320).storedBytes.value)
  })

  it('needs memory for distinct records only', () => {
    const rows = changedRows(surveyOf([SECTOR]).fixedBlocks, () => ({
      blocks: 3_710_244,
      uniqueBlocks: 852_807,
    }))
    const facts = factsFrom({ ...surveyOf([SECTOR]), fixedBlocks: rows })
    const table = variantNamed(facts, 'zfs-4k-off-dedup', zfsFamily).useRamBytes.value
    expect(table - variantNamed(facts, 'zfs-4k-off-nodedup', zfsFamily).useRamBytes.value).toBe(852_807 * 320)
  })

  it('forecasts records that were sampled only', () => {
    const names = zfsFamily.variants(factsFrom({ ...timesLarger(knownSurvey('tiny'), 3), combined: [] }))
    expect(names.every(({ codec }) => codec === null)).toBe(true)
  })
})
