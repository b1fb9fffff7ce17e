import { describe, expect, it } from 'vitest'
import type { PlanPacking } from '../../../../../src/contract/dto/plan'
import { planGrowthRefusal } from '../../../../../src/domain/sets/growing/growthRefusal'
import { planDocument } from '../../../../support/catalogPlan'

const refusal = (recipe: string, more: Partial<PlanPacking> = {}): string | null => {
  const bytes = { value: 1, low: 1, high: 1, confidence: 1, provenance: 'exact', basis: '' } as const
  const packing = { recipe, arrangement: 'independent', encryption: 'none', bytes, ...more } as const
  return planGrowthRefusal({ ...planDocument('p-1', 's-1', 1), packing })
}

describe('plans that can be added to', () => {
  it('are those of plain files, of an archive on each volume, and of compressed files', () => {
    expect(planGrowthRefusal(planDocument('p-1', 's-1', 1))).toBeNull()
    expect(refusal('7z-files', { encryption: 'aes-256' })).toBeNull()
    for (const recipe of ['7z-files', 'tar-zst-19-1m-path', 'files-zstd-3'])
      expect(refusal(recipe)).toBeNull()
  })

  it.each([
    ['7z-files', { arrangement: 'joined' }, 'cut over all its volumes'],
    ['restic-auto', {}, 'repository'],
    ['a recipe of another version', {}, 'does not know'],
  ] as const)('are not those of %s with %j', (recipe, more, because) => {
    expect(refusal(recipe, more as Partial<PlanPacking>)).toContain(because)
  })
})
