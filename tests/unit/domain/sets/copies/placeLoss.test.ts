import { describe, expect, it } from 'vitest'
import type { VolumeCopy } from '../../../../../src/domain/sets/copies/copy'
import { placeLosses, type SetVolume } from '../../../../../src/domain/sets/copies/placeLoss'
import { volumeCopy } from '../../../../fixtures/fakeEngine/fakeCopies'

const NONE = { volumes: 0, files: 0, bytes: 0 }

/** Volume 1 holds 10 files and 100 bytes, volume 2 20 and 200, and so on. */
const volumeOf = (volume: number): SetVolume => ({
  planId: 'p1',
  setId: null,
  volume,
  files: 10 * volume,
  bytes: 100 * volume,
})
const copyOf = (volume: number, copy: number, place: string | null, facts: Partial<VolumeCopy> = {}) =>
  volumeCopy(copy, place, { volume, ...facts })

describe('the loss of a place', () => {
  it('takes the volumes without a copy elsewhere; the worst place comes first', () => {
    const copies = [copyOf(1, 1, 'home'), copyOf(1, 2, 'attic'), copyOf(2, 1, 'home'), copyOf(3, 1, 'home')]
    expect(placeLosses([1, 2, 3].map(volumeOf), copies)).toEqual([
      {
        place: 'home',
        copies: 3,
        gone: { volumes: 2, files: 50, bytes: 500 },
        kept: { volumes: 1, files: 10, bytes: 100 },
        unsure: NONE,
      },
      { place: 'attic', copies: 1, gone: NONE, kept: { volumes: 1, files: 10, bytes: 100 }, unsure: NONE },
    ])
  })

  it('is not survived by lost and damaged copies, nor by another spelling of the place', () => {
    const copies = [
      copyOf(1, 1, 'home'),
      copyOf(1, 2, 'attic', { state: 'lost' }),
      copyOf(1, 3, 'office', { state: 'damaged' }),
      copyOf(1, 4, ' HOME '),
    ]
    expect(placeLosses([volumeOf(1)], copies)).toEqual([
      {
        place: 'home',
        copies: 2,
        gone: { volumes: 1, files: 10, bytes: 100 },
        kept: NONE,
        unsure: NONE,
      },
    ])
  })

  it('leaves unsure what has its other copies at no noted place', () => {
    const copies = [copyOf(1, 0, null), copyOf(1, 1, 'home')]
    expect(placeLosses([volumeOf(1)], copies)).toMatchObject([
      { place: 'home', copies: 1, gone: NONE, kept: NONE, unsure: { volumes: 1, files: 10 } },
    ])
  })

  it('counts copies of the same number of another set for nothing', () => {
    const copies = [copyOf(1, 1, 'home'), copyOf(1, 1, 'attic', { planId: 'p2' })]
    expect(placeLosses([volumeOf(1)], copies)[0]).toMatchObject({ place: 'home', gone: { volumes: 1 } })
  })

  it('has no files and bytes where those of a volume are not known', () => {
    const unknown = { ...volumeOf(2), files: null, bytes: null }
    const copies = [copyOf(1, 1, 'home'), copyOf(2, 1, 'home')]
    expect(placeLosses([volumeOf(1), unknown], copies)[0]?.gone).toEqual({
      volumes: 2,
      files: null,
      bytes: null,
    })
  })

  it('is nothing that can be said where no place is noted', () => {
    expect(placeLosses([volumeOf(1)], [copyOf(1, 1, null)])).toEqual([])
  })
})
