import { describe, expect, it, test } from 'vitest'
import { tableBytes } from '../../../../src/contract/dto/tableFormats'
import {
  calibratedOnUnique,
  raisedShares,
  spanAbout,
  storedAtMost,
  type UniquePart,
  uniquePart,
  uniqueTotal,
} from '../../../../src/domain/forecast/combined'
import { storedRecordBytes } from '../../../../src/domain/forecast/recordModel'
import { evenDraws, visitingOrder } from '../../../../src/domain/forecast/secondPhase'
import type { SampledUnit } from '../../../../src/domain/statistics/strata'
import { type SeededRandom, seededRandom } from '../../../../src/primitives/seededRandom'

const RECORD = 4096
const TRIALS = 200

/** A file of some records, each a content that the source has so many times and that a codec makes so small. */
interface Unit {
  readonly bytes: number
  readonly copies: number[]
  readonly compressed: number[]
}

/** Files of 1 to 64 records of 5,000 contents, a tenth of which stand for most occurrences, and short single records. */
function source(random: SeededRandom): { units: Unit[]; uniqueBytes: number; uniqueRecords: number } {
  const sizes = Array.from({ length: 5000 }, () => Math.round(RECORD * (0.05 + 0.95 * random.unit() ** 1.5)))
  const drawn = Array.from({ length: 1500 }, (_, file) => {
    if (file % 3 === 0) return [{ content: 5000 + file, bytes: 60 + random.below(2000) }]
    const length = random.unit() < 0.1 ? 64 : 1 + random.below(12)
    return Array.from({ length }, () => ({
      content: Math.floor(5000 * random.unit() ** 3),
      bytes: RECORD,
    }))
  })
  const counts = new Map<number, { copies: number; bytes: number }>()
  for (const { content, bytes } of drawn.flat()) {
    const count = counts.get(content)
    if (count) count.copies++
    else counts.set(content, { copies: 1, bytes })
  }
  const units = drawn.map((records) => ({
    bytes: records.reduce((sum, { bytes }) => sum + bytes, 0),
    copies: records.map(({ content }) => counts.get(content)?.copies ?? 1),
    compressed: records.map(({ content, bytes }) =>
      Math.min(bytes, sizes[content] ?? Math.round(bytes * 0.4)),
    ),
  }))
  let uniqueBytes = 0
  for (const { bytes } of counts.values()) uniqueBytes += bytes
  return { units, uniqueBytes, uniqueRecords: counts.size }
}

const STORES = {
  'as it is': (compressedBytes: number) => compressedBytes,
  'by ZFS in sectors of 512 bytes': (compressedBytes: number) =>
    storedRecordBytes({ bytes: RECORD, compressedBytes, allZero: false }, { kind: 'zfs', ashift: 9 }),
}

function trials(stored: (compressedBytes: number) => number, visits: number) {
  const { units, uniqueBytes, uniqueRecords } = source(seededRandom(61))
  const ofUnit = (unit: Unit): number =>
    unit.compressed.reduce((sum, size, index) => sum + stored(size) / (unit.copies[index] as number), 0)
  const truth = units.reduce((sum, unit) => sum + ofUnit(unit), 0)
  const bytes = units.reduce((sum, unit) => sum + unit.bytes, 0)
  const tau = 300 / bytes
  let covered = 0
  const halves: number[] = []
  const errors: number[] = []
  for (let trial = 0; trial < TRIALS; trial++) {
    const random = seededRandom(5000 + trial)
    const taken = units.filter((unit) => random.unit() < unit.bytes * tau)
    const sampled = taken.map((unit): SampledUnit => {
      // A fast codec that agrees with the slow one but for a tenth.
      const cheap = unit.compressed.reduce((sum, size) => sum + size * (1.1 + 0.2 * random.unit()), 0)
      return {
        stratum: 'a/1',
        bytes: unit.bytes,
        probability: Math.min(1, unit.bytes * tau),
        covariates: [cheap],
      }
    })
    const expanded = sampled.reduce((sum, unit) => sum + unit.bytes / unit.probability, 0)
    const weights = sampled.map((unit) => bytes / expanded / unit.probability)
    const calibrated = { units: sampled, weights, groups: sampled.map(() => 0) }
    const parts = taken.map((unit) => uniquePart(unit.copies, RECORD, unit.bytes))
    const known = { bytes: uniqueBytes, records: uniqueRecords }
    const sample = calibratedOnUnique(calibrated, parts, known)
    const visiting = visitingOrder(calibrated, evenDraws(random.unit()))
    const order = visiting.order.slice(0, visits)
    const observations = order.map((unit) => ({
      unit,
      probability: visiting.probability(unit, order.length),
      compressedBytes: ofUnit(taken[unit] as Unit),
    }))
    const expected = parts.map((part, index) => {
      const one = sampled[index] as SampledUnit
      const share = part.bytes / one.bytes
      return one.covariates.map((size) => size * share)
    })
    const { value, low, high } = uniqueTotal(
      sample,
      { expected, observations, systematicShare: 0 },
      { value: uniqueBytes, low: uniqueBytes, high: uniqueBytes },
    )
    if (low <= truth && truth <= high) covered++
    halves.push((high - low) / 2 / truth)
    errors.push(value / truth - 1)
  }
  const middle = (values: number[]): number => values.toSorted((a, b) => a - b)[TRIALS / 2] as number
  return {
    coverage: covered / TRIALS,
    bias: errors.reduce((sum, error) => sum + error, 0) / TRIALS,
    medianHalfWidth: middle(halves),
  }
}

