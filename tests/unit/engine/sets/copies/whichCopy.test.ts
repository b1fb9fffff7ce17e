import { describe, expect, test } from 'vitest'
import { whichCopy } from '../../../../../src/engine/sets/copies/whichCopy'
import { volumeCopy } from '../../../../fixtures/fakeEngine/fakeCopies'

const given = { path: '/mnt/disc', planId: 'p1', setId: null, index: 1, label: 'PHOTOS_01' }
const home = volumeCopy(1, 'home', { path: '/mnt/home' })
const away = volumeCopy(2, 'bank', { path: '/mnt/bank' })

describe('the copy that a volume is', () => {
  test('is the one that a person names, or the first where none is known', () => {
    expect(whichCopy(given, 3, [home, away])).toBe(3)
    expect(whichCopy(given, null, [])).toBe(1)
  })

  test('is the only one that is known of this volume of this set', () => {
    const others = [volumeCopy(3, null, { volume: 2 }), volumeCopy(4, null, { planId: 'p2' })]
    expect(whichCopy(given, null, [away, ...others])).toBe(2)
  })

  test('is refused where it may be one of several', () => {
    const unnamed = volumeCopy(3, null)
    expect(() => whichCopy(given, null, [home, away, unnamed])).toThrow(
      'PHOTOS_01 has copies 1 (home), 2 (bank), 3: say which one this is with --copy N',
    )
  })

  test('is the one that was written to its path', () => {
    expect(whichCopy({ ...given, path: '/mnt/bank' }, null, [home, away])).toBe(2)
    expect(whichCopy({ ...given, path: '/mnt/bank/set/PHOTOS_01' }, null, [home, away])).toBe(2)
  })

  test("is the built one in its plan's folder, whatever a person names", () => {
    const built = volumeCopy(0, null, { path: '/plan/volume-1' })
    expect(whichCopy({ ...given, path: '/plan/volume-1' }, 2, [built, away])).toBe(0)
    expect(whichCopy(given, null, [built, away])).toBe(2)
  })

  test('is known by its set where no plan is', () => {
    const ofSet = volumeCopy(2, null, { planId: null, setId: 'S' })
    expect(whichCopy({ ...given, planId: null, setId: 'S' }, null, [ofSet])).toBe(2)
    expect(whichCopy({ ...given, planId: null }, null, [volumeCopy(2, null, { setId: null })])).toBe(1)
  })
})
