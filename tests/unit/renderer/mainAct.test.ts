import { describe, expect, it } from 'vitest'
import type { HomeArchive } from '../../../renderer/src/steps/home/homeArchives'
import { homeArchives } from '../../../renderer/src/steps/home/homeArchives'
import { bySet, type HomeSet, homeSets } from '../../../renderer/src/steps/home/homeSets'
import { lookedAt } from '../../../renderer/src/steps/home/lookedAt'
import { type MainAct, mainAct } from '../../../renderer/src/steps/home/mainAct'
import type { ArchiveDocument, ArchiveSet } from '../../../src/contract/dto/archive'
import type { VolumeDue } from '../../../src/contract/dto/check'
import { lostCopies, type VolumeCopy } from '../../../src/contract/dto/copies'
import type { PlanListItem } from '../../../src/contract/dto/plan'
import { volumeDue } from '../../fixtures/fakeEngine/fakeChecks'
import { volumeCopy } from '../../fixtures/fakeEngine/fakeCopies'
import { listedPlan } from '../../support/listedPlan'

const NOW = Date.UTC(2026, 10, 26)
const DAY = 86_400_000

const PLAN: PlanListItem = {
  ...listedPlan(NOW - 100 * DAY),
  volumes: 2,
  built: 2,
  verified: 2,
  onMedia: 2,
  good: 2,
  verifiedWallMs: NOW - 30 * DAY,
  checkByWallMs: NOW + 335 * DAY,
}
const UNBUILT = { built: 0, verified: 0, onMedia: 0, good: 0, verifiedWallMs: null, checkByWallMs: null }

/** An archive of one set with these plans, the first of which was made unless it says otherwise. */
function archiveOf(plans: readonly PlanListItem[], copies: number | null): ArchiveDocument {
  const newestMade = plans.findLast(({ built, onMedia }) => built + onMedia > 0)?.id ?? null
  const set = { id: plans[0]?.id, newestMade, plans } as unknown as ArchiveSet
  return { id: 'pr-1', copies, sets: [set] } as unknown as ArchiveDocument
}

interface Known {
  readonly plans: readonly Partial<PlanListItem>[]
  readonly wanted?: number
  readonly copies?: readonly VolumeCopy[]
  readonly toCheck?: readonly VolumeDue[]
  readonly busyDirectory?: string
  /** It is of no archive. */
  readonly isOfNone?: boolean
}

function rowOf({ plans, wanted, copies = [], toCheck = [], busyDirectory, isOfNone }: Known): HomeArchive {
  const all = plans.map((plan) => ({ ...PLAN, ...plan }))
  const sets: readonly HomeSet[] = homeSets({
    plans: all,
    volumes: toCheck,
    lost: lostCopies(copies),
    nowWallMs: NOW,
    busyDirectory: busyDirectory ?? null,
  })
  const archive = archiveOf(all, wanted ?? null)
  const [row] = homeArchives(
    { archives: isOfNone ? [] : [archive], sets: isOfNone ? archive.sets : [] },
    sets,
  )
  if (!row) throw new Error('no row')
  return row
}

function actOf(known: Known): MainAct | null {
  const { copies = [], toCheck = [] } = known
  return mainAct(rowOf(known), { copies: bySet(copies), toCheck: bySet(toCheck) })
}

/** Copy `copy` of both discs of a plan. */
const written = (copy: number, more: Partial<VolumeCopy> = {}): VolumeCopy[] =>
  [1, 2].map((volume) => volumeCopy(copy, 'home', { volume, label: `PHOTOS_0${volume}`, ...more }))

const due = (volume: number, days: number, damaged = 0): VolumeDue => ({
  ...volumeDue(`PHOTOS_0${volume}`, volume, NOW, { checkedDays: 400, dueDays: days, damaged }),
  planId: 'p1',
})

const LOST = written(2, { state: 'lost', lostWallMs: NOW })

