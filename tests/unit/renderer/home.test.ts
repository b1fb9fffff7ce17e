import { describe, expect, it } from 'vitest'
import { setLabel } from '../../../renderer/src/format/setLabel'
import { attentionOf, homeSets } from '../../../renderer/src/steps/home/homeSets'
import type { VolumeDue } from '../../../src/contract/dto/check'
import { lostCopies, type VolumeCopy } from '../../../src/contract/dto/copies'
import type { PlanListItem } from '../../../src/contract/dto/plan'
import { volumeDue } from '../../fixtures/fakeEngine/fakeChecks'
import { volumeCopy } from '../../fixtures/fakeEngine/fakeCopies'
import { listedPlan } from '../../support/listedPlan'

const NOW = Date.UTC(2026, 10, 26)
const DAY = 86_400_000
const PLAN = listedPlan(NOW - 100 * DAY)

const run = (
  kind: 'build' | 'verify' | 'write',
  outcome: 'done' | 'failed' | 'cancelled' | 'interrupted',
  [done, failed]: readonly [number, number],
): PlanListItem['lastRun'] => ({ kind, outcome, startedWallMs: NOW - DAY, volumes: 3, done, failed })

const sets = (
  plans: readonly Partial<PlanListItem>[],
  volumes: readonly VolumeDue[] = [],
  busyDirectory: string | null = null,
  copies: readonly VolumeCopy[] = [],
) =>
  homeSets({
    plans: plans.map((plan) => ({ ...PLAN, ...plan })),
    volumes,
    lost: lostCopies(copies),
    nowWallMs: NOW,
    busyDirectory,
  })

const only = (
  plan: Partial<PlanListItem>,
  volumes: readonly VolumeDue[] = [],
  busy: string | null = null,
) => {
  const [set, ...others] = sets([plan], volumes, busy)
  expect(others).toEqual([])
  return set
}

const VERIFIED = { built: 3, verified: 3, good: 3, verifiedWallMs: NOW - 30 * DAY }

describe('the sets of Home', () => {
  it('are those that were exported, built or checked', () => {
    expect(sets([{ directory: null, directoryExists: false }])).toEqual([])
    expect(only({})?.state).toEqual({ kind: 'exported', count: 3 })
    expect(only({ directory: null, directoryExists: false, verified: 1 })?.key).toBe('p1')
  })

  it.each<[string, Partial<PlanListItem>, object]>([
    ['built', { built: 2 }, { kind: 'built', count: 2 }],
    ['written', { built: 3, written: 3, onMedia: 3 }, { kind: 'written', count: 3 }],
    ['verified', VERIFIED, { kind: 'verified', count: 3, wallMs: NOW - 30 * DAY }],
    [
      'verified, though no build of it is known here',
      { ...VERIFIED, built: 0 },
      { kind: 'verified', count: 3, wallMs: NOW - 30 * DAY },
    ],
    [
      'verified, though its discs were written in the same run',
      { ...VERIFIED, verified: 0, written: 3, onMedia: 3 },
      { kind: 'verified', count: 3, wallMs: NOW - 30 * DAY },
    ],
    ['damaged', { ...VERIFIED, good: 2, failed: 1 }, { kind: 'damaged', count: 1 }],
  ])('are %s', (_name, plan, state) => {
    expect(only(plan)?.state).toEqual(state)
  })

  it('include sets of which only the discs are known', () => {
    const discs = [2, 1].map((at) => volumeDue(`FAMILY_0${at}`, at, NOW, { checkedDays: 10, dueDays: 355 }))
    const [set] = sets([], discs)
    expect(set).toMatchObject({
      plan: null,
      firstLabel: 'FAMILY_01',
      lastLabel: 'FAMILY_02',
      volumes: 2,
      state: { kind: 'verified', count: 2, wallMs: NOW - 10 * DAY },
      checkByWallMs: NOW + 355 * DAY,
      problem: null,
    })
  })

  it('come with those that need attention first, then the latest', () => {
    const order = sets(
      [
        { id: 'old' },
        { id: 'new', createdWallMs: NOW },
        { id: 'gone', ...VERIFIED, directoryExists: false },
        { id: 'damaged', failed: 1 },
        { id: 'stopped', built: 1, lastRun: run('build', 'interrupted', [1, 0]) },
        { id: 'p1', built: 3, createdWallMs: NOW - 2 * DAY },
      ],
      [volumeDue('PHOTOS_01', 1, NOW, { checkedDays: null, dueDays: -1 })],
    ).map(({ key }) => key)
    expect(order).toEqual(['damaged', 'stopped', 'gone', 'p1', 'new', 'old'])
  })
})

