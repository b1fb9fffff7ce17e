/**
 * Sampled figures of 10,000 sources against the exact ones: unique bytes, new data of each source in
 * turn and what pairs share, at shares from 1 to 1/65536. Run with Node 24:
 *   node tests/bench/accuracy/fleetShares.ts [--sources 10000] [--draws 100] [--seed 59] [--json FILE]
 * A source has contents of its own (log-normal counts) and the first part of some of 4,000
 * collections, which it meets by Zipf's law: what many have is in few collections. Contents are
 * blocks of 4 KiB, of which the last of a file is shorter, or chunks of exponential length. Each draw
 * gives all contents new random hashes.
 */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createServer } from 'vite'
import type * as Ranges from '../../../src/domain/fleet/sampledBytes'
import type * as Randoms from '../../../src/primitives/seededRandom'
import { type ResultRow, rounded, writeResult } from '../writeResult.ts'

const { values: given } = parseArgs({
  options: {
    sources: { type: 'string', default: '10000' },
    draws: { type: 'string', default: '100' },
    seed: { type: 'string', default: '59' },
    json: { type: 'string' },
  },
})
const SOURCES = Number(given.sources)
const DRAWS = Number(given.draws)
const SHIFTS = [0, 2, 4, 6, 8, 10, 12, 14, 16]
const COLLECTIONS = 4000
/** Of each draw: pairs that share something. */
const PAIRS = 5000
const BLOCK = 4096
/** One block in so many ends a file and is shorter. */
const FILE_BLOCKS = 100
/** Upper ends of the kept rows by which figures are grouped. */
const CLASSES = [1, 4, 16, 64, 256, 1024, 4096, 16_384, Infinity]

const server = await createServer({
  configFile: false,
  logLevel: 'error',
  server: { middlewareMode: true, hmr: false, watch: null, ws: false },
})
const load = (file: string) => server.ssrLoadModule(join(import.meta.dirname, '../../../src', file))
const { sampledBytes } = (await load('domain/fleet/sampledBytes.ts')) as typeof Ranges
const { seededRandom } = (await load('primitives/seededRandom.ts')) as typeof Randoms
const random = seededRandom(Number(given.seed))

/** Contents from one number up to another. */
type Run = readonly [from: number, to: number]
interface Held {
  readonly collection: number
  readonly contents: number
}
interface Source {
  readonly own: Run
  readonly held: readonly Held[]
}
interface World {
  readonly sources: readonly Source[]
  /** Where each collection begins. */
  readonly starts: readonly number[]
  readonly contents: number
}

function normal(): number {
  return Math.sqrt(-2 * Math.log(1 - random.unit())) * Math.cos(2 * Math.PI * random.unit())
}

function logNormal(median: number, sigma: number, most: number): number {
  return Math.min(most, Math.max(1, Math.round(median * Math.exp(sigma * normal()))))
}

function makeWorld(): World {
  const starts = [0]
  for (let at = 0; at < COLLECTIONS; at++) starts.push((starts[at] ?? 0) + logNormal(300, 1.8, 200_000))
  const chances = Float64Array.from({ length: COLLECTIONS }, (_, rank) => 1 / (rank + 1))
  for (let rank = 1; rank < COLLECTIONS; rank++)
    chances[rank] = (chances[rank] ?? 0) + (chances[rank - 1] ?? 0)
  let next = starts[COLLECTIONS] ?? 0
  const sources: Source[] = []
  for (let at = 0; at < SOURCES; at++) {
    const own: Run = [next, next + logNormal(200, 2, 400_000)]
    next = own[1]
    const held = new Map<number, Held>()
    for (let many = random.below(12); many > 0; many--) {
      const collection = lowerBound(chances, random.unit() * (chances[COLLECTIONS - 1] ?? 0))
      const all = (starts[collection + 1] ?? 0) - (starts[collection] ?? 0)
      held.set(collection, { collection, contents: Math.ceil(all * Math.sqrt(random.unit())) })
    }
    sources.push({ own, held: [...held.values()] })
  }
  return { sources, starts, contents: next }
}

