import { describe, expect, test } from 'vitest'
import { type BlockLevelCounts, blockFigures } from '../../../../src/domain/survey/blockFigures'
import { type CalibrationSums, calibrated } from '../../../../src/domain/survey/calibrated'
import type { DistinctContents } from '../../../../src/domain/survey/duplicateTally'
import { type SeededRandom, seededRandom } from '../../../../src/primitives/seededRandom'

const BLOCK = 4096
const CONTENTS = 2000

interface Content {
  readonly bytes: number
  /** Occurrences beside other blocks of their file. */
  readonly copies: number
  readonly zero?: boolean
  /** So many files are this content and nothing else. */
  readonly files?: number
}

/** Contents that are mostly whole blocks, with so many copies each. */
function contents(random: SeededRandom, copiesOf: (index: number) => number): Content[] {
  return Array.from({ length: CONTENTS }, (_, index) => ({
    bytes: random.below(10) === 0 ? 1 + random.below(BLOCK - 1) : BLOCK,
    copies: copiesOf(index),
  }))
}

const POPULATIONS: Readonly<Record<string, (random: SeededRandom) => Content[]>> = {
  'all unique': (random) => contents(random, () => 1),
  'three in a hundred twice': (random) => contents(random, () => (random.below(100) < 3 ? 2 : 1)),
  'four in ten twice': (random) => contents(random, () => (random.below(10) < 4 ? 2 : 1)),
  'four to eight copies': (random) => contents(random, () => 4 + random.below(5)),
  'after Zipf': (random) => contents(random, (index) => Math.ceil(CONTENTS / (index + 1))),
  'one block three million times': (random) =>
    contents(random, (index) => (index === 7 ? 3_000_000 : random.below(5) === 0 ? 2 : 1)),
  'mostly zeros': (random) => [
    { bytes: BLOCK, copies: 50_000_000, zero: true },
    ...contents(random, () => (random.below(20) === 0 ? 3 : 1)),
  ],
  'nearly all small files': (random) => smallFiles(random, 300, () => 1 + random.below(2)),
  'small files, half of them tails too': (random) => smallFiles(random, CONTENTS, () => random.below(2)),
  'one small file a million times, also as a tail': (random) => [
    { bytes: 77, copies: 500_000, files: 1_000_000 },
    ...smallFiles(random, 400, () => 1),
  ],
}

/** Small files of very different lengths, of which some also end a longer file; the lengths of `tails` as well. */
function smallFiles(random: SeededRandom, tails: number, files: () => number): Content[] {
  const length = () => Math.ceil((BLOCK - 1) * random.unit() ** 4)
  return [
    ...Array.from({ length: CONTENTS }, (_, index) => ({
      bytes: length(),
      copies: index % 50 === 0 ? 1 + random.below(3) : 0,
      files: files(),
    })),
    ...Array.from({ length: tails }, () => ({ bytes: length(), copies: 1 + random.below(2) })),
    ...contents(random, () => (random.below(4) === 0 ? 2 : 1)).slice(0, tails),
  ]
}

/** What a table that kept each content with the chance `theta` tells. */
function sampled(population: readonly Content[], theta: number, random: SeededRandom): BlockLevelCounts {
  const kept = population.filter(() => random.unit() < theta)
  const sum = (from: readonly Content[], of: (content: Content) => number) =>
    from.reduce((total, content) => total + of(content), 0)
  const isAlone = ({ files = 0 }: Content) => files > 0
  const alone = kept.filter(isAlone)
  const counted = kept.filter((content) => !content.zero)
  const beside = counted.filter((content) => !isAlone(content))
  const all = (content: Content) => content.bytes * content.copies
  const zeros = population.filter((content) => content.zero)
  return {
    blockSize: BLOCK,
    blocks: sum(population, ({ copies, files = 0 }) => copies + files),
    bytes: sum(population, (content) => all(content) + content.bytes * (content.files ?? 0)),
    zeroBlocks: sum(zeros, ({ copies }) => copies),
    zeroBytes: sum(zeros, all),
    exact: false,
    theta,
    retained: kept.length,
    sumBytesRetained: sum(kept, ({ bytes }) => bytes),
    sumSquaredBytesRetained: sum(kept, ({ bytes }) => bytes ** 2),
    alone: {
      retained: alone.length,
      sumBytesRetained: sum(alone, ({ bytes }) => bytes),
      sumSquaredBytesRetained: sum(alone, ({ bytes }) => bytes ** 2),
    },
    calibration: {
      apartUniqueBytes: sum(zeros, ({ bytes }) => bytes),
      bytes: sum(
        population.filter((content) => !content.zero),
        all,
      ),
      sumUnique: sum(beside, ({ bytes }) => bytes),
      sumSquaredUnique: sum(beside, ({ bytes }) => bytes ** 2),
      sumAll: sum(counted, all),
      sumUniqueTimesAll: sum(beside, (content) => content.bytes * all(content)),
      // As the table has it: of a content alone somewhere the square of all its occurrences, where it has others as well.
      sumSquaredAll: sum(counted, (content) =>
        isAlone(content) && content.copies > 0
          ? (content.bytes * (content.copies + (content.files ?? 0))) ** 2
          : all(content) ** 2,
      ),
    },
  }
}

