import { describe, expect, it } from 'vitest'
import type { FolderFacts, OptionFacts } from '../../../../../src/domain/options/facts'
import { byFolderVariants } from '../../../../../src/domain/options/families/byFolder'
import { allVariants } from '../../../../../src/domain/options/families/registry'
import type { FolderPart } from '../../../../../src/domain/options/folderParts'
import { folderRecipe } from '../../../../../src/domain/options/recipes/byFolder'
import { parseRecipe } from '../../../../../src/domain/options/recipes/recipe'
import type { Variant } from '../../../../../src/domain/options/recipes/variant'
import { factsFrom, knownSurvey, withGroups } from '../../../../fixtures/options/optionFacts'

const facts = factsFrom(withGroups(knownSurvey('programs')))
const { files, bytes } = facts.survey.totals

function part(option: string, share: number, spread = 0): FolderPart {
  return {
    option,
    files: Math.round(files * share),
    bytes: bytes * share,
    archives: 10,
    largestBytes: 1_000_000,
    share: { value: share, low: share - spread, high: share + spread },
    mixedTypes: 0,
  }
}

function withFolders(parts: readonly FolderPart[], unused: readonly string[] = []): OptionFacts {
  const found = folderRecipe(parts.map(({ option }, at) => `${at}/=${option}`))
  const recipe = parseRecipe('name' in found ? found.name : '')
  if (recipe?.family !== 'by-folder') throw new Error('it is not by folder')
  return { ...facts, folders: { recipe, parts, unused } satisfies FolderFacts }
}

function mixed(parts: readonly FolderPart[], unused?: readonly string[]): Variant {
  const [found] = byFolderVariants(withFolders(parts, unused), allVariants(facts))
  if (!found) throw new Error('it is not forecast')
  return found
}

const whole = (name: string): Variant =>
  allVariants(facts).find((variant) => variant.name === name) as Variant

describe('a forecast by folder', () => {
  it('is that of the option itself where one option packs everything', () => {
    const { storedBytes, packSeconds, unpackSeconds } = mixed([part('7z-titles', 1)])
    for (const [own, of] of [
      [storedBytes, whole('7z-titles').storedBytes],
      [packSeconds, whole('7z-titles').packSeconds],
      [unpackSeconds, whole('7z-titles').unpackSeconds],
    ] as const) {
      expect(own.value).toBeCloseTo(of.value, 6)
      expect(own.low).toBeCloseTo(of.low, 6)
      expect(own.high).toBeCloseTo(of.high, 6)
    }
  })

  it('adds up the shares, with a range that is wider than those of its options', () => {
    const { storedBytes } = mixed([part('7z-titles', 0.5), part('files-zstd-3', 0.5)])
    const options = [whole('7z-titles').storedBytes, whole('files-zstd-3').storedBytes]
    const half = (of: (one: (typeof options)[number]) => number): number =>
      options.reduce((sum, one) => sum + of(one) / 2, 0)
    expect(storedBytes.value).toBeCloseTo(
      half(({ value }) => value),
      6,
    )
    expect(storedBytes.low).toBeLessThan(half(({ low }) => low))
    expect(storedBytes.high).toBeGreaterThan(half(({ high }) => high))
    const unsure = mixed([part('7z-titles', 0.5, 0.2), part('files-zstd-3', 0.5)]).storedBytes
    expect(unsure.high).toBeGreaterThan(storedBytes.high)
    expect(unsure.value).toBeCloseTo(storedBytes.value, 6)
    const mixedTypes = { ...part('7z-titles', 0.5), mixedTypes: 0.5 }
    const { high } = mixed([mixedTypes, part('files-zstd-3', 0.5)]).storedBytes
    expect(high).toBeGreaterThan(storedBytes.high)
  })

  it('needs the memory of the largest option, and can be encrypted where all can', () => {
    const both = mixed([part('7z-titles', 0.5), part('files-zstd-3', 0.5)])
    const most = Math.max(whole('7z-titles').packRamBytes.value, whole('files-zstd-3').packRamBytes.value)
    expect(both.packRamBytes.value).toBe(most)
    expect(both.encryption).toBeNull()
    expect(mixed([part('7z-titles', 1)]).encryption?.kinds).toContain('aes-256')
    expect(both.storedFiles.value).toBe(10 + Math.round(files * 0.5))
  })

  it('says which options pack how many files, and which rules none', () => {
    const { notes, title } = mixed([part('7z-titles', 1)], ['gone/'])
    expect(title).toBe('By folder: 0/ 7z-titles')
    expect(notes.join(' ')).toContain('The rule gone/ is for no file.')
    expect(notes.join(' ')).toContain('7z-titles packs')
  })

  it('is none where rules are not given, or the survey has no forecast of an option', () => {
    expect(byFolderVariants(facts, allVariants(facts))).toEqual([])
    expect(byFolderVariants(withFolders([part('7z-dat', 1)]), allVariants(facts))).toEqual([])
  })
})
