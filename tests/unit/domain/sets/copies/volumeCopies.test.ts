import { expect, test } from 'vitest'
import { bestCopies } from '../../../../../src/domain/sets/copies/bestCopy'
import { placeKey } from '../../../../../src/domain/sets/copies/copy'
import { copyKey } from '../../../../../src/domain/sets/copies/healthCalendar'
import { volumeCopies } from '../../../../../src/domain/sets/copies/volumeCopies'
import type { NewEvent } from '../../../../../src/domain/sets/volumeEvent'

const SET = 'ab'.repeat(32)

function event(kind: NewEvent['kind'], wallMs: number, about: Partial<NewEvent> = {}): NewEvent {
  const { facts, ...more } = about
  return {
    kind,
    of: `x-${wallMs}`,
    planId: 'p-1',
    setId: SET,
    volume: 1,
    copy: 1,
    label: 'A_01',
    wallMs,
    facts: { ...(kind === 'written' && { target: { kind: 'drive', path: '/dev/sr0' } }), ...facts },
    ...more,
  }
}

const copyAfter = (...events: NewEvent[]) =>
  volumeCopies({ planId: 'p-1', setId: SET, events, pathOf: () => '/there' }, 1000)[0]

test('a damaged copy has no date of verification', () => {
  const copy = copyAfter(event('written', 1), event('good', 2), event('damaged', 3))
  expect(copy).toMatchObject({
    state: 'damaged',
    verifiedWallMs: null,
    verifyByWallMs: null,
    damagedWallMs: 3,
  })
})

test('a good copy that was lost is good again once it is verified or found', () => {
  const lost = [event('written', 1), event('good', 2), event('lost', 3, { setId: null })]
  expect(copyAfter(...lost)?.state).toBe('lost')
  expect(copyAfter(...lost, event('good', 4))).toMatchObject({ state: 'good', lostWallMs: null })
  expect(copyAfter(...lost, event('found', 4, { setId: null }))).toMatchObject({
    state: 'good',
    verifiedWallMs: 2,
  })
  expect(copyAfter(event('written', 1), event('good', 2), event('gone', 3))?.state).toBe('lost')
})

test('noting a place keeps the kind of medium, and writing again keeps neither place nor verification', () => {
  const placed = copyAfter(event('written', 1), event('place', 2, { facts: { place: 'home' } }))
  expect(placed).toMatchObject({ place: 'home', medium: 'optical disc' })
  const tape = copyAfter(event('written', 1), event('place', 2, { facts: { place: 'home', medium: 'tape' } }))
  expect(tape).toMatchObject({ place: 'home', medium: 'tape' })
  const again = copyAfter(
    event('good', 1),
    event('place', 2, { facts: { place: 'home' } }),
    event('written', 3),
  )
  expect(again).toMatchObject({ place: null, state: 'unverified', verifiedWallMs: null })
})

test('building again keeps the place of the plan folder', () => {
  const built = { copy: 0 } as const
  const copy = copyAfter(
    event('built', 1, built),
    event('place', 2, { ...built, facts: { place: 'home' } }),
    event('built', 3, built),
  )
  expect(copy).toMatchObject({ place: 'home', path: '/there', state: 'unverified' })
})

test('a verification whose set is not that of the plan leaves a copy unverified', () => {
  expect(copyAfter(event('written', 1), event('good', 2, { setId: null }))?.state).toBe('unverified')
  expect(copyAfter(event('written', 1), event('good', 2, { setId: 'cd'.repeat(32) }))?.state).toBe(
    'unverified',
  )
  const byEntries = event('good', 2, { setId: null, facts: { byEntries: true } })
  expect(copyAfter(event('written', 1), byEntries)?.state).toBe('good')
})

test('a verification of a day that is yet to come is overdue', () => {
  expect(copyAfter(event('written', 1), event('good', 1001))?.state).toBe('overdue')
  expect(copyAfter(event('written', 1), event('good', 1000))?.state).toBe('good')
})

test('of several copies the first that is verified is the best', () => {
  const best = (...events: NewEvent[]) => bestCopies([1], 0, events).get(1)
  const second = { copy: 2 } as const
  const both = [
    event('built', 1, { copy: 0 }),
    event('written', 2),
    event('written', 3, second),
    event('good', 4, second),
  ]
  expect(best(...both)).toMatchObject({ best: { builtWallMs: 1, verifiedWallMs: 4 }, isLost: false })
  const lost = [...both, event('lost', 5), event('lost', 6, second)]
  expect(best(...lost)?.isLost).toBe(true)
  expect(best(...lost, event('good', 7, second))).toMatchObject({
    isLost: false,
    best: { verifiedWallMs: 7 },
  })
  expect(best(...lost, event('found', 7))?.isLost).toBe(false)
  // The built image is all that there is until it is written.
  const built = [event('built', 1, { copy: 0 }), event('lost', 2, { copy: 0 })]
  expect(best(...built)?.isLost).toBe(true)
  expect(best(...built, event('written', 3))?.isLost).toBe(false)
})

test.each([
  ["Parents' house", 'parents\u2019  HOUSE'],
  ['Hauptstra\u00dfe', 'HAUPTSTRASSE'],
  ['\u0130stanbul', 'istanbul'],
  ['\u0131stanbul', 'Istanbul'],
  ['caf\u00e9', 'cafe\u0301'],
  [' home ', 'ho\u00adme'],
  ['\u201cvault\u201d', '"Vault"'],
  ['\uff22ank', 'bank'],
  ['\u03bf\u03b4\u03bf\u03c2', '\u039f\u0394\u039f\u03a3'],
])('%s and %s are one place', (one, other) => {
  expect(placeKey(one)).toBe(placeKey(other))
})

test('places that differ in letters or accents are two', () => {
  const places = ['home', 'hom\u00e9', 'home 2', 'bank']
  expect(new Set(places.map(placeKey)).size).toBe(places.length)
})

test('the built image and the first copy are verified as one', () => {
  const of = { planId: 'p-1', setId: SET, volume: 1 }
  expect(copyKey({ ...of, copy: 0 })).toBe(copyKey({ ...of, copy: 1 }))
  expect(copyKey({ ...of, copy: 2 })).not.toBe(copyKey({ ...of, copy: 1 }))
})
