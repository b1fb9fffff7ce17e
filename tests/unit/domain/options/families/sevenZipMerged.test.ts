import { describe, expect, it } from 'vitest'
import { sevenZipBlocksFamily } from '../../../../../src/domain/options/families/sevenZipBlocks'
import { sevenZipMergedFamily } from '../../../../../src/domain/options/families/sevenZipMerged'
import { printRecipe } from '../../../../../src/domain/options/recipes/recipe'
import type { RomLayout } from '../../../../../src/domain/survey/romLayout'
import {
  factsFrom,
  knownFacts,
  knownSurvey,
  variantNamed,
  withGroups,
} from '../../../../fixtures/options/optionFacts'

const facts = factsFrom(withGroups(knownSurvey('programs')))

describe('merged 7z archives', () => {
  it('are as many as groups, each with the memory of what it holds', () => {
    const titles = variantNamed(facts, '7z-titles', sevenZipMergedFamily)
    const [row] = facts.survey.grouped
    expect(titles.storedBytes).toMatchObject({ value: row?.predictedBytes, low: row?.low, high: row?.high })
    expect(titles.storedFiles).toMatchObject({ value: 120, provenance: 'exact' })
    expect(titles.largestPieceBytes).toBe(3_000_000)
    const one = variantNamed(facts, '7z-solid-64m-path')
    expect(titles.packRamBytes.value).toBeLessThan(one.packRamBytes.value / 4)
    expect(titles.fetchBytes.value).toBeLessThan(one.fetchBytes.value / 20)
  })

  it('of ROM sets are by torrent7z’s switches, and its shorter dictionary counts where one is larger', () => {
    const [first] = facts.survey.grouped
    const row = { ...(first as NonNullable<typeof first>), by: 'sets' as const }
    const short = { ...row, dictionaryBytes: 1 << 20, high: 2 * row.high }
    const of = (largestBytes: number) => {
      const grouped = [
        { ...row, largestBytes },
        { ...short, largestBytes },
      ]
      return variantNamed(factsFrom({ ...facts.survey, grouped }), '7z-t7z-files', sevenZipMergedFamily)
    }
    const { storedBytes, codec } = of(16 * 1024 * 1024)
    expect(codec).toBe('lzma-t7z')
    expect(storedBytes.value / row.predictedBytes).toBeCloseTo(0.998, 3)
    expect(storedBytes.low).toBeLessThan(row.low)
    expect(storedBytes.high).toBeLessThan(1.1 * row.high)
    expect(of(16 * 1024 * 1024 + 1).storedBytes.high).toBeGreaterThan(1.8 * row.high)
  })

  it('of split ROM sets are by the best level, where the DATs split them', () => {
    const [first] = facts.survey.grouped
    const grouped = [{ ...(first as NonNullable<typeof first>), by: 'sets' as const }]
    const idsOf = (romLayout: RomLayout | null) =>
      [sevenZipMergedFamily, sevenZipBlocksFamily]
        .flatMap((family) => family.variants(factsFrom({ ...facts.survey, grouped, romLayout })))
        .map(({ recipe }) => printRecipe(recipe))
    const ofTorrent7z = [
      '7z-t7z-files',
      ...['files', 'blocks-2k', 'blocks-4k', 'blocks-128k'].map((end) => `7z-t7z-files+${end}`),
    ]
    for (const layout of [null, 'merged'] as const) expect(idsOf(layout)).toEqual(ofTorrent7z)
    for (const [layout, option] of [
      ['split', 'dat-split'],
      ['non-merged', 'dat-nonmerged'],
    ] as const)
      expect(idsOf(layout).toSorted()).toEqual(
        ofTorrent7z.flatMap((id) => [id, id.replace('t7z-files', option)]).toSorted(),
      )
    const own = factsFrom({ ...facts.survey, grouped, romLayout: 'split' })
    const split = variantNamed(own, '7z-dat-split', sevenZipMergedFamily)
    expect(split.storedBytes.value).toBe(grouped[0]?.predictedBytes)
    expect(split.codec).not.toBe('lzma-t7z')
  })

  it('of split ROM sets that hardly get smaller share blocks as their files do', () => {
    const [first] = facts.survey.grouped
    const own = factsFrom(withGroups(knownSurvey('programs')))
    const { bytes } = own.survey.totals
    const blocks = own.survey.fixedBlocks.map((row) => ({ ...row, zeroBytes: 0, uniqueBytes: 0.6 * bytes }))
    const savedAt = (share: number, option: string): number => {
      const predictedBytes = share * bytes
      const row = {
        ...(first as NonNullable<typeof first>),
        by: 'sets' as const,
        predictedBytes,
        distinctBytes: predictedBytes,
        low: 0.9 * predictedBytes,
        high: 1.1 * predictedBytes,
      }
      const given = factsFrom({ ...own.survey, fixedBlocks: blocks, grouped: [row], romLayout: 'split' })
      const { value, low } = variantNamed(given, option, sevenZipBlocksFamily).storedBytes
      expect(low).toBeLessThan(value)
      return 1 - value / predictedBytes
    }
    expect(savedAt(1, '7z-dat-split+blocks-4k')).toBeGreaterThan(0.35)
    expect(savedAt(0.5, '7z-dat-split+blocks-4k')).toBeLessThan(0.1)
    expect(savedAt(1, '7z-dat-split+blocks-128k')).toBeLessThan(0.1)
    expect(savedAt(1, '7z-t7z-files+blocks-4k')).toBeLessThan(0.1)
  })

  it('cost the start of a program each', () => {
    const [row] = facts.survey.grouped
    const more = { ...facts.survey, grouped: [{ ...(row as NonNullable<typeof row>), archives: 1120 }] }
    const before = variantNamed(facts, '7z-titles').packSeconds.value
    const after = variantNamed(factsFrom(more), '7z-titles').packSeconds.value
    // A thousand archives more, of 6.6 ms each; smaller windows are a little quicker.
    expect(after - before).toBeGreaterThan(3)
    expect(after - before).toBeLessThanOrEqual(6.6 + 1e-9)
  })

  it('are left out where no groups were forecast', () => {
    expect(sevenZipMergedFamily.variants(knownFacts('programs'))).toEqual([])
  })
})
