import { describe, expect, it } from 'vitest'
import { type ReadingFacts, readingReason } from '../../../../src/domain/survey/readingReason'

const FACTS: ReadingFacts = {
  deviceKind: 'virtual',
  asked: false,
  first: 2,
  threads: 4,
  most: 8,
  trials: [
    { from: 2, to: 4, gain: 1.789, kept: true },
    { from: 4, to: 8, gain: 1.02, kept: false },
  ],
}

describe('the reason for a number of readers', () => {
  it('is the measurement where there was one', () => {
    expect(readingReason(FACTS)).toBe(
      'the source is on a virtual disk; began with 2; 4 read at 1.79 times the rate of 2, 8 read at 1.02 times the rate of 4 (measured)',
    )
  })

  it('leaves out trials from numbers that were not kept in the end', () => {
    const trials = [{ from: 2, to: 4, gain: 1.05, kept: false }, ...FACTS.trials]
    expect(readingReason({ ...FACTS, trials })).toBe(readingReason(FACTS))
  })

  it('is called an assumption where nothing was measured', () => {
    const alone = { ...FACTS, threads: 1, first: 1, most: 1, trials: [] }
    expect(readingReason({ ...alone, deviceKind: 'optical' })).toBe(
      'the source is on an optical drive, where more threads are assumed not to help',
    )
    expect(readingReason({ ...FACTS, threads: 2, trials: [] })).toBe(
      'the source is on a virtual disk; more than 2 were not tried: too little data, or the CPU was busy',
    )
    expect(readingReason({ ...FACTS, asked: true, trials: [] })).toContain('the number is set')
  })
})