describe('a set needs attention', () => {
  it.each<[string, Partial<PlanListItem>, object]>([
    [
      'when its build was interrupted',
      { built: 1, lastRun: run('build', 'interrupted', [1, 0]) },
      { kind: 'interrupted', run: 'build', count: 1 },
    ],
    [
      'when writing its discs was interrupted',
      { built: 3, onMedia: 2, lastRun: run('write', 'interrupted', [2, 0]) },
      { kind: 'interrupted', run: 'write', count: 2 },
    ],
    [
      'when volumes could not be built',
      { built: 2, lastRun: run('build', 'failed', [2, 1]) },
      { kind: 'failed', run: 'build', count: 1 },
    ],
    [
      'when the folder is gone that holds what was built',
      { built: 3, directoryExists: false },
      { kind: 'gone', directory: '/plans/photos' },
    ],
    [
      'when the last check found damage, whatever else is wrong',
      { built: 3, failed: 2, directoryExists: false, lastRun: run('build', 'failed', [2, 1]) },
      { kind: 'damaged', count: 2, labels: [] },
    ],
  ])('%s', (_name, plan, problem) => {
    expect(only(plan)?.problem).toEqual(problem)
  })

  it('names the damaged volumes that are known, and those that are due', () => {
    const volumes = [
      volumeDue('PHOTOS_02', 2, NOW, { checkedDays: 2, dueDays: -2, damaged: 4 }),
      volumeDue('PHOTOS_01', 1, NOW, { checkedDays: 400, dueDays: -35 }),
      volumeDue('PHOTOS_03', 3, NOW, { checkedDays: 10, dueDays: 355 }),
    ]
    expect(only({ built: 3, failed: 1 }, volumes)?.problem).toEqual({
      kind: 'damaged',
      count: 1,
      labels: ['PHOTOS_02'],
    })
    expect(only(VERIFIED, volumes.slice(1))?.problem).toEqual({
      kind: 'due',
      count: 1,
      labels: ['PHOTOS_01'],
    })
  })

  it.each<[string, Partial<PlanListItem>]>([
    ['while nothing was built of it, though its folder was deleted', { directoryExists: false }],
    [
      'when all of it is on discs and the folder was deleted',
      { ...VERIFIED, onMedia: 3, directoryExists: false },
    ],
    ['when a person cancelled its build', { built: 1, lastRun: run('build', 'cancelled', [1, 0]) }],
    [
      'when an interrupted build left nothing to do',
      { built: 3, lastRun: run('build', 'interrupted', [3, 0]) },
    ],
    ['when images were not there to be verified', { built: 3, lastRun: run('verify', 'failed', [0, 3]) }],
  ])('never %s', (_name, plan) => {
    expect(only(plan)?.problem).toBeNull()
  })

  it.each([
    ['with a plan', 'p1', [{}]],
    ['known by its discs alone', null, []],
  ] as const)('by a lost copy, before what only has to go on: a set %s', (_name, planId, plans) => {
    const copy = { planId, setId: 'x', volume: 1, label: 'PHOTOS_01' }
    const lost = volumeCopy(2, 'attic', { ...copy, state: 'lost', lostWallMs: NOW - DAY })
    const volumes = [
      { ...volumeDue('PHOTOS_01', 1, NOW, { checkedDays: 10, dueDays: 355 }), planId, setId: 'x' },
    ]
    const unfinished = { built: 1, lastRun: run('build', 'interrupted', [1, 0]) }
    const [set] = sets(
      plans.map(() => ({ id: 'p1', ...unfinished })),
      volumes,
      null,
      [lost, volumeCopy(1, 'home', copy)],
    )
    expect(set?.problem).toEqual({
      kind: 'lost',
      copies: [
        {
          planId,
          setId: 'x',
          copy: 2,
          place: 'attic',
          volumes: [1],
          labels: ['PHOTOS_01'],
          lostWallMs: NOW - DAY,
          left: 1,
        },
      ],
    })
  })

  it('by a disc that is due this very moment, counted once for all of its copies', () => {
    const due = volumeDue('PHOTOS_01', 1, NOW, { checkedDays: 365, dueDays: 0 })
    const volumes = [due, { ...due, copy: 2 }]
    expect(only(VERIFIED, volumes)?.problem).toEqual({ kind: 'due', count: 1, labels: ['PHOTOS_01'] })
  })

  it('and says when the first good disc is due, after the shortest interval of all', () => {
    const disc = (volume: number, dueDays: number, damaged: number, everyMonths: number): VolumeDue => {
      const each = volumeDue(`FAMILY_0${volume}`, volume, NOW, { checkedDays: 10, dueDays, damaged })
      return { ...each, last: each.last && { ...each.last, everyMonths } }
    }
    const [set] = sets([], [disc(1, 50, 0, 24), disc(2, 5, 3, 12), disc(3, 80, 0, 6)])
    expect(set).toMatchObject({ checkByWallMs: NOW + 50 * DAY, everyMonths: 6, volumes: 3 })
  })

  it('never while it is built or written', () => {
    const plan = { built: 1, lastRun: run('build', 'interrupted', [1, 0]) }
    expect(only(plan, [], '/plans/photos')).toMatchObject({ state: { kind: 'working' }, problem: null })
    expect(only(plan, [], '/plans/other')?.problem?.kind).toBe('interrupted')
  })

  it('never for discs that were checked alone, though the folder of their plan is gone', () => {
    const discs = [1, 2, 3].map((at) =>
      volumeDue(`PHOTOS_0${at}`, at, NOW, { checkedDays: 10, dueDays: 355 }),
    )
    expect(only({ ...VERIFIED, directoryExists: false }, discs)?.problem).toBeNull()
  })

  it('either for itself or for its discs, not twice', () => {
    const volumes = [volumeDue('PHOTOS_01', 1, NOW, { checkedDays: null, dueDays: -1 })]
    const all = sets(
      [
        { id: 'p1', built: 3 },
        { id: 'p2', failed: 1 },
      ],
      volumes,
    )
    const { problems, due } = attentionOf(all)
    expect([problems.map(({ key }) => key), due.map(({ key }) => key)]).toEqual([['p2'], ['p1']])
  })
})

it.each([
  ['PHOTOS_01', 'PHOTOS_01', 'PHOTOS_01'],
  ['PHOTOS_01', 'PHOTOS_12', 'PHOTOS_01 to _12'],
  ['A_01', 'B_07', 'A_01 to B_07'],
  ['LETTERS', 'PHOTOS', 'LETTERS to PHOTOS'],
])('the labels %s and %s are named %s', (firstLabel, lastLabel, words) => {
  expect(setLabel({ firstLabel, lastLabel })).toBe(words)
})