/** The first place of a sorted list whose value is not below this one. */
function lowerBound(sorted: Uint32Array | Float64Array, value: number, upTo = sorted.length): number {
  let low = 0
  let high = upTo
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] ?? 0) < value) low = middle + 1
    else high = middle
  }
  return low
}

/** The contents that are kept at a share, with running sums of their bytes and of the squares. */
interface Kept {
  readonly shift: number
  readonly numbers: Uint32Array
  readonly bytes: Float64Array
  readonly squares: Float64Array
}

function keptAt(shift: number, lengths: Uint32Array, hashes: Uint32Array): Kept {
  const isKept = (at: number): boolean => Math.clz32(hashes[at] ?? 0) >= shift
  let many = 0
  for (let at = 0; at < lengths.length; at++) if (isKept(at)) many++
  const numbers = new Uint32Array(many)
  const bytes = new Float64Array(many + 1)
  const squares = new Float64Array(many + 1)
  let place = 0
  for (let at = 0; at < lengths.length; at++) {
    if (!isKept(at)) continue
    const length = lengths[at] ?? 0
    numbers[place] = at
    bytes[place + 1] = (bytes[place] ?? 0) + length
    squares[place + 1] = (squares[place] ?? 0) + length * length
    place++
  }
  return { shift, numbers, bytes, squares }
}

function sumsOf({ numbers, bytes, squares }: Kept, runs: readonly Run[]): Ranges.Sums {
  let rows = 0
  let sum = 0
  let squared = 0
  for (const [from, to] of runs) {
    const low = lowerBound(numbers, from)
    const high = lowerBound(numbers, to)
    rows += high - low
    sum += (bytes[high] ?? 0) - (bytes[low] ?? 0)
    squared += (squares[high] ?? 0) - (squares[low] ?? 0)
  }
  return { contents: BigInt(rows), bytes: BigInt(sum), squares: BigInt(squared) }
}

/** What each source adds to those before it; all of them together are the union. */
function newRuns({ sources, starts }: World): Run[][] {
  const seen = new Float64Array(COLLECTIONS)
  return sources.map(({ own, held }) => {
    const runs = [own]
    for (const { collection, contents } of held) {
      const before = seen[collection] ?? 0
      if (contents <= before) continue
      const start = starts[collection] ?? 0
      runs.push([start + before, start + contents])
      seen[collection] = contents
    }
    return runs
  })
}

/** What random pairs of sources share, of those that share something. */
function pairRuns({ sources, starts }: World): Run[][] {
  const pairs: Run[][] = []
  while (pairs.length < PAIRS) {
    const one = sources[random.below(SOURCES)]
    const other = sources[random.below(SOURCES)]
    if (one === undefined || other === undefined || one === other) continue
    const runs = one.held.flatMap(({ collection, contents }): Run[] => {
      const also = other.held.find((each) => each.collection === collection)
      const start = starts[collection] ?? 0
      return also ? [[start, start + Math.min(contents, also.contents)]] : []
    })
    if (runs.length > 0) pairs.push(runs)
  }
  return pairs
}

const LENGTHS = {
  blocks: () => (random.below(FILE_BLOCKS) === 0 ? 1 + random.below(BLOCK) : BLOCK),
  chunks: () => 1 + Math.round(-BLOCK * Math.log(1 - random.unit())),
} as const
type Cut = keyof typeof LENGTHS

/** The errors of figures of one kind, relative to the actual ones. */
interface Tally {
  readonly about: ResultRow
  readonly errors: number[]
  held: number
}
const tallies = new Map<string, Tally>()