function wholeFiles(population: readonly Content[]): DistinctContents {
  const found = population.filter(({ files = 0 }) => files > 0)
  return { count: found.length, bytes: found.reduce((total, { bytes }) => total + bytes, 0) }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] as number
}

describe('unique bytes calibrated on all bytes', () => {
  test.each(Object.keys(POPULATIONS))('hold the truth as often as they say: %s', (name) => {
    const trials = 200
    let covered = 0
    const halves: number[] = []
    const plainHalves: number[] = []
    for (let trial = 0; trial < trials; trial++) {
      const random = seededRandom(900 + trial)
      const population = (POPULATIONS[name] as (random: SeededRandom) => Content[])(random)
      const truth = population.reduce((total, { bytes }) => total + bytes, 0)
      const level = sampled(population, 1 / 4, random)
      const figures = blockFigures(level, wholeFiles(population))
      const { alone: _, calibration: __, ...simple } = level
      const plain = blockFigures(simple)
      if (figures.low <= truth && truth <= figures.high) covered += 1
      halves.push((figures.high - figures.low) / 2 / truth)
      plainHalves.push((plain.high - plain.low) / 2 / truth)
    }
    console.log(
      `${name}: ${covered}/${trials} within, half-width ${(median(halves) * 100).toFixed(2)} % (plain ${(median(plainHalves) * 100).toFixed(2)} %)`,
    )
    expect(covered).toBeGreaterThanOrEqual(0.95 * trials)
    expect(median(halves)).toBeLessThanOrEqual(median(plainHalves))
    const few = ['all unique', 'three in a hundred twice', 'mostly zeros']
    if (few.includes(name)) expect(median(halves)).toBeLessThan(median(plainHalves) / 2)
  })

  test('are what the sums over the blocks themselves give', () => {
    const random = seededRandom(3)
    const kept = contents(random, () => 1 + random.below(3)).slice(0, 500)
    const theta = 1 / 8
    const bytes = 1.01 * kept.reduce((total, one) => total + one.bytes * one.copies, 0) * 8
    const level = sampled(kept, 1, random)
    const found = calibrated({ ...(level.calibration as CalibrationSums), bytes }, theta, Infinity)
    let above = 0
    let below = 0
    for (const one of kept) {
      above += one.bytes * one.bytes * one.copies
      below += (one.bytes * one.copies) ** 2
    }
    const slope = above / below
    let unique = slope * bytes
    let variance = 0
    for (const one of kept) {
      const rest = one.bytes - slope * one.bytes * one.copies
      unique += rest / theta
      variance += ((1 - theta) / theta ** 2) * rest ** 2
    }
    expect(found?.uniqueBytes).toBeCloseTo(unique, 2)
    expect(found?.error).toBeCloseTo(Math.sqrt(variance), 2)
  })

  test('are dropped when the sample missed a block with very many copies, or is empty', () => {
    const random = seededRandom(5)
    const population = contents(random, () => 1 + random.below(2))
    const sums = sampled(population, 1 / 2, random).calibration as CalibrationSums
    expect(calibrated(sums, 1 / 2, Infinity)).not.toBeNull()
    expect(calibrated({ ...sums, bytes: sums.bytes + 3_000_000 * BLOCK }, 1 / 2, Infinity)).toBeNull()
    expect(calibrated(sums, 1 / 2, 0)).toBeNull()
    expect(calibrated({ ...sums, sumSquaredAll: 0 }, 1 / 2, Infinity)).toBeNull()
  })
})
