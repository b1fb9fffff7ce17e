import { describe, expect, it } from 'vitest'
import type { VolumeCopy } from '../../../../../src/domain/sets/copies/copy'
import { copyHealth, keepingCopies } from '../../../../../src/domain/sets/copies/copyHealth'
import { volumeCopy } from '../../../../fixtures/fakeEngine/fakeCopies'

const copyOf = (volume: number, copy: number, place: string | null, facts: Partial<VolumeCopy> = {}) =>
  volumeCopy(copy, place, { volume, label: `A_0${volume}`, verifiedWallMs: 1000 * volume + copy, ...facts })

const LOST = { state: 'lost', lostWallMs: 5 } as const

/** Two volumes with two copies each. */
const WHOLE = [
  copyOf(1, 1, 'home'),
  copyOf(1, 2, 'attic'),
  copyOf(2, 1, 'home'),
  copyOf(2, 2, 'attic'),
] as const
const [FIRST, SECOND, THIRD, FOURTH] = WHOLE

describe('the health of copies', () => {
  it('is good where each volume has verified copies at two places, by the oldest verification', () => {
    expect(copyHealth(WHOLE, 2)).toMatchObject({
      kind: 'good',
      volumes: 2,
      copies: 2,
      places: 2,
      verifiedWallMs: 1001,
    })
  })

  it('leaves out the image in the plan’s folder where another copy of its volume is left', () => {
    const built = [copyOf(1, 0, null), copyOf(2, 0, null), copyOf(3, 0, null)] as const
    const copies = keepingCopies([...built, FIRST, { ...THIRD, ...LOST }])
    expect(copies.map(({ volume, copy }) => [volume, copy])).toEqual([
      [2, 0],
      [3, 0],
      [1, 1],
      [2, 1],
    ])
    expect(copyHealth(keepingCopies([...built.slice(0, 2), ...WHOLE]), 2)).toMatchObject({
      kind: 'good',
      copies: 2,
    })
  })

  it('counts two spellings of a place as one', () => {
    const copies = [copyOf(1, 1, 'Parents’ house'), copyOf(1, 2, "parents'  HOUSE")]
    expect(copyHealth(copies, 1)).toMatchObject({ kind: 'onePlace', copies: 2, places: 1 })
  })

  it('is that of the volume with the fewest copies and places', () => {
    expect(copyHealth([FIRST, SECOND, THIRD], 2)).toMatchObject({
      kind: 'onePlace',
      labels: ['A_02'],
      copies: 1,
      places: 1,
    })
    expect(copyHealth([copyOf(1, 1, null), copyOf(1, 2, 'attic')], 1)).toMatchObject({
      kind: 'onePlace',
      copies: 2,
      places: 1,
    })
  })

  it('names lost copies with the number and place that they share', () => {
    const one = [FIRST, { ...SECOND, ...LOST }, THIRD, FOURTH]
    expect(copyHealth(one, 2)).toMatchObject({
      kind: 'lost',
      labels: ['A_01'],
      count: 1,
      copy: 2,
      place: 'attic',
      copies: 1,
      places: 1,
    })
    const two = [FIRST, { ...SECOND, ...LOST }, { ...THIRD, ...LOST }, FOURTH]
    expect(copyHealth(two, 2)).toMatchObject({ labels: ['A_01', 'A_02'], count: 2, copy: null, place: null })
  })

  it('puts what presses most first', () => {
    const lost = { ...SECOND, ...LOST }
    const damaged = { ...FOURTH, state: 'damaged' } as const
    expect(copyHealth([FIRST, lost, THIRD, damaged], 3)).toMatchObject({ kind: 'damaged', labels: ['A_02'] })
    expect(copyHealth([{ ...FIRST, ...LOST }, lost, THIRD, damaged], 3)).toMatchObject({
      kind: 'gone',
      labels: ['A_01'],
      count: 2,
    })
    expect(copyHealth([FIRST, lost, THIRD, FOURTH], 3).kind).toBe('lost')
    const unread = { ...SECOND, state: 'unverified', verifiedWallMs: null } as const
    const late = { ...FOURTH, state: 'overdue' } as const
    expect(copyHealth([FIRST, unread, THIRD, late], 3)).toMatchObject({
      kind: 'unmade',
      unmade: 1,
      copies: 0,
    })
    expect(copyHealth([FIRST, unread, THIRD, late], 2)).toMatchObject({
      kind: 'unverified',
      labels: ['A_01'],
      verifiedWallMs: null,
    })
    expect(copyHealth([FIRST, SECOND, THIRD, late], 2)).toMatchObject({ kind: 'overdue', count: 1 })
  })

  it('of a set of which nothing was made is that all volumes are missing', () => {
    expect(copyHealth([], 9)).toMatchObject({ kind: 'unmade', unmade: 9, volumes: 9, copies: 0, places: 0 })
  })

  it('of discs without a plan is that of the discs that are known', () => {
    expect(copyHealth([FIRST, SECOND], null)).toMatchObject({ kind: 'good', volumes: 1 })
  })
})
