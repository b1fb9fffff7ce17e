import type { InventoryItem } from '../../../../../src/domain/sets/packing/inventory'
import { type SeededRandom, seededRandom } from '../../../../../src/primitives/seededRandom'
import { logNormal, seededInventory } from './seededInventory'

/** A source as people have them, with capacities that make it take a few to some dozen volumes. */
export interface PackingInstance {
  readonly shape: string
  readonly items: readonly InventoryItem[]
  readonly capacitySectors: number
  /** Milliseconds since 1970 by index. */
  readonly dates: ReadonlyMap<number, number>
}

const SECTOR = 2048
const DAY_MS = 86_400_000

type Shape = (random: SeededRandom) => readonly (readonly [path: string, bytes: number])[]

const SHAPES: Readonly<Record<string, Shape>> = {
  'many tiny files': (random) =>
    list(200 + random.below(300), (k) => [`d${k % 37}/${k}`, random.below(3000)]),
  'few huge files': (random) =>
    list(5 + random.below(40), (k) => [`${k}.iso`, 2_000_000 + random.below(7_000_000)]),
  'sizes near a half': (random) =>
    list(10 + random.below(60), (k) => [`${k}.mkv`, 4_000_000 + random.below(2_400_000)]),
  'sizes near a third': (random) =>
    list(10 + random.below(60), (k) => [`a${k % 4}/${k}`, 2_900_000 + random.below(800_000)]),
  'one large folder': (random) =>
    list(100 + random.below(300), (k) => [`all/${k}.raw`, 100_000 + random.below(900_000)]),
  'deep trees': (random) =>
    list(150 + random.below(250), (k) => {
      const levels = list(1 + random.below(9), (at) => `l${at}-${random.below(3)}`)
      return [`${levels.join('/')}/${k}`, logNormal(random, 150_000, 1)]
    }),
  albums: (random) =>
    list(20 + random.below(60), (album) => {
      const bytes = logNormal(random, 1_200_000, 0.8)
      const songs = 1 + random.below(14)
      return list(
        songs,
        (song) => [`artist ${album % 9}/album ${album}/${song}.flac`, Math.ceil(bytes / songs)] as const,
      )
    }).flat(),
}

function list<T>(length: number, of: (at: number) => T): T[] {
  return Array.from({ length }, (_, at) => of(at))
}

/** Instance `seed` of a series that goes through all shapes in turn, mixed trees with links among them. */
export function packingInstance(seed: number): PackingInstance {
  const random = seededRandom(seed)
  const names = [...Object.keys(SHAPES), 'mixed trees']
  const shape = names[seed % names.length] as string
  const items: readonly InventoryItem[] =
    shape === 'mixed trees'
      ? seededInventory(random, {
          entries: 100 + random.below(400),
          medianBytes: 200_000,
          spread: 1.5,
          symlinks: 0.03,
        })
      : (SHAPES[shape] as Shape)(random).map(([path, bytes], index) => ({ index, path, kind: 'file', bytes }))
  const capacitySectors = Math.ceil(10_000_000 / SECTOR) + 400 + random.below(600)
  const from = Date.UTC(2012, 0, 1)
  const dates = new Map(items.map(({ index }) => [index, from + random.below(4000) * DAY_MS]))
  return { shape, items, capacitySectors, dates }
}
