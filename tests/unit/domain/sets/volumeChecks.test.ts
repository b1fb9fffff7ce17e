import { describe, expect, test } from 'vitest'
import { volumeCopies } from '../../../../src/domain/sets/copies/volumeCopies'
import type { RunDocument } from '../../../../src/domain/sets/runDocument'
import { checkAgainBy, monthsLater, volumesToCheck } from '../../../../src/domain/sets/volumeChecks'
import {
  checkOf,
  eventsOfRun,
  eventsOfSet,
  type NewEvent,
  newestSet,
} from '../../../../src/domain/sets/volumeEvent'
import { volumeStates } from '../../../../src/domain/sets/volumeState'

const day = (text: string): number => Date.parse(`${text}T12:00:00Z`)

function event(
  kind: NewEvent['kind'],
  volume: number,
  date: string,
  about: Partial<NewEvent> = {},
): NewEvent {
  return {
    kind,
    of: `c-${date}`,
    setId: 'aa',
    planId: 'p-1',
    volume,
    copy: 1,
    label: `A_0${volume}`,
    wallMs: day(date),
    facts: { by: 'volume', reading: 'uncached', files: 3, damaged: 0, everyMonths: 12 },
    ...about,
  }
}

describe('the time of the next check', () => {
  test('is the same day so many months later, or the last of a shorter month', () => {
    expect(monthsLater(day('2026-11-24'), 12)).toBe(day('2027-11-24'))
    expect(monthsLater(day('2026-12-31'), 2)).toBe(day('2027-02-28'))
    expect(monthsLater(day('2024-02-29'), 12)).toBe(day('2025-02-28'))
  })

  test('is now for a damaged volume', () => {
    const check = { checkedWallMs: day('2026-01-01'), everyMonths: 12 }
    expect(checkAgainBy({ ...check, result: 'damaged' })).toBe(day('2026-01-01'))
    expect(checkAgainBy({ ...check, result: 'good', everyMonths: 6 })).toBe(day('2026-07-01'))
  })
})

describe('the volumes to check', () => {
  const nowWallMs = day('2026-08-01')
  const now = { nowWallMs, isThere: () => true }

  test('come in the order of their dates, with those that were made after their last check or never checked', () => {
    const events = [
      event('built', 1, '2026-01-01', { copy: 0 }),
      event('built', 2, '2026-01-01', { copy: 0 }),
      event('good', 3, '2026-02-01'),
      event('built', 4, '2026-01-01', { copy: 0 }),
      event('damaged', 2, '2026-03-01'),
      event('built', 3, '2026-05-01', { copy: 0 }),
      event('good', 1, '2026-06-01'),
    ]
    const due = volumesToCheck(events, now)
    expect(
      due.map(({ volume, last, checkByWallMs }) => [volume, last?.result ?? null, checkByWallMs]),
    ).toEqual([
      [4, null, day('2026-01-01')],
      [2, 'damaged', day('2026-03-01')],
      [3, null, day('2026-05-01')],
      [1, 'good', day('2027-06-01')],
    ])
    expect(volumesToCheck(events, { ...now, months: 1 }).at(-1)?.checkByWallMs).toBe(day('2026-07-01'))
    // Without the folder of the plan only what was checked is known to exist.
    const checked = volumesToCheck(events, { ...now, isThere: () => false })
    expect(checked.map(({ volume, last }) => [volume, last?.result])).toEqual([
      [2, 'damaged'],
      [3, 'good'],
      [1, 'good'],
    ])
  })

  test('are known by their set where no plan is', () => {
    const foreign = { planId: null, setId: 'bb' }
    const due = volumesToCheck(
      [event('good', 1, '2025-06-01', foreign), event('good', 1, '2026-06-01', foreign)],
      now,
    )
    expect(due).toMatchObject([{ planId: null, setId: 'bb', volume: 1, checkByWallMs: day('2027-06-01') }])
  })

  test('have rows for each copy, but one for the built image and the first', () => {
    const events = [
      event('built', 1, '2026-01-01', { copy: 0 }),
      event('good', 1, '2026-02-01', { copy: 0 }),
      event('written', 1, '2026-03-01', { copy: 2 }),
    ]
    expect(volumesToCheck(events, now).map(({ copy, last }) => [copy, last?.copy ?? null])).toEqual([
      [2, null],
      [1, 0],
    ])
    const written = volumesToCheck([...events, event('written', 1, '2026-04-01')], now)
    expect(written.map(({ copy, last, madeWallMs }) => [copy, last, madeWallMs])).toEqual([
      [2, null, day('2026-03-01')],
      [1, null, day('2026-04-01')],
    ])
  })

  test('are due where the date of the last check is yet to come', () => {
    expect(volumesToCheck([event('good', 1, '2050-01-01')], now)).toMatchObject([{ checkByWallMs: 0 }])
  })

  test('follow the order of events, not their dates', () => {
    const events = [event('good', 1, '2026-06-01'), event('damaged', 1, '2026-05-01')]
    expect(volumesToCheck(events, now)).toMatchObject([{ last: { result: 'damaged' } }])
  })
})

