import { describe, expect, it } from 'vitest'
import { resolveMedium } from '../../../../../src/domain/media/resolveMedium'
import { mediaCatalogue } from '../../../../../src/engine/media/mediaCatalogue'
import { blankRows, parityLayout } from '../../../../../src/engine/sets/parity/parityImage'
import type { Layout } from '../../../../../src/engine/sets/plan/layoutVolumes'
import { layoutWithParity } from '../../../../../src/engine/sets/plan/layoutWithParity'

const PLAN = { id: 'p-0123456789ab', createdWallMs: 0, mastering: { version: '0.2.0', volumeDateWallMs: 0 } }
const IMAGE_SECTORS = 32

/** A layout of volumes that are all as full as their medium allows. */
function fullVolumes(count: number, sectors: number): Layout {
  const volumes = Array.from({ length: count }, (_, at) => ({
    index: at + 1,
    label: `SET_${at + 1}`,
    sectors: Math.floor(sectors / IMAGE_SECTORS) * IMAGE_SECTORS,
    payloadBytes: 0,
  }))
  return { volumes, packing: { volumes: [], problems: [] } } as unknown as Layout
}

describe('a plan with parity discs', () => {
  it.each([
    ['custom:5MB', 5, 1],
    ['custom:700MB', 40, 2],
    ['bd-r-25', 3, 2],
    ['bdxl-100', 200, 2],
  ] as const)(
    'leaves no more room on %s with %i volumes than %i parity discs need',
    async (id, count, discs) => {
      const medium = resolveMedium(mediaCatalogue, id)
      const { layout, parity } = await layoutWithParity({
        plan: PLAN,
        medium,
        protectSet: discs,
        labelPrefix: 'SET',
        generation: 1,
        layOut: async ({ capacitySectors }) => fullVolumes(count, capacitySectors),
      })
      expect(parity).toHaveLength(discs)
      for (const { sectors } of parity) expect(sectors).toBeLessThanOrEqual(medium.capacitySectors)
      const larger = layout.volumes.map(({ index, label, sectors }) => {
        return { index, label, sectors: sectors + IMAGE_SECTORS }
      })
      const [disc] = parity
      if (!disc) throw new Error('no parity disc')
      const over = await parityLayout(PLAN, disc, blankRows(larger, parity))
      // Labels may be as long as 32 characters, which a plan with shorter ones does not use.
      const spare = Math.ceil((count * 32) / 2048 / IMAGE_SECTORS) * IMAGE_SECTORS
      expect(over.layout.sectors() + spare).toBeGreaterThan(medium.capacitySectors)
    },
  )

  it.each([
    [2, 255, null],
    [2, 256, 'two parity discs serve at most 255'],
    [1, 256, null],
  ] as const)(
    'of %i parity discs is made for %i volumes as far as lost ones come back',
    async (discs, count, failure) => {
      const laidOut = layoutWithParity({
        plan: PLAN,
        medium: resolveMedium(mediaCatalogue, 'custom:2MB'),
        protectSet: discs,
        labelPrefix: 'SET',
        generation: 1,
        layOut: async ({ capacitySectors }) => fullVolumes(count, capacitySectors - 64),
      })
      if (failure === null) await expect(laidOut).resolves.toMatchObject({ parity: { length: discs } })
      else
        await expect(laidOut).rejects.toMatchObject({
          code: 'cannot-fit',
          message: expect.stringContaining(failure),
        })
    },
  )

  it('does not fit on a medium that its lists fill', async () => {
    const medium = resolveMedium(mediaCatalogue, 'custom:600KB')
    const laidOut = layoutWithParity({
      plan: PLAN,
      medium,
      protectSet: 1,
      labelPrefix: 'SET',
      generation: 1,
      layOut: async ({ capacitySectors }) => fullVolumes(1, capacitySectors),
    })
    await expect(laidOut).rejects.toThrow('too small for the lists of a parity disc')
  })
})