function note(about: ResultRow, error: number, isHeld: boolean): void {
  const key = Object.values(about).join(' ')
  const tally = tallies.get(key) ?? { about, errors: [], held: 0 }
  tallies.set(key, tally)
  tally.errors.push(error)
  if (isHeld) tally.held++
}

function classOf(rows: number): string {
  const at = CLASSES.findIndex((most) => rows < most)
  return `${CLASSES[at - 1] ?? 0} to ${CLASSES[at]}`
}

/** Figures by share come first, then those by kept rows; each from many kept rows to few. */
function orderOf({ cut, figure, share, keptRows }: ResultRow): number {
  const group = Object.keys(LENGTHS).indexOf(String(cut)) + (share ? 0 : 10)
  const kind = ['unique', 'new', 'pairs'].indexOf(String(figure))
  const few = typeof share === 'string' ? Number(share.slice(2)) : 1e6 - Number.parseInt(String(keptRows), 10)
  return group * 1e9 + kind * 1e7 + few
}

function rowOf({ about, errors, held }: Tally): ResultRow {
  const sorted = Float64Array.from(errors).toSorted()
  const quantile = (share: number): number => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0) * 100
  return {
    ...about,
    figures: errors.length,
    medianErrorPercent: rounded(quantile(0.5), 2),
    error95Percent: rounded(quantile(0.95), 2),
    rangesThatHoldPercent: rounded((held / errors.length) * 100, 1),
  }
}

const world = makeWorld()
const additions = newRuns(world)
const figures = [
  { kind: 'unique', runs: [additions.flat()] },
  { kind: 'new', runs: additions },
  { kind: 'pairs', runs: pairRuns(world) },
] as const
const heldRows = world.sources.reduce(
  (sum, { own, held }) => held.reduce((all, { contents }) => all + contents, sum + own[1] - own[0]),
  0,
)
console.log(`${SOURCES} sources, ${heldRows} rows, ${world.contents} contents`)

for (const cut of Object.keys(LENGTHS) as Cut[]) {
  const lengths = Uint32Array.from({ length: world.contents }, LENGTHS[cut])
  for (let draw = 0; draw < DRAWS; draw++) {
    const hashes = Uint32Array.from({ length: world.contents }, () => random.uint32())
    const [all, ...sampled] = SHIFTS.map((shift) => keptAt(shift, lengths, hashes))
    if (all === undefined) throw new Error('no share')
    const bounds = { typicalBytes: BLOCK, most: all.bytes.at(-1) ?? 0 }
    for (const { kind, runs } of figures) {
      for (const each of runs) {
        const actual = sumsOf(all, each)
        const truth = Number(actual.bytes)
        for (const kept of sampled) {
          const found = sumsOf(kept, each)
          const { bytes, low, high } = sampledBytes(found, kept.shift, bounds)
          const error = Math.abs(bytes - truth) / truth
          const isHeld = low <= truth && truth <= high
          const expected = Number(actual.contents) / 2 ** kept.shift
          note({ cut, figure: kind, share: `1/${2 ** kept.shift}` }, error, isHeld)
          if (kind !== 'unique') note({ cut, figure: kind, keptRows: classOf(expected) }, error, isHeld)
        }
      }
    }
    console.log(`${cut}: draw ${draw + 1} of ${DRAWS}`)
  }
}
await server.close()
const rows = [...tallies.values()].map(rowOf).toSorted((a, b) => orderOf(a) - orderOf(b))
for (const row of rows) console.log(Object.values(row).join('\t'))
if (given.json)
  writeResult(given.json, {
    question: 'How far are sampled figures of 10,000 sources from the exact ones?',
    rows,
    notes: [
      `${SOURCES} sources with ${heldRows} rows of ${world.contents} contents; ${DRAWS} draws of all hashes for each cut.`,
      'keptRows: as many as are expected. Errors are relative to the actual bytes; pairs share the contents of few collections, so that their errors in a draw are much alike.',
      'A simulation: hashes are random numbers; nothing is read.',
    ],
  })
