import { afterEach, describe, expect, it } from 'vitest'
import { generationAsOf } from '../../../../../src/domain/sets/growing/asOf'

const at = (generation: number, time: string) => ({ generation, createdWallMs: Date.parse(time) })
const KNOWN = [at(1, '2025-01-10T12:00:00'), at(2, '2025-01-10T18:00:00'), at(3, '2026-02-01T00:00:00')]

const zone = process.env.TZ
afterEach(() => {
  if (zone === undefined) delete process.env.TZ
  else process.env.TZ = zone
})

describe('the generation that a person asks for', () => {
  it.each([
    ['1', 1],
    ['3', 3],
    ['2025-01-10', 2],
    ['2025-01-10T12:00', 1],
    ['2025-01-10T17:59', 1],
    ['2025-01-10T18:00', 2],
    ['2026-01-31', 2],
    ['2026-01-31T23:59', 2],
    ['2026-02-01', 3],
    ['2099-12-31', 3],
  ])('is, as of %s, number %i', (asked, generation) => {
    expect(generationAsOf(asked, KNOWN)).toBe(generation)
  })

  it.each([
    ['4', 'refused', 'generations 1 to 3'],
    ['0', 'refused', 'generations 1 to 3'],
    ['2025-01-09', 'refused', 'the first plan of the archive is of 2025-01-10'],
    ['2025-01-10T11:59', 'refused', 'the first plan of the archive is of 2025-01-10'],
  ])('is refused as %s', (asked, code, message) => {
    const thrown = expect(() => generationAsOf(asked, KNOWN))
    thrown.toThrow(expect.objectContaining({ code, message: expect.stringContaining(message) }))
  })

  it.each([
    '2025-13-40',
    '2025-02-29',
    '2025-04-31',
    '0000-00-00',
    '0050-01-01',
    '2026-3-8',
    '08.03.2026',
    '03/08/2026',
    '8 Mar 2026',
    '2026-03-08 13:00',
    '2026-03-08T13',
    '2026-03-08T24:00',
    '2026-03-08T13:60',
    '2026-03-08T13:00:00',
    '2026-03-08T13:00Z',
    '2026-03-08T13:00+01:00',
    '2026-03',
    '20260308T13:00',
    ' 2026-03-08',
    '2026-03-08\n',
    '２０２６-03-08',
    '-1',
    '1.0',
    'last year',
  ])('is not read from %j, and the forms that are taken are named', (asked) => {
    const thrown = expect(() => generationAsOf(asked, KNOWN))
    thrown.toThrow(
      expect.objectContaining({
        code: 'usage',
        message: expect.stringMatching(/2026-05-31, .* 2026-05-31T14:30, or the number of a generation/),
      }),
    )
  })

  it.each([
    ['America/New_York', 300],
    ['UTC', 0],
    ['Pacific/Kiritimati', -840],
  ])('counts days in the local time of %s', (local, minutes) => {
    process.env.TZ = local
    expect(new Date(2026, 0, 1).getTimezoneOffset()).toBe(minutes)
    const known = [at(1, '2026-03-07T00:00:00'), at(2, '2026-03-08T23:30:00'), at(3, '2026-03-09T00:00:00')]
    // In New York this day has 23 hours.
    expect(generationAsOf('2026-03-08', known)).toBe(2)
    expect(generationAsOf('2026-03-07', known)).toBe(1)
    expect(() => generationAsOf('2026-03-06', known)).toThrow('is of 2026-03-07')
  })
})
