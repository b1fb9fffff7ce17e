import { describe, expect, it } from 'vitest'
import { listMedia } from '../../../../../src/domain/media/resolveMedium'
import { composeOption } from '../../../../../src/domain/options/cost/compose'
import { DISK_FACTS, mediumFacts } from '../../../../../src/domain/options/cost/mediumFacts'
import type { OptionFacts } from '../../../../../src/domain/options/facts'
import { allVariants, OPTION_FAMILIES } from '../../../../../src/domain/options/families/registry'
import { parseRecipe } from '../../../../../src/domain/options/recipes/recipe'
import { mediaCatalogue } from '../../../../../src/engine/media/mediaCatalogue'
import {
  changedRows,
  EMPTY_SURVEY,
  factsFrom,
  figuresOf,
  isSound,
  KNOWN_SETS,
  knownFacts,
  knownSurvey,
  realRun,
  timesLarger,
  withGroups,
} from '../../../../fixtures/options/optionFacts'

const oneFile = factsFrom({
  ...EMPTY_SURVEY,
  totals: { ...EMPTY_SURVEY.totals, files: 1, bytes: 1 },
  fixedBlocks: [512, 4096, 1_048_576].map((blockSize) => ({
    blockSize,
    blocks: 1,
    uniqueBlocks: 1,
    uniqueBytes: 1,
    low: 1,
    high: 1,
    zeroBlocks: 0,
    zeroBytes: 0,
    exact: true,
  })),
  sizeHistogram: [{ fromBytes: 1, toBytes: 2, files: 1, bytes: 1 }],
  largestFileBytes: 1,
  pathBytes: 1,
})
const million = factsFrom(withGroups(timesLarger(knownSurvey('tiny'), 125)))
const nothingSampled = factsFrom({
  ...knownSurvey('source'),
  compression: [],
  combined: [],
  solid: [],
  chunked: [],
})
const noRates = factsFrom({
  ...knownSurvey('tiny'),
  compression: changedRows(knownSurvey('tiny').compression, () => ({ bytesPerSecond: 0, predictedBytes: 0 })),
})
const onlyEmptyFiles = factsFrom({
  ...EMPTY_SURVEY,
  totals: { ...EMPTY_SURVEY.totals, files: 9, emptyFiles: 9 },
  sizeHistogram: [{ fromBytes: 0, toBytes: 1, files: 9, bytes: 0 }],
})
const CASES: Record<string, OptionFacts> = {
  ...Object.fromEntries(KNOWN_SETS.map((set) => [set, knownFacts(set)])),
  empty: factsFrom(EMPTY_SURVEY),
  'one file of one byte': oneFile,
  'only empty files': onlyEmptyFiles,
  'a million files': million,
  'nothing sampled': nothingSampled,
  'rates and sizes of 0': noRates,
  'an unknown machine': { ...million, machine: { system: 'windows', cores: 64, memoryBytes: 1e9 } },
}
const media = [
  DISK_FACTS,
  ...listMedia(mediaCatalogue)
    .slice(0, 9)
    .map((medium) => mediumFacts(mediaCatalogue, medium)),
]
const NAMES =
  /^(plain(-hardlinks)?|iso|udrw|udsp|udsb|asif|udzo|files-(gzip-[69]|zstd-(3|19)|lz4)|7z-(files|t7z|titles|groups|titles\+files|titles\+blocks-(2k|4k|128k)|solid-(1|4|16|64|256|1024)m-(path|type|content))|blocks-(512|[1-9]\d*[km])|zfs-(512|[1-9]\d*[km])-(off|lz4|zstd-3|gzip-6)-(no)?dedup|borg-[12]-(none|lz4|zstd-3)|restic-(off|auto)|kopia-(none|zstd-3)|tar-zst-19-[1-9]\d*m-(path|content)|squashfs-(gzip|lz4|zstd-3)-(128k|1m)|torrentzip-titles)$/

describe.each(Object.entries(CASES))('the variants of %s', (_, facts) => {
  const variants = allVariants(facts)

  it('have sound figures', () => {
    const wrong = variants.flatMap((variant) =>
      figuresOf(variant).flatMap(([name, figure]) => (isSound(figure) ? [] : [[variant.name, name, figure]])),
    )
    expect(wrong).toEqual([])
  })

  it('have permanent names, each once', () => {
    const names = variants.map((variant) => variant.name)
    expect(new Set(names).size).toBe(names.length)
    expect(names.filter((name) => !NAMES.test(name))).toEqual([])
  })

  it('have sound figures on every medium', () => {
    const wrong = media.flatMap((medium) =>
      variants.flatMap((variant) => {
        const { estimate, id, portability } = composeOption(facts, variant, medium, {
          encryption: 'aes-256',
          protection: 0.1,
        })
        expect(portability).toBeGreaterThanOrEqual(0)
        expect(portability).toBeLessThanOrEqual(1)
        return Object.entries(estimate).flatMap(([name, figure]) =>
          isSound(figure) ? [] : [[id, name, figure]],
        )
      }),
    )
    expect(wrong).toEqual([])
  })
})

describe('the registry', () => {
  it('has families that give recipes of their own, with names that parse back', () => {
    for (const [name, family] of Object.entries(OPTION_FAMILIES))
      for (const variant of family.variants(million)) {
        expect(variant.family).toBe(name)
        expect(parseRecipe(variant.name)).toEqual(variant.recipe)
      }
  })

  it('leaves out what the survey does not know', () => {
    const names = allVariants(nothingSampled).map((variant) => variant.family)
    expect(new Set(names)).toEqual(new Set(['plain', 'iso', 'apple-image', 'blocks', 'zfs']))
    expect(allVariants(factsFrom(EMPTY_SURVEY)).map(({ name }) => name)).toEqual([
      'plain',
      'udrw',
      'udsp',
      'udsb',
      'asif',
    ])
  })

  it('lists the options of a million files on ten media', () => {
    let options = 0
    for (const medium of media)
      for (const variant of allVariants(million)) {
        composeOption(million, variant, medium, { encryption: 'none', protection: 0 })
        options += 1
      }
    expect(options).toBeGreaterThan(400)
  })

  it('holds nearly all that real programs made in its ranges', () => {
    let held = 0
    let all = 0
    for (const set of KNOWN_SETS)
      for (const variant of allVariants(knownFacts(set))) {
        const real = realBytes(set, variant.name)
        if (real === null) continue
        all += 1
        if (real >= variant.storedBytes.low && real <= variant.storedBytes.high) held += 1
      }
    expect(all).toBeGreaterThan(80)
    expect(held / all).toBeGreaterThan(0.95)
  })
})

function realBytes(set: (typeof KNOWN_SETS)[number], name: string): number | null {
  try {
    return realRun(set, name).bytes
  } catch {
    return null
  }
}
