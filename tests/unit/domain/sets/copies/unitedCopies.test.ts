import { describe, expect, it } from 'vitest'
import { Safeties } from '../../../../../src/domain/sets/copies/safety'
import { type ExportedCopy, unitedCopies } from '../../../../../src/domain/sets/copies/unitedCopies'

const NOW = 1000
const COPY: ExportedCopy = {
  volume: 0,
  of: 'p-1 1',
  copy: 1,
  place: 'home',
  medium: 'disk',
  state: 'good',
  verifiedWallMs: 500,
  verifyByWallMs: 2000,
  madeBy: 'r-1',
  isMissing: false,
  disks: [],
}

/** On how many copies at how many places a file is that each catalog has on its first volume. */
function kept(...catalogs: Partial<ExportedCopy>[][]): [copies: number, places: number] {
  return keptAt(NOW, ...catalogs)
}

function keptAt(
  exportedWallMs: number,
  ...catalogs: Partial<ExportedCopy>[][]
): [copies: number, places: number] {
  const exported = catalogs.map((copies) => ({
    exportedWallMs,
    volumes: 1,
    copies: copies.map((copy) => ({ ...COPY, ...copy })),
  }))
  const { copies, places } = new Safeties(unitedCopies(exported, NOW), []).of(catalogs.map((_, at) => [at]))
  return [copies, places]
}

describe('copies of several catalogs', () => {
  it('count where they are verified, not overdue, and not verified by a clock that was ahead', () => {
    expect(kept([{}])).toEqual([1, 1])
    expect(kept([{ verifyByWallMs: 999 }])).toEqual([0, 0])
    expect(kept([{ verifiedWallMs: 1001 }])).toEqual([0, 0])
    expect(kept([{ verifiedWallMs: null }])).toEqual([0, 0])
    for (const state of ['overdue', 'unverified', 'damaged', 'lost'] as const)
      expect([state, kept([{ state }])]).toEqual([state, [0, 0]])
    expect(kept([{ isMissing: true }])).toEqual([0, 0])
  })

  it('count where the clock of their machine is up to a day ahead, and not past that or its own time', () => {
    const DAY = 86_400_000
    expect(keptAt(1100, [{ verifiedWallMs: 1100 }])).toEqual([1, 1])
    expect(keptAt(1100, [{ verifiedWallMs: 1101 }])).toEqual([0, 0])
    expect(keptAt(900, [{ verifiedWallMs: 950 }])).toEqual([1, 1])
    expect(keptAt(NOW + DAY, [{ verifiedWallMs: NOW + DAY, verifyByWallMs: 3 * DAY }])).toEqual([1, 1])
    expect(keptAt(NOW + DAY + 1, [{ verifiedWallMs: NOW + 1 }])).toEqual([0, 0])
    expect(keptAt(1100, [{ verifyByWallMs: 999 }])).toEqual([0, 0])
  })

  it('count once where two catalogs know the same one, by its run or by its number', () => {
    const second = { copy: 2, madeBy: 'r-2', place: 'office' }
    expect(kept([{}], [second])).toEqual([2, 2])
    expect(kept([{}, second], [{}, second])).toEqual([2, 2])
    expect(kept([{}], [{ copy: 2 }])).toEqual([1, 1])
    expect(kept([{}], [{ madeBy: null }])).toEqual([1, 1])
    expect(kept([{}], [{ ...second, of: 'p-2 1', copy: 1 }])).toEqual([2, 2])
  })

  it('count once on one disk, and places once by their names', () => {
    const second = { copy: 2, madeBy: 'r-2', of: 'p-2 1' }
    expect(kept([{ disks: ['a'] }], [{ ...second, disks: ['a'], place: 'office' }])).toEqual([1, 1])
    expect(kept([{}], [{ ...second, place: 'HOME' }])).toEqual([2, 1])
    expect(kept([{}], [{ ...second, place: null }])).toEqual([2, 1])
  })

  it('do not count where any catalog knows them as lost, damaged or missing, whatever its clock says', () => {
    const bad = [{ state: 'lost' }, { state: 'damaged' }, { isMissing: true }] as const
    for (const known of bad)
      for (const verifiedWallMs of [1, 500, 999]) {
        expect(kept([{ verifiedWallMs }], [known])).toEqual([0, 0])
        expect(kept([known], [{ verifiedWallMs }])).toEqual([0, 0])
      }
    expect(kept([{}], [{ state: 'lost', madeBy: null }])).toEqual([0, 0])
    expect(kept([{ madeBy: null }], [{ state: 'lost' }])).toEqual([0, 0])
    expect(kept([{ copy: 2 }], [{ state: 'lost' }])).toEqual([0, 0])
  })

  it('count where another copy of the same number is lost, which another run made', () => {
    expect(kept([{ madeBy: 'r-3' }], [{ state: 'lost' }])).toEqual([1, 1])
  })
})