describe('the forecast of deduplicated and compressed records', () => {
  for (const [name, stored] of Object.entries(STORES)) {
    for (const visits of [60, 1000]) {
      it(`contains the true value as often as stated with ${visits} visits, stored ${name}`, () => {
        const seen = trials(stored, visits)
        console.log(`${name}, ${visits} visits: ${JSON.stringify(seen)}`)
        expect(seen.coverage).toBeGreaterThanOrEqual(0.95)
        expect(seen.medianHalfWidth).toBeLessThan(0.12)
        expect(Math.abs(seen.bias)).toBeLessThan(seen.medianHalfWidth / 4)
      })
    }
  }

  it('counts a record as one over its copies, and nothing where they are not known', () => {
    expect(uniquePart([1, 2, 0, 4], 100, 350)).toEqual({ bytes: 100 + 50 + 12.5, records: 1.75 })
  })

  it('raises the shares of large records to what was counted, and no further than to all', () => {
    expect(raisedShares([0.5, 1], [10, 10], [1, 1], 15)).toEqual([0.5, 1])
    expect(raisedShares([0.5, 0.5], [10, 10], [1, 2], 22.5)).toEqual([0.75, 0.75])
    expect(raisedShares([0.5, 0.5], [10, 10], [1, 1], 99)).toEqual([1, 1])
  })

  it('agrees with both totals that the pass counted', () => {
    const units = [40, 10, 25].map(
      (bytes): SampledUnit => ({ stratum: 'a/1', bytes, probability: 0.5, covariates: [] }),
    )
    const parts: UniquePart[] = [
      { bytes: 30, records: 4 },
      { bytes: 10, records: 3 },
      { bytes: 20, records: 2 },
    ]
    const { weights } = calibratedOnUnique({ units, weights: [2, 2, 2], groups: [0, 0, 0] }, parts, {
      bytes: 130,
      records: 20,
    })
    const total = (of: (part: UniquePart) => number): number =>
      parts.reduce((sum, part, index) => sum + of(part) * (weights[index] as number), 0)
    expect(total((part) => part.bytes)).toBeCloseTo(130, 6)
    expect(total((part) => part.records)).toBeCloseTo(20, 6)
  })

  it('needs memory for each entry of the table', () => {
    expect(tableBytes(1000, 320)).toBe(320_000)
  })
})

test('distinct records never take more than storing them uncompressed', () => {
  const unique = { value: 6400, low: 6400, high: 6400 }
  expect(storedAtMost({ value: 5000, low: 4000, high: 9000 }, unique)).toEqual({
    value: 5000,
    low: 4000,
    high: 6500,
  })
  expect(storedAtMost({ value: 7000, low: 6600, high: 9000 }, unique)).toEqual({
    value: 6500,
    low: 6500,
    high: 6500,
  })
  expect(storedAtMost({ value: 5000, low: 4000, high: 6000 }, unique)).toEqual({
    value: 5000,
    low: 4000,
    high: 6000,
  })
})

test('no size is below zero, however large its errors are', () => {
  expect(spanAbout(10, [6, 8], [3, 4])).toEqual({ value: 10, low: 0, high: 15 })
  expect(spanAbout(10, [6, 8.1], [0])).toEqual({ value: 10, low: 0, high: 10 })
})
