import { describe, expect, it } from 'vitest'
import {
  addedTo,
  addedToBy,
  earlierOf,
  isAnew,
  isGrownSo,
  newestBuilt,
} from '../../../renderer/src/steps/plan/growing'
import { initialPlan, isAsChosen, reducePlan } from '../../../renderer/src/steps/plan/planState'
import type { PlanDocument } from '../../../src/contract/dto/plan'
import { planItem } from '../../fixtures/fakeEngine/plans'
import { planDocument } from '../../support/catalogPlan'

const PROJECT = { id: 'pr-0123456789ab', name: 'photos' }
const FIRST = planDocument('p-1', 's-1', 2)
const ADDS: PlanDocument = {
  ...planDocument('p-2', 's-2', 1),
  addsTo: [
    {
      generation: 1,
      planId: 'p-1',
      setId: 'a'.repeat(64),
      createdWallMs: 1,
      volumes: FIRST.volumes.map(({ index, label }) => ({ index, label })),
    },
  ],
}
const EARLIER = earlierOf(FIRST)
const PLAIN = { earlier: EARLIER, anew: false, packing: null }

describe('the plan that a new one adds to', () => {
  it('is the newest of the project of which a volume was built or written', () => {
    const item = (id: string, createdWallMs: number, more: object) => ({
      ...planItem(planDocument(id, 's-1', 1), null),
      createdWallMs,
      project: PROJECT,
      ...more,
    })
    const plans = [
      item('old', 1, { built: 1 }),
      item('new', 3, { built: 0, onMedia: 1 }),
      item('planned', 4, {}),
      item('other', 5, { built: 1, project: { ...PROJECT, id: 'pr-ffffffffffff' } }),
    ]
    expect(newestBuilt(plans, PROJECT.id)?.id).toBe('new')
    expect(newestBuilt(plans.slice(2), PROJECT.id)).toBeUndefined()
  })

  it('counts the volumes of all that it adds to itself', () => {
    expect(earlierOf(ADDS).labels).toEqual([...FIRST.volumes, ...ADDS.volumes].map(({ label }) => label))
  })

  it('is none where everything is planned anew, and for packing that does not grow', () => {
    const packed = { form: 'archive', encryption: 'none', joined: false } as const
    const encrypted = { ...packed, encryption: 'aes-256' } as const
    const secret = { ...EARLIER, encryption: 'aes-256' } as const
    expect(addedTo(PLAIN)).toBe('p-1')
    expect(addedTo({ ...PLAIN, packing: { ...packed, form: 'plain' } })).toBe('p-1')
    expect(addedTo({ ...PLAIN, packing: packed })).toBe('p-1')
    expect(addedTo({ ...PLAIN, earlier: secret, packing: encrypted })).toBe('p-1')
    expect(addedTo({ ...PLAIN, anew: true })).toBeNull()
    expect(addedTo({ ...PLAIN, packing: { ...packed, form: 'many' } })).toBeNull()
    expect(addedTo({ ...PLAIN, packing: { ...packed, joined: true } })).toBeNull()
    expect(addedTo({ ...PLAIN, packing: encrypted })).toBeNull()
    expect(addedTo({ ...PLAIN, earlier: secret })).toBeNull()
    expect(addedTo({ ...PLAIN, earlier: { ...EARLIER, joined: true } })).toBeNull()
    expect(addedTo({ ...PLAIN, earlier: null })).toBeNull()
  })
})

describe('a shown plan', () => {
  it('is as chosen when it adds to what is chosen, or is that itself', () => {
    expect(addedToBy(ADDS)).toBe('p-1')
    expect(isGrownSo(ADDS, PLAIN)).toBe(true)
    expect(isGrownSo(ADDS, { ...PLAIN, anew: true })).toBe(false)
    expect(isGrownSo(FIRST, PLAIN)).toBe(true)
    expect(isGrownSo(planDocument('p-3', 's-2', 1), PLAIN)).toBe(false)
    expect(isGrownSo(ADDS, { ...PLAIN, earlier: null })).toBe(true)
  })

  it('that holds everything, next to one that was built, was planned anew', () => {
    expect(isAnew(planDocument('p-3', 's-2', 1), EARLIER, false)).toBe(true)
    expect(isAnew(ADDS, EARLIER, true)).toBe(false)
    expect(isAnew(FIRST, EARLIER, true)).toBe(false)
    expect(isAnew(null, EARLIER, true)).toBe(true)
  })

  it('decides on the recovery data of the next one, where it could have any', () => {
    const folders = { ...ADDS, medium: { ...ADDS.medium, kind: 'folder' as const } }
    const shown = (document: PlanDocument) =>
      reducePlan({ ...initialPlan, media: [ADDS.medium] }, { type: 'loaded', document, exportedTo: null })
    const shared = shown({ ...ADDS, protection: 10 })
    expect(shared.protection).toBe(10)
    expect(isAsChosen(shared)).toBe(true)
    expect(isAsChosen(reducePlan(shared, { type: 'protection', protection: 'fill' }))).toBe(false)
    expect(shown(ADDS).protection).toBe('none')
    expect(shown(folders).protection).toBe('fill')
    expect(isAsChosen(shown(ADDS))).toBe(true)
  })
})
