import { describe, expect, it } from 'vitest'
import { ContentsTally } from '../../../../src/domain/survey/contentsTally'
import { modifiedYear } from '../../../../src/domain/survey/modifiedYear'

const nsOf = (date: Date): bigint => BigInt(date.getTime()) * 1_000_000n

describe('the year of a file', () => {
  it.each([1678, 1969, 1970, 1980, 1999, 2000, 2024, 2100, 2261])(
    'is %d from the first to the last moment of that year in local time',
    (year) => {
      const [start, end] = [new Date(year, 0, 1), new Date(year + 1, 0, 1)].map(nsOf) as [bigint, bigint]
      expect(modifiedYear(start)).toBe(year)
      expect(modifiedYear(end - 1_000_000n)).toBe(year)
      expect(modifiedYear(start - 1_000_000n)).toBe(year - 1)
    },
  )

  it('stays within the years of 64 bits of nanoseconds', () => {
    expect(modifiedYear(-(2n ** 63n))).toBe(1677)
    expect(modifiedYear(2n ** 63n - 1n)).toBe(2262)
  })
})

describe('the contents of a folder', () => {
  it('are nothing without bytes', () => {
    const tally = new ContentsTally()
    tally.add('text', 1999, 0)
    expect(tally.contents()).toEqual({ classes: [], years: [] })
    expect(tally.sum()).toEqual({ classes: [], years: null })
  })

  it('have as their middle the first year by which half of the bytes were changed', () => {
    const tally = new ContentsTally()
    tally.add('image', 2004, 10)
    tally.add('image', 2001, 30)
    tally.add('text', 2020, 40)
    expect(tally.sum().years).toEqual({ first: 2001, last: 2020, middle: 2004 })
    tally.add('text', 2020, 1)
    expect(tally.sum().years?.middle).toBe(2020)
  })

  it('name three classes at most in a sum, and all of them otherwise', () => {
    const tally = new ContentsTally()
    for (const [at, fileClass] of (['text', 'audio', 'video', 'other'] as const).entries())
      tally.add(fileClass, 2000, at + 1)
    expect(tally.sum().classes.map(({ fileClass }) => fileClass)).toEqual(['other', 'video', 'audio'])
    expect(tally.contents().classes).toHaveLength(4)
  })

  it('are those of what was added less what was taken out', () => {
    const [all, part] = [new ContentsTally(), new ContentsTally()]
    part.add('image', 2010, 5)
    part.add('video', 2011, 7)
    all.addAll(part)
    all.addAll(part)
    all.add('video', 2011, -14)
    expect(all.contents()).toEqual({
      classes: [{ fileClass: 'image', bytes: 10 }],
      years: [{ year: 2010, bytes: 10 }],
    })
    expect(part.contents().classes).toHaveLength(2)
  })
})
