import { describe, expect, it } from 'vitest'
import {
  compressedThenDeduplicated,
  deduplicatedRecords,
  type SampledRecord,
  TABLE_ENTRY_BYTES,
  tableMemory,
} from '../../../../src/domain/compression/recordsTogether'
import { seededRandom } from '../../../../src/primitives/seededRandom'

/** Occurrences of 3,000 contents, the first of which occur most often. */
function occurrences(): { storedBytes: number; copies: number }[] {
  const random = seededRandom(5)
  return Array.from({ length: 3000 }, (_, content) => {
    const copies = content < 30 ? 1 + random.below(200) : 1 + random.below(4)
    const storedBytes = 500 + random.below(3500)
    return Array.from({ length: copies }, () => ({ storedBytes, copies }))
  }).flat()
}

describe('deduplicating compressed records', () => {
  it('counts every content once when everything is sampled', () => {
    const records = occurrences().map((one) => ({ ...one, probability: 1 }))
    const together = deduplicatedRecords(records)
    expect(together.uniqueRecords).toBeCloseTo(3000, 6)
    expect(together.storedError).toBe(0)
    const distinct = records.reduce((sum, one) => sum + one.storedBytes / one.copies, 0)
    expect(together.storedBytes).toBeCloseTo(distinct, 3)
  })

  it('is right on average from a tenth of the records, and its errors say how far off it may be', () => {
    const all = occurrences()
    const truth = deduplicatedRecords(all.map((one) => ({ ...one, probability: 1 })))
    const random = seededRandom(6)
    let sum = 0
    let covered = 0
    for (let trial = 0; trial < 200; trial++) {
      const sample: SampledRecord[] = all
        .filter(() => random.unit() < 0.1)
        .map((one) => ({ ...one, probability: 0.1 }))
      const found = deduplicatedRecords(sample)
      sum += found.storedBytes
      if (Math.abs(found.storedBytes - truth.storedBytes) <= 1.96 * found.storedError) covered++
    }
    expect(Math.abs(sum / 200 / truth.storedBytes - 1)).toBeLessThan(0.01)
    expect(covered).toBeGreaterThanOrEqual(183)
  })

  it('finds only whole duplicates once files have been compressed', () => {
    expect(compressedThenDeduplicated(1000, 0.25)).toBe(750)
  })

  it('needs memory for each unique record, 320 bytes unless told', () => {
    expect(tableMemory(1000)).toBe(320_000)
    expect(tableMemory(1000, TABLE_ENTRY_BYTES.zfsFast)).toBe(112_000)
  })
})
