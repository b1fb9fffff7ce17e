import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { costsOf } from '../../../src/domain/sets/packing/costModel'
import type { InventoryItem } from '../../../src/domain/sets/packing/inventory'
import { packVolumes } from '../../../src/domain/sets/packing/packVolumes'
import { pathToBytes } from '../../../src/primitives/pathText'
import { seededRandom } from '../../../src/primitives/seededRandom'
import { mostlyLong } from '../../support/mostlyLong'
import { seededInventory } from '../../unit/domain/sets/packing/seededInventory'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stowage-cost-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function build(items: readonly InventoryItem[]): void {
  for (const item of items) {
    const place = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(pathToBytes(item.path))])
    if (item.kind === 'folder') mkdirSync(place)
    else if (item.kind === 'symlink') symlinkSync('a/'.repeat((item.targetBytes ?? 2) / 2), place)
    else writeFileSync(place, Buffer.alloc(item.bytes))
  }
}

function xorrisoSectors(): number {
  const options = ['-quiet', '-print-size', '-iso-level', '3', '-r']
  const printed = execFileSync('xorriso', ['-as', 'mkisofs', ...options, folder], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return Number(printed.trim())
}

mostlyLong(
  it,
  [1, 2, 3, 4, 5, 6],
  (seed) => seed === 1,
)('bounds what xorriso needs from above, and closely (seed %i)', (seed) => {
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
  build(items)
  const [volume] = packVolumes(items, {
    capacitySectors: 1_000_000,
    cost: costsOf('image', 'xorriso'),
    reserveBytes: 0,
    splitBoundaryBytes: 2048,
  }).volumes
  if (!volume) throw new Error('nothing was packed')
  const truth = xorrisoSectors()
  expect(volume.modelSectors).toBeGreaterThanOrEqual(truth)
  const entries = items.length * (70 / 2048)
  expect(volume.modelSectors - truth).toBeLessThanOrEqual(20 + 2 * (volume.folders + 1) + entries)
})
