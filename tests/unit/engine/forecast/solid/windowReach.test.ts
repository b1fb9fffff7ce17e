import { describe, expect, it } from 'vitest'
import { windowReach } from '../../../../../src/engine/forecast/solid/windowReach'

/** New bytes with a short and with a long dictionary and at any distance: of files alone, that repeat half of themselves. */
const ALONE = [60, 50, 50]

describe('how much of what near copies copy a dictionary holds', () => {
  it('is nothing where it holds only what a file repeats of itself', () => {
    expect(windowReach(ALONE, [60, 5, 5], 0)).toBe(0)
  })

  it('is all where it holds the file before', () => {
    expect(windowReach(ALONE, [60, 5, 5], 1)).toBe(1)
  })

  it('is in proportion between them', () => {
    expect(windowReach(ALONE, [51, 5, 5], 0)).toBeCloseTo(0.2)
  })

  it('is less where the file before is in another archive', () => {
    expect(windowReach(ALONE, ALONE, 1, 5)).toBe(0)
    expect(windowReach(ALONE, [60, 20, 20], 1, 5)).toBeCloseTo(2 / 3)
  })

  it('is all where files find nothing in others', () => {
    expect(windowReach(ALONE, ALONE, 0)).toBe(1)
    expect(windowReach([], [3, 2], 0)).toBe(1)
  })
})
