import { describe, expect, it } from 'vitest'
import {
  forecastOfKept,
  forecastOfWhole,
  groupsOfWhole,
  heldToEarlier,
  joinedForecast,
  tableOfWhole,
} from '../../../../src/domain/survey/carriedFigures'
import { addedBytes } from '../../../../src/domain/survey/unionFigures'
import { seededRandom } from '../../../../src/primitives/seededRandom'

const change = {
  goneBytes: 10,
  goneFiles: 2,
  readBytes: 20,
  readFiles: 3,
  earlierBytes: 1000,
  earlierFiles: 100,
  bytes: 1010,
}

describe('figures carried over from an earlier survey', () => {
  it('hold an estimate to what a change of so many bytes can do', () => {
    const exact = { uniqueBytes: 600, exact: true, low: 600, high: 600 }
    const wide = { uniqueBytes: 700, exact: false, low: 500, high: 800 }
    expect(heldToEarlier(wide, exact, change)).toEqual({
      uniqueBytes: 620,
      exact: false,
      low: 590,
      high: 620,
    })
    expect(heldToEarlier({ ...wide, exact: true }, exact, change).uniqueBytes).toBe(700)
    expect(heldToEarlier(wide, undefined, change)).toBe(wide)
  })

  it('contain the true value, whatever was removed or added', () => {
    const random = seededRandom(8)
    for (let trial = 0; trial < 300; trial++) {
      const blocks = (count: number) => Array.from({ length: count }, () => random.below(60))
      const [kept, gone, read] = [blocks(40), blocks(random.below(10)), blocks(random.below(10))]
      const unique = (list: number[]) => new Set(list).size
      const before = unique([...kept, ...gone])
      const truth = unique([...kept, ...read])
      const held = heldToEarlier(
        { uniqueBytes: truth + random.below(9) - 4, exact: false, low: 0, high: 1000 },
        { uniqueBytes: before, exact: true, low: before, high: before },
        { ...change, goneBytes: gone.length, readBytes: read.length },
      )
      expect(truth).toBeGreaterThanOrEqual(held.low)
      expect(truth).toBeLessThanOrEqual(held.high)
      expect(held.uniqueBytes).toBeGreaterThanOrEqual(held.low)
      expect(held.uniqueBytes).toBeLessThanOrEqual(held.high)
    }
  })

  it('forecast the files that stayed, and join others', () => {
    const earlier = { predictedBytes: 500, low: 480, high: 520 }
    const kept = forecastOfKept(earlier, change)
    expect(kept).toEqual({ predictedBytes: 495, low: 470, high: 520 })
    expect(forecastOfKept(earlier, { ...change, goneBytes: 0 })).toEqual(earlier)
    expect(joinedForecast(kept, { predictedBytes: 7, low: 5, high: 9 })).toEqual({
      predictedBytes: 502,
      low: 475,
      high: 529,
    })
  })

  it('give no forecast of one archive when much was read, and a wide one when much is gone', () => {
    const earlier = { predictedBytes: 500, low: 480, high: 520 }
    expect(forecastOfWhole(earlier, change)).toEqual({ predictedBytes: 505, low: 470, high: 540 })
    expect(forecastOfWhole(earlier, { ...change, readBytes: 200, bytes: 1190 })).toBeNull()
    const half = forecastOfWhole(earlier, { ...change, goneBytes: 500, readBytes: 0, bytes: 500 })
    expect(half).toEqual({ predictedBytes: 250, low: 0, high: 520 })
  })

  it('widen archives of groups by one archive for each file, and count them by the files', () => {
    const bytes = { predictedBytes: 500, low: 480, high: 520 }
    const earlier = { ...bytes, archives: 40, distinctArchives: 20, distinctBytes: 250 }
    expect(groupsOfWhole(earlier, change)).toEqual({
      predictedBytes: 505,
      low: 0,
      high: 540 + 3 * 400,
      archives: 40,
      distinctArchives: 20,
      distinctBytes: 253,
    })
    expect(groupsOfWhole(earlier, { ...change, readFiles: 52 })?.archives).toBe(60)
    expect(groupsOfWhole(earlier, { ...change, readBytes: 200 })).toBeNull()
  })

  it('widen a table by every record that was taken out or read, and by its sector', () => {
    const bytes = { predictedBytes: 500, low: 480, high: 520, sectorBytes: 4 }
    const entries = { tableEntries: 50, tableEntriesLow: 49, tableEntriesHigh: 51 }
    const records = tableOfWhole({ ...bytes, ...entries, recordSize: 8 }, change)
    // 10 bytes of 2 files were in 3 records of 8 at most, 20 bytes of 3 files are in 5.
    expect(records).toMatchObject({ tableEntriesLow: 46, tableEntriesHigh: 56, low: 461, high: 555 })
    const files = tableOfWhole({ ...bytes, ...entries, recordSize: null, sectorBytes: 1 }, change)
    expect(files).toMatchObject({ tableEntriesLow: 47, tableEntriesHigh: 54, low: 470, high: 540 })
    expect(tableOfWhole({ ...bytes, ...entries, recordSize: 8 }, { ...change, readBytes: 200 })).toBeNull()
  })
})

describe('what a survey adds to a union', () => {
  it('is exact where both unions are, and never more than the survey has', () => {
    const exact = (uniqueBytes: number) => ({ uniqueBytes, exact: true, low: uniqueBytes, high: uniqueBytes })
    expect(addedBytes(exact(100), exact(130), exact(50))).toEqual({
      addedBytes: 30,
      sharedBytes: 20,
      exact: true,
      low: 30,
      high: 30,
    })
    const rough = { uniqueBytes: 100, exact: false, low: 90, high: 110 }
    expect(addedBytes(rough, { uniqueBytes: 130, exact: false, low: 120, high: 140 }, exact(45))).toEqual({
      addedBytes: 30,
      sharedBytes: 15,
      exact: false,
      low: 10,
      high: 45,
    })
  })
})
