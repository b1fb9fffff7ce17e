import type { InventoryItem } from '../../../../../src/domain/sets/packing/inventory'
import type { SeededRandom } from '../../../../../src/primitives/seededRandom'

export interface InventoryShape {
  readonly entries: number
  /** Median file size; sizes spread log-normally around it. */
  readonly medianBytes: number
  /** Standard deviation of the logarithm of the sizes. */
  readonly spread: number
  /** Entries per folder, on average. */
  readonly perFolder?: number
  /** Shares of all entries, 0 by default. */
  readonly hardLinks?: number
  readonly symlinks?: number
  readonly emptyFolders?: number
}

/** A folder tree as people have them: nested folders, many sizes, hostile names among the plain ones. */
export function seededInventory(random: SeededRandom, shape: InventoryShape): InventoryItem[] {
  const items: InventoryItem[] = []
  const folders: string[] = ['']
  const files: { index: number; bytes: number }[] = []
  const perFolder = shape.perFolder ?? 20
  const add = (item: Omit<InventoryItem, 'index'>): void => {
    items.push({ index: items.length * 7 + 3, ...item })
  }
  for (let k = 0; k < shape.entries; k++) {
    const parent = folders[random.below(folders.length)] as string
    const path = `${parent === '' ? '' : `${parent}/`}${name(random, k)}`
    const draw = random.unit()
    const links = shape.hardLinks ?? 0
    const symlinks = links + (shape.symlinks ?? 0)
    const empty = symlinks + (shape.emptyFolders ?? 0)
    if (random.unit() < 1 / perFolder) {
      folders.push(path)
      add({ path, kind: 'folder', bytes: 0 })
    } else if (draw < links && files.length > 0) {
      const file = files[random.below(files.length)] as { index: number; bytes: number }
      add({ path, kind: 'hardLink', bytes: file.bytes, linkOf: file.index })
    } else if (draw < symlinks) add({ path, kind: 'symlink', bytes: 0, targetBytes: random.below(300) })
    else if (draw < empty) add({ path, kind: 'folder', bytes: 0 })
    else {
      const bytes = random.below(20) === 0 ? 0 : logNormal(random, shape.medianBytes, shape.spread)
      files.push({ index: items.length * 7 + 3, bytes })
      add({ path, kind: 'file', bytes })
    }
  }
  return items
}

function name(random: SeededRandom, k: number): string {
  const kinds = [
    'plain',
    '-rf',
    "it's",
    'new\nline',
    '$HOME',
    '100%',
    'a=b',
    'back\\slash',
    'raw\udcff',
    'ü',
    '😀',
  ]
  const stem = random.below(6) === 0 ? (kinds[random.below(kinds.length)] as string) : 'file'
  const tail = random.below(40) === 0 ? 'x'.repeat(random.below(200)) : ''
  return `${stem}${k}${tail}`
}

/** Box–Muller. */
export function logNormal(random: SeededRandom, median: number, spread: number): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random.unit())) * Math.cos(2 * Math.PI * random.unit())
  return Math.floor(median * Math.exp(spread * normal))
}

/** Fisher–Yates. */
export function shuffled<T>(random: SeededRandom, list: readonly T[]): T[] {
  const copy = [...list]
  for (let k = copy.length - 1; k > 0; k--) {
    const other = random.below(k + 1)
    const kept = copy[k] as T
    copy[k] = copy[other] as T
    copy[other] = kept
  }
  return copy
}
