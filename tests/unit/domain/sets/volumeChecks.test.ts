import { describe, expect, test } from 'vitest'
import type { VolumeCheck } from '../../../../src/domain/sets/checkDocument'
import type { RunDocument } from '../../../../src/domain/sets/runDocument'
import {
  checkAgainBy,
  checksOfRun,
  lastChecks,
  monthsLater,
  volumesToCheck,
} from '../../../../src/domain/sets/volumeChecks'
import { type VolumeState, withCheck } from '../../../../src/domain/sets/volumeState'

const day = (text: string): number => Date.parse(`${text}T12:00:00Z`)

function check(volume: number, date: string, facts: Partial<VolumeCheck> = {}): VolumeCheck {
  return {
    id: 'c-1',
    setId: 'aa',
    planId: 'p-1',
    volume,
    copy: 1,
    label: `A_0${volume}`,
    checkedWallMs: day(date),
    result: 'good',
    by: 'volume',
    reading: 'uncached',
    files: 3,
    damaged: 0,
    everyMonths: 12,
    ...facts,
  }
}

describe('the time of the next check', () => {
  test('is the same day so many months later, or the last of a shorter month', () => {
    expect(monthsLater(day('2026-11-24'), 12)).toBe(day('2027-11-24'))
    expect(monthsLater(day('2026-12-31'), 2)).toBe(day('2027-02-28'))
    expect(monthsLater(day('2024-02-29'), 12)).toBe(day('2025-02-28'))
  })

  test('is now for a damaged volume', () => {
    expect(checkAgainBy(check(1, '2026-01-01', { result: 'damaged' }))).toBe(day('2026-01-01'))
    expect(checkAgainBy(check(1, '2026-01-01', { everyMonths: 6 }))).toBe(day('2026-07-01'))
  })
})

describe('the volumes to check', () => {
  test('come in the order of their dates, with those that were made after their last check or never checked', () => {
    const checks = [
      check(1, '2026-06-01'),
      check(2, '2026-03-01', { result: 'damaged' }),
      check(3, '2026-02-01'),
    ]
    const made = [1, 2, 3, 4].map((volume) => ({
      planId: 'p-1',
      volume,
      copy: 1,
      label: `A_0${volume}`,
      madeWallMs: day(volume === 3 ? '2026-05-01' : '2026-01-01'),
    }))
    const due = volumesToCheck(checks, made)
    expect(
      due.map(({ volume, last, checkByWallMs }) => [volume, last?.result ?? null, checkByWallMs]),
    ).toEqual([
      [4, null, day('2026-01-01')],
      [2, 'damaged', day('2026-03-01')],
      [3, null, day('2026-05-01')],
      [1, 'good', day('2027-06-01')],
    ])
    expect(volumesToCheck(checks, [], 1).at(-1)?.checkByWallMs).toBe(day('2026-07-01'))
  })

  test('are known by their set where no plan is', () => {
    const foreign = { planId: null, setId: 'bb' }
    const due = volumesToCheck([check(1, '2026-06-01', foreign), check(1, '2025-06-01', foreign)], [])
    expect(due).toMatchObject([{ planId: null, setId: 'bb', volume: 1, checkByWallMs: day('2027-06-01') }])
  })

  test('of a plan that was packed anew are those of the newest set', () => {
    const last = lastChecks([
      check(1, '2026-06-01', { setId: 'new' }),
      check(1, '2026-05-01', { setId: 'old', result: 'damaged' }),
      check(2, '2026-05-01', { setId: 'old' }),
      check(3, '2025-05-01', { setId: null }),
    ])
    expect([...last.values()].map(({ setId, volume }) => [setId, volume])).toEqual([
      ['new', 1],
      [null, 3],
    ])
  })
})

test('a check counts for the state of a volume only if it came after the volume was made', () => {
  const state: VolumeState = {
    plannedWallMs: 0,
    builtWallMs: day('2026-02-01'),
    writtenWallMs: null,
    verifiedWallMs: null,
    failedWallMs: null,
    checkByWallMs: null,
  }
  expect(withCheck(state, check(1, '2026-01-01'))).toEqual(state)
  expect(withCheck(state, check(1, '2026-03-01'))).toEqual({
    ...state,
    verifiedWallMs: day('2026-03-01'),
    checkByWallMs: day('2027-03-01'),
  })
  expect(withCheck(state, check(1, '2026-03-01', { result: 'damaged' }))).toEqual({
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
    elapsedMs: 5,
    outcome: 'failed',
    volumes: [
      { ...volume, index: 1, state: 'done', errors: [] },
      { ...volume, index: 2, state: 'failed', errors: [{ code: 'verification-failed', message: 'm' }] },
      { ...volume, index: 3, state: 'failed', errors: [{ code: 'not-found', message: 'm' }] },
      { ...volume, index: 4, state: 'cancelled', errors: [] },
    ],
  }
  expect(
    checksOfRun(run, () => 12).map(({ volume: index, result, by, checkedWallMs }) => [
      index,
      result,
      by,
      checkedWallMs,
    ]),
  ).toEqual([
    [1, 'good', 'plan', 105],
    [2, 'damaged', 'plan', 105],
  ])
  expect(checksOfRun({ ...run, kind: 'build' }, () => 12)).toEqual([])
})