test('of a plan that was packed anew the events of the newest set count', () => {
  const events = [
    event('damaged', 1, '2026-05-01', { setId: 'old' }),
    event('good', 3, '2025-05-01', { setId: null }),
    event('good', 1, '2026-06-01', { setId: 'new' }),
  ]
  const own = eventsOfSet(events, newestSet([], events))
  expect(own.map(({ setId, volume }) => [setId, volume])).toEqual([
    [null, 3],
    ['new', 1],
  ])
  // A run of a newer set is known before any of its volumes is made.
  expect(newestSet([{}, { setId: 'newest' }, { setId: 'new' }], events)).toBe('newest')
  expect(newestSet([], [])).toBeNull()
})

test('a check counts for the state of a volume only if it came after the volume was made', () => {
  const made = event('built', 1, '2026-02-01', { copy: 0 })
  const after = (...events: NewEvent[]) => volumeStates(0, [1], events).get(1)
  const state = {
    plannedWallMs: 0,
    builtWallMs: day('2026-02-01'),
    writtenWallMs: null,
    verifiedWallMs: null,
    failedWallMs: null,
    checkByWallMs: null,
  }
  expect(after(event('good', 1, '2026-01-01'), made)).toEqual(state)
  expect(after(made, event('good', 1, '2026-03-01'))).toEqual({
    ...state,
    verifiedWallMs: day('2026-03-01'),
    checkByWallMs: day('2027-03-01'),
  })
  expect(after(made, event('damaged', 1, '2026-03-01'))).toEqual({
    ...state,
    failedWallMs: day('2026-03-01'),
  })
})

test('a verification by the plan says nothing of volumes that were not there', () => {
  const volume = { label: 'A', forecastSectors: 1, actualSectors: 1, files: 2, bytes: 3, elapsedMs: 1 }
  const run: RunDocument = {
    schema: 'stowage.run/1',
    id: 'v-1',
    kind: 'verify',
    planId: 'p-1',
    directory: '/p',
    setId: 'ab',
    startedWallMs: 100,
    // The steady clock counts parts of milliseconds, the calendar does not.
    elapsedMs: 5.9,
    outcome: 'failed',
    volumes: [
      { ...volume, index: 1, state: 'done', errors: [] },
      { ...volume, index: 2, state: 'failed', errors: [{ code: 'verification-failed', message: 'm' }] },
      { ...volume, index: 3, state: 'failed', errors: [{ code: 'not-found', message: 'm' }] },
      { ...volume, index: 4, state: 'cancelled', errors: [] },
    ],
  }
  const found = eventsOfRun(run, () => 12).map(checkOf)
  expect(found.map((check) => check && [check.volume, check.result, check.by, check.checkedWallMs])).toEqual([
    [1, 'good', 'plan', 105],
    [2, 'damaged', 'plan', 105],
  ])
  const events = eventsOfRun(run, () => 12)
  const due = volumesToCheck(events, { nowWallMs: 105, isThere: () => true }).find(
    ({ volume: at }) => at === 1,
  )
  expect(due?.checkByWallMs).toBeGreaterThan(105)
  const copies = volumeCopies({ planId: 'p-1', setId: 'ab', events, pathOf: () => '/p' }, 105)
  expect(copies.map(({ state }) => state)).toEqual(['good', 'damaged'])
  expect(
    eventsOfRun({ ...run, kind: 'build' }, () => 12).map(({ kind, volume: index }) => [kind, index]),
  ).toEqual([['built', 1]])
})
