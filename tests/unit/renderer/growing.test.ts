import { describe, expect, it } from 'vitest'
import {
  addedTo,
  addedToBy,
  earlierOf,
  isAnew,
  isGrownSo,
  newestMade,
} from '../../../renderer/src/steps/plan/growing'
import { initialPlan, isAsChosen, reducePlan } from '../../../renderer/src/steps/plan/planState'
import type { ArchiveDocument } from '../../../src/contract/dto/archive'
import type { PlanDocument } from '../../../src/contract/dto/plan'
import { planDocument } from '../../support/catalogPlan'

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
  it('is the newest made one of the set that was added to last', () => {
    const archive = (id: string, ...made: (string | null)[]) =>
      ({ id, sets: made.map((newest) => ({ newestMade: newest })) }) as unknown as ArchiveDocument
    const archives = [archive('pr-1', 'new', 'old'), archive('pr-2', null), archive('pr-3')]
    expect(newestMade(archives, 'pr-1')).toBe('new')
    for (const other of ['pr-2', 'pr-3', 'pr-4', undefined]) expect(newestMade(archives, other)).toBeNull()
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
    expect(addedTo({ ...PLAIN, packing: { ...packed, form: 'many' } })).toBe('p-1')
    expect(addedTo({ ...PLAIN, packing: { ...packed, form: 'repository' } })).toBeNull()
    expect(addedTo({ ...PLAIN, packing: { ...packed, form: 'macImage' } })).toBeNull()
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
