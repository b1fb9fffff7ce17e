import { describe, expect, it } from 'vitest'
import { parityRefusal } from '../../../renderer/src/steps/plan/parity'
import { recoveryOf } from '../../../renderer/src/steps/plan/recovery'
import type { VolumeProtection } from '../../../src/domain/sets/protection/volumeProtection'
import { planDocument } from '../../support/catalogPlan'

const protectionOf = (bytes: number, scratchBytes: number): VolumeProtection => ({
  blockBytes: 2048,
  sets: [],
  bytes,
  scratchBytes,
})

describe('the protection of a plan in the window', () => {
  it('survives what the weakest disc with recovery data survives', () => {
    const { volumes } = planDocument('p-1', 's-1', 3)
    const [first, second, third] = volumes
    if (!first || !second || !third) throw new Error('no volumes')
    const found = recoveryOf({
      volumes: [
        { ...first, protection: protectionOf(100, 9000) },
        { ...second, protection: protectionOf(30, 2000) },
        third,
      ],
    })
    expect(found).toEqual({ bytes: 130, volumes: 2, scratchBytes: 2000, without: ['A_03'] })
  })

  it('has no parity discs of archives, whose files may move until they are built', () => {
    const { medium } = planDocument('p-1', 's-1', 1)
    const settings = { media: [medium], mediumId: medium.id }
    const refusal = (form: 'plain' | 'archive') => parityRefusal({ ...settings, packing: { form } })
    expect(parityRefusal({ ...settings, packing: null })).toBeNull()
    expect(refusal('plain')).toBeNull()
    expect(refusal('archive')).toBe('parity.packed')
  })
})
