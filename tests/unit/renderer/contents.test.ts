import { describe, expect, it } from 'vitest'
import { tileFolder } from '../../../renderer/src/charts/folderTiles'
import { yearColour, yearRamp } from '../../../renderer/src/charts/yearColour'
import { yearColumns } from '../../../renderer/src/charts/yearColumns'
import { sayClasses, sayMostly, sayYears } from '../../../renderer/src/format/contentsWords'
import { initialKept, reduceKept } from '../../../renderer/src/state/source/keptState'
import { sayColour, tileColour } from '../../../renderer/src/steps/source/kept/mapColours'
import type { ContentsSum, SourceFolder } from '../../../src/contract/dto/survey'

const IMAGES = { fileClass: 'image', bytes: 80 } as const
const VIDEOS = { fileClass: 'video', bytes: 20 } as const
const TEXT = { fileClass: 'text', bytes: 10 } as const
const NONE: ContentsSum = { classes: [], years: null }

describe('the words for contents', () => {
  it.each([
    [[], 0, ''],
    [[IMAGES], 80, 'images'],
    [[IMAGES, VIDEOS], 100, 'mostly images'],
    [[IMAGES, VIDEOS], 200, 'images 40.0 %'],
  ] as const)('of %j in %d bytes are %j', (classes, bytes, words) => {
    expect(sayMostly([...classes], bytes).replaceAll('\u00a0', ' ')).toBe(words)
  })

  it('give each class its share', () => {
    expect(sayClasses([IMAGES, VIDEOS], 100).replaceAll('\u00a0', ' ')).toBe('images 80.0 %, videos 20.0 %')
  })

  it('give one year or two', () => {
    expect(sayYears(null)).toBe('')
    expect(sayYears({ first: 2019, last: 2019 })).toBe('2019')
    expect(sayYears({ first: 2019, last: 2021 })).toBe('2019–2021')
  })
})

describe('the columns of years', () => {
  it('are one a year, empty ones among them', () => {
    const columns = yearColumns([
      { year: 2019, bytes: 5 },
      { year: 2022, bytes: 7 },
    ])
    expect(columns.map(({ last, bytes }) => [last, bytes])).toEqual([
      [2019, 5],
      [2020, 0],
      [2021, 0],
      [2022, 7],
    ])
    expect(yearColumns([])).toEqual([])
  })

  it('are 60 at most, the first of which has all earlier years', () => {
    const years = [1900, 1965, 1966, 2024].map((year) => ({ year, bytes: 1 }))
    const columns = yearColumns(years)
    expect(columns).toHaveLength(60)
    expect(columns[0]).toEqual({ first: 1900, last: 1965, bytes: 2 })
    expect(columns[1]).toEqual({ first: 1966, last: 1966, bytes: 1 })
  })
})

describe('the colours of the map', () => {
  const ramp = yearRamp([{ year: 1980 }, { year: 2019 }, { year: 2020 }])
  const tile = { classes: [IMAGES, VIDEOS], years: { first: 1980, last: 2020, middle: 2019 }, keptBytes: 100 }

  it('are those of years by their order', () => {
    expect([...ramp]).toEqual([
      [1980, 0],
      [2019, 0.5],
      [2020, 1],
    ])
    expect(tileColour(tile, 'year', ramp, true)).toBe(yearColour(ramp, 2019))
    expect(sayColour(tile, 'year')).toBe('1980–2020')
  })

  it('are those of the class with the most bytes', () => {
    expect(tileColour(tile, 'type', ramp, true)).toBe('var(--class-image)')
    expect(sayColour(tile, 'type')).toBe('mostly images')
  })

  it('are those of folders and files otherwise, and where nothing is kept', () => {
    expect(tileColour(tile, 'folders', ramp, true)).toBe('var(--share-edge)')
    expect(tileColour(tile, 'folders', ramp, false)).toBe('var(--class-other)')
    expect(sayColour(tile, 'folders')).toBe('')
    for (const colours of ['type', 'year'] as const)
      expect(tileColour({ ...NONE, keptBytes: 0 }, colours, ramp, true)).toBe('var(--class-other)')
  })

  it('stay chosen when the sources go', () => {
    const chosen = reduceKept(reduceKept(initialKept, { type: 'view', view: 'map' }), {
      type: 'colours',
      colours: 'year',
    })
    expect(reduceKept(chosen, { type: 'cleared' })).toMatchObject({ view: 'map', colours: 'year' })
  })
})

describe('the tile of what is too small for one', () => {
  it('has at least the classes that its rows name, and all of their years', () => {
    const sums = { excludedFiles: 0, excludedBytes: 0, rule: null }
    const file = (name: string, contents: ContentsSum) => {
      const bytes = contents.classes.reduce((sum, each) => sum + each.bytes, 0)
      return { path: `/s/${name}`, name, isFolder: false, files: 1, bytes, ...sums, ...contents }
    }
    const of = (year: number) => ({ first: year, last: year, middle: year })
    const folder: SourceFolder = {
      rows: [
        file('large', { classes: [{ fileClass: 'audio', bytes: 1e6 }], years: of(1999) }),
        file('a', { classes: [VIDEOS], years: of(2003) }),
        file('b', { classes: [TEXT], years: of(2001) }),
      ],
      others: {
        files: 9,
        bytes: 60,
        ...sums,
        classes: [TEXT, VIDEOS],
        years: { first: 1990, last: 2002, middle: 2000 },
      },
      classes: [],
      years: [],
    }
    const [, small] = tileFolder(folder, 100, 100)
    expect(small).toMatchObject({
      row: null,
      keptBytes: 90,
      classes: [
        { fileClass: 'video', bytes: 40 },
        { fileClass: 'text', bytes: 20 },
      ],
      years: { first: 1990, last: 2003, middle: 2000 },
    })
  })
})
