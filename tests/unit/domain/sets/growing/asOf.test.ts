import { describe, expect, it } from 'vitest'
import { generationAsOf } from '../../../../../src/domain/sets/growing/asOf'

const at = (generation: number, time: string) => ({ generation, createdWallMs: Date.parse(time) })
const KNOWN = [at(1, '2025-01-10T12:00:00'), at(2, '2025-01-10T18:00:00'), at(3, '2026-02-01T00:00:00')]

describe('the generation that a person asks for', () => {
  it.each([
    ['1', 1],
    ['3', 3],
    ['2025-01-10', 2],
    ['2025-01-10T13:00:00', 1],
    ['2026-01-31', 2],
    ['2026-02-01', 3],
    ['2099-12-31', 3],
  ])('is, as of %s, number %i', (asked, generation) => {
    expect(generationAsOf(asked, KNOWN)).toBe(generation)
  })

  it.each([
    ['4', 'refused', 'generations 1 to 3'],
    ['0', 'refused', 'generations 1 to 3'],
    ['2025-01-09', 'refused', 'the first plan of the archive is of 2025-01-10'],
    ['2025-13-40', 'usage', '--as-of takes a date'],
    ['last year', 'usage', '--as-of takes a date'],
  ])('is refused as %s', (asked, code, message) => {
    const thrown = expect(() => generationAsOf(asked, KNOWN))
    thrown.toThrow(expect.objectContaining({ code, message: expect.stringContaining(message) }))
  })
})