describe('the main action of an archive', () => {
  it.each<[string, Known, string]>([
    ['its plan is exported and not built', { plans: [UNBUILT] }, 'p1'],
    ['some volumes are not built', { plans: [{ built: 1, onMedia: 0, good: 0 }] }, 'p1'],
    ['it is built and not verified', { plans: [{ onMedia: 0, good: 0 }] }, 'p1'],
    ['an addition is not built', { plans: [{}, { id: 'p2', ...UNBUILT }] }, 'p2'],
    [
      'writing was interrupted, even where a copy is lost',
      {
        plans: [
          {
            lastRun: {
              kind: 'write',
              outcome: 'interrupted',
              startedWallMs: NOW,
              volumes: 2,
              done: 1,
              failed: 0,
            },
          },
        ],
      },
      'p1',
    ],
    ['it is being built', { plans: [UNBUILT], busyDirectory: '/plans/photos' }, 'p1'],
  ])('is to continue where %s', (_name, known, key) => {
    expect(actOf(known)).toMatchObject({ kind: 'continue', set: { key } })
  })

  it.each<[string, Known]>([
    ['whose folder is gone', { plans: [{ ...UNBUILT, directoryExists: false }] }],
    ['that a later plan of the set has overtaken', { plans: [UNBUILT, { id: 'p2' }] }],
  ])('is not to continue a plan %s', (_name, known) => {
    expect(actOf(known)?.kind).not.toBe('continue')
  })

  it('is to write the first wanted copy that not every volume has', () => {
    const plans = [{}]
    expect(actOf({ plans, wanted: 2 })).toMatchObject({ kind: 'write', copy: 1, planId: 'p1', lost: null })
    expect(actOf({ plans, wanted: 2, copies: written(1) })).toMatchObject({ kind: 'write', copy: 2 })
    const half = [...written(1), ...written(2).slice(0, 1)]
    expect(actOf({ plans, wanted: 2, copies: half })).toMatchObject({ kind: 'write', copy: 2 })
    expect(actOf({ plans, wanted: 2, copies: [...written(1), ...written(2)] })).toMatchObject({ kind: 'add' })
    expect(actOf({ plans, copies: written(1) })).toMatchObject({ kind: 'add' })
  })

  it('counts a folder on a disk as the first wanted copy', () => {
    const plans = [{ mediumId: 'disk', onMedia: 0 }]
    expect(actOf({ plans, wanted: 1 })).toMatchObject({ kind: 'add' })
    expect(actOf({ plans, wanted: 2 })).toMatchObject({ kind: 'write', copy: 1 })
  })

  it('is to write a lost copy again, before one that was never written', () => {
    const copies = [...written(1), ...LOST]
    expect(actOf({ plans: [{}], wanted: 3, copies })).toMatchObject({
      kind: 'write',
      copy: 2,
      planId: 'p1',
      lost: { volumes: [1, 2], place: 'home' },
    })
  })

  it('is no writing where the folder of the plan is gone', () => {
    const plans = [{ directoryExists: false }]
    expect(actOf({ plans, wanted: 3, copies: [...written(1), ...LOST] })).toMatchObject({ kind: 'add' })
  })

  it('is to check discs that are due or damaged, each volume counted once', () => {
    const toCheck = [due(1, -5), { ...due(1, -4), copy: 2 }, due(2, 300, 4)]
    expect(actOf({ plans: [{}], toCheck })).toMatchObject({
      kind: 'check',
      count: 2,
      isOnDisk: false,
      sets: [{ key: 'p1' }],
    })
    expect(actOf({ plans: [{ failed: 1, good: 1 }] })).toMatchObject({ kind: 'check', count: 1 })
    const onDisk = [{ mediumId: 'disk', volumes: 1, built: 1, onMedia: 0, good: 1 }]
    expect(actOf({ plans: onDisk, toCheck: [due(1, -5)] })).toMatchObject({ kind: 'check', isOnDisk: true })
  })

  it('is to add what is new else, and nothing where nothing can be added', () => {
    expect(actOf({ plans: [{}] })).toEqual({ kind: 'add', archiveId: 'pr-1' })
    expect(actOf({ plans: [{}], isOfNone: true })).toBeNull()
    expect(actOf({ plans: [{ ...UNBUILT, directoryExists: false }] })).toBeNull()
  })
})

describe('what was found when an archive was looked at', () => {
  const [first, second] = [PLAN, { ...PLAN, id: 'p2', ...UNBUILT, files: 120, createdWallMs: NOW }]
  const nothing = (planId: string) => new Map([['pr-1', { planId, wallMs: NOW + DAY }]])

  it('is the plan of what is new, until one of its volumes is made', () => {
    const archive = archiveOf([first, second], null)
    expect(lookedAt(archive, new Map())).toEqual({ files: 120, bytes: 1e9, wallMs: NOW })
    expect(lookedAt(archiveOf([first, { ...second, built: 1 }], null), new Map())).toBeNull()
    expect(lookedAt(archiveOf([first], null), new Map())).toBeNull()
    expect(lookedAt(archiveOf([second], null), new Map())).toBeNull()
    expect(lookedAt(null, new Map())).toBeNull()
  })

  it('is that nothing was new, until another plan is made', () => {
    expect(lookedAt(archiveOf([first], null), nothing('p1'))).toEqual({
      files: 0,
      bytes: 0,
      wallMs: NOW + DAY,
    })
    expect(lookedAt(archiveOf([first, second], null), nothing('p1'))).toMatchObject({ files: 120 })
    expect(lookedAt(archiveOf([first, second], null), nothing('p2'))).toMatchObject({ files: 0 })
  })
})
