import { describe, expect, it } from 'vitest'
import { FILL_SHARES } from '../../../../../src/domain/sets/packing/fillShares'
import type { Layout } from '../../../../../src/engine/sets/plan/layoutVolumes'
import { seededRandom } from '../../../../../src/primitives/seededRandom'
import { laidOutPlan } from '../../../../support/laidOutPlan'
import type { FileInMemory } from '../../../../support/sourceInMemory'

const equalFiles = (count: number, bytes: number): FileInMemory[] =>
  Array.from({ length: count }, (_, at) => ({ path: `f${String(at).padStart(4, '0')}.bin`, bytes }))

/** The least share of recovery data on any volume, in percent of the blocks of its files. */
function leastShare({ volumes }: Layout): number {
  const shares = volumes.flatMap(({ protection }) =>
    protection ? protection.sets.map(({ blocks, recoveryBlocks }) => (100 * recoveryBlocks) / blocks) : [0],
  )
  return Math.min(...shares)
}

/** The largest share that a plan of so many volumes can be asked for. */
async function largestShare(files: readonly FileInMemory[], volumes: number): Promise<number> {
  for (const share of FILL_SHARES)
    if ((await laidOutPlan(files, 'custom:10MB', share)).volumes.length === volumes) return share
  return 0
}

describe('recovery data that fills volumes up', () => {
  it('is on every disc where no further disc is needed for it', async () => {
    const files = equalFiles(310, 100_000)
    const plain = await laidOutPlan(files, 'custom:10MB')
    const filled = await laidOutPlan(files, 'custom:10MB', 'fill')
    expect(filled.volumes).toHaveLength(plain.volumes.length)
    expect(filled.packing.lowerBoundVolumes).toBe(plain.packing.lowerBoundVolumes)
    for (const { sectors } of filled.volumes)
      expect(sectors).toBeLessThanOrEqual(filled.medium.capacitySectors)
    expect(leastShare(filled)).toBeGreaterThanOrEqual(await largestShare(files, plain.volumes.length))
  })

  it('is only what is free on discs that are as full as they can be', async () => {
    const files = [...equalFiles(90, 100_000), { path: 'last.bin', bytes: 20_000 }]
    const filled = await laidOutPlan(files, 'custom:10MB', 'fill')
    const plain = await laidOutPlan(files, 'custom:10MB')
    expect(filled.packing).toEqual(plain.packing)
    expect(filled.volumes.map(({ protection }) => protection === undefined)).toEqual([true])
  })

  it('is no less than the share that is asked for', async () => {
    const files = equalFiles(20, 204_800)
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
    for (const percent of [1, 3, 7, 11, 13, 17, 19, 23, 29, 31]) {
      const [volume] = (await laidOutPlan(files, 'custom:10MB', percent)).volumes
      const { sets = [], blockBytes = 0 } = volume?.protection ?? {}
      const recovery = sets.reduce((sum, { recoveryBlocks }) => sum + recoveryBlocks * blockBytes, 0)
      // Lists of whole sectors are among the data.
      const lists = 2048 * Math.floor((volume?.payloadBytes ?? 0) / 2048)
      expect([percent, 100 * recovery >= percent * (bytes + lists)]).toEqual([percent, true])
    }
  })

  it('is the same in every plan of the same files, in whichever order they are listed', async () => {
    const files = equalFiles(200, 70_001)
    const one = await laidOutPlan(files, 'custom:10MB', 'fill')
    const other = await laidOutPlan(files, 'custom:10MB', 'fill')
    expect(other).toEqual(one)
    const turned = await laidOutPlan(files.toReversed(), 'custom:10MB', 'fill')
    expect(turned.volumes).toEqual(one.volumes)
  })
})

/** Folders of files, their sizes by chance. */
function seededFolders(seed: number): FileInMemory[] {
  const random = seededRandom(seed)
  return Array.from({ length: 6 + random.below(20) }, (_, folder) => {
    const most = 100_000 + random.below(2_000_000)
    return Array.from({ length: 1 + random.below(8) }, (__, at) => ({
      path: `f${folder}/${at}.bin`,
      bytes: 10_000 + random.below(most),
    }))
  }).flat()
}

describe('volumes without an order of the person’s', () => {
  it.each([undefined, 'fill', 5] as const)(
    'are no more in another order, with no less recovery data on each (protection %s)',
    async (protection) => {
      const found = { name: 0, size: 0 }
      for (let seed = 0; seed < 16; seed++) {
        const files = seededFolders(seed)
        const usual = await laidOutPlan(files, 'custom:10MB', protection)
        const plain = await laidOutPlan(files, 'custom:10MB', protection, { order: 'size' })
        expect(plain.filledBy).toBeUndefined()
        expect([seed, usual.volumes.length]).toEqual([seed, plain.volumes.length])
        expect(usual.packing.splitFiles).toBe(plain.packing.splitFiles)
        for (const { sectors } of usual.volumes)
          expect(sectors).toBeLessThanOrEqual(usual.medium.capacitySectors)
        if (usual.volumes.length === 1) expect(usual.filledBy).toBeUndefined()
        else if (usual.filledBy === 'name') found.name += 1
        else {
          expect(usual).toEqual({ ...plain, filledBy: 'size' })
          found.size += 1
        }
        const share = FILL_SHARES.find((one) => leastShare(plain) >= one) ?? 0
        if (protection === 'fill') expect(leastShare(usual)).toBeGreaterThanOrEqual(share)
      }
      expect(found.name).toBeGreaterThan(4)
      expect(found.size).toBeGreaterThan(0)
    },
  )
})
