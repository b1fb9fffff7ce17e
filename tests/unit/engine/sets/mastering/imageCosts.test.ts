import { describe, expect, it } from 'vitest'
import type { PlanEntry } from '../../../../../src/contract/dto/plan'
import { costsOf } from '../../../../../src/domain/sets/packing/costModel'
import type { InventoryItem } from '../../../../../src/domain/sets/packing/inventory'
import { packVolumes } from '../../../../../src/domain/sets/packing/packVolumes'
import { ownLayout } from '../../../../../src/engine/sets/mastering/ownLayout'
import { plannedVolumes } from '../../../../../src/engine/sets/volume/planned/plannedVolume'
import { seededRandom } from '../../../../../src/primitives/seededRandom'
import { seededInventory } from '../../../domain/sets/packing/seededInventory'

const PLAN = { id: 'p-000000000000', mastering: { version: '0.2.0', volumeDateWallMs: 0 } }

type Item = Omit<InventoryItem, 'index'>

/** Sectors by the cost model, with the folders of the volume. */
function modelled(items: readonly Item[]): { sectors: number; folders: number } {
  const { volumes } = packVolumes(
    items.map((item, index) => ({ index, ...item })),
    { capacitySectors: 30_000_000, cost: costsOf('image'), reserveBytes: 0, splitBoundaryBytes: 2048 },
  )
  const [volume, ...more] = volumes
  if (!volume || more.length > 0) throw new Error('not one volume')
  return { sectors: volume.modelSectors, folders: volume.folders }
}

/** Sectors by the layout of the image. */
async function laidOut(items: readonly Item[]): Promise<number> {
  const entries = items.map(({ path, kind, bytes, targetBytes = 2 }): PlanEntry => {
    const source = `/${path}`
    if (kind === 'folder') return { kind, path, source }
    if (kind === 'symlink') return { kind, path, source, target: 'a/'.repeat(targetBytes / 2) }
    return { kind: 'file', path, source, bytes, sha256: '0'.repeat(64) }
  })
  const [volume] = plannedVolumes([{ index: 1, label: 'A' }], 'STOWAGE', () => entries)
  if (!volume) throw new Error('no volume')
  return (await ownLayout(PLAN, volume, [])).layout.sectors()
}

/** Images are whole multiples of it. */
const IMAGE_SECTORS = 32

async function expectClose(items: readonly Item[]): Promise<void> {
  const [{ sectors, folders }, truth] = [modelled(items), await laidOut(items)]
  expect(sectors).toBeGreaterThanOrEqual(truth)
  // A sector for the lists of each folder in both trees, and 70 bytes for each record.
  const most = IMAGE_SECTORS + 2 * (folders + 1) + items.length * (70 / 2048)
  expect(sectors - truth).toBeLessThanOrEqual(most)
}

const file = (path: string, bytes: number): Item => ({ path, kind: 'file', bytes })

describe('the cost model of images bounds their layout from above, and closely', () => {
  it.each([
    ['a small tree', [file('a', 1), file('b', 2048), file('c', 2049), file('empty', 0), file('sub/d', 5000)]],
    ['six files of 3 MB', Array.from({ length: 6 }, (_, k) => file(`f${k}`, 3_000_000))],
    ['1,000 files', Array.from({ length: 1000 }, (_, k) => file(`file_number_${1000 + k}.dat`, 1))],
    ['a file of 4 GiB', [file('f', 2 ** 32)]],
    ['files of 4 and 9 GiB', [file('f', 2 ** 32), file('g', 9 * 2 ** 30)]],
  ] as const)('for %s', async (_, items) => {
    await expectClose(items)
  })

  it.each([1, 2, 3, 4, 5, 6])('for a tree of any names (seed %i)', async (seed) => {
    const random = seededRandom(seed)
    const items = seededInventory(random, {
      entries: 50 + random.below(800),
      medianBytes: seed % 2 === 0 ? 10 : 3_000,
      spread: 1.5,
      perFolder: [3, 20, 200][seed % 3] ?? 20,
      symlinks: 0.06,
      emptyFolders: 0.03,
    }).map((item) =>
      item.kind === 'symlink' ? Object.assign(item, { targetBytes: 2 + 2 * random.below(150) }) : item,
    )
    await expectClose(items)
  })
})
