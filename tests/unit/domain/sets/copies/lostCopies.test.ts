import { expect, it } from 'vitest'
import type { VolumeCopy } from '../../../../../src/domain/sets/copies/copy'
import { lostCopies } from '../../../../../src/domain/sets/copies/lostCopies'
import { volumeCopy } from '../../../../fixtures/fakeEngine/fakeCopies'

const copyOf = (volume: number, copy: number, state: VolumeCopy['state'], place = 'home'): VolumeCopy =>
  volumeCopy(copy, place, {
    volume,
    label: `A_0${volume}`,
    state,
    lostWallMs: state === 'lost' ? 100 * volume : null,
  })

it('are none where every copy is there', () => {
  expect(lostCopies([copyOf(1, 1, 'good'), copyOf(1, 2, 'damaged'), copyOf(2, 1, 'overdue')])).toEqual([])
})

it('are grouped by number and place, with the fewest others that one of the volumes has', () => {
  const copies = [
    copyOf(2, 2, 'lost', 'attic'),
    copyOf(1, 2, 'lost', 'attic'),
    copyOf(3, 2, 'lost', 'office'),
    copyOf(1, 1, 'good'),
    copyOf(1, 3, 'unverified'),
    copyOf(2, 1, 'overdue'),
    // A damaged copy and one of another set leave nothing.
    copyOf(3, 1, 'damaged'),
    { ...copyOf(3, 1, 'good'), planId: 'p2' },
  ]
  const attic = { place: 'attic', volumes: [1, 2], labels: ['A_01', 'A_02'], lostWallMs: 100, left: 1 }
  const office = { place: 'office', volumes: [3], labels: ['A_03'], lostWallMs: 300, left: 0 }
  const set = { planId: 'p1', setId: copies[0]?.setId, copy: 2 }
  expect(lostCopies(copies)).toEqual([
    { ...set, ...office },
    { ...set, ...attic },
  ])
})

it('of a set without a plan are those of its set ID', () => {
  const lost = { ...copyOf(1, 1, 'lost'), planId: null, setId: 'x' }
  expect(lostCopies([lost, { ...copyOf(1, 1, 'good'), planId: null, setId: 'y' }])).toMatchObject([
    { planId: null, setId: 'x', left: 0 },
  ])
})
