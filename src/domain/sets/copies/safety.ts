import { placeKey, type VolumeCopy } from './copy'

/** A copy that counts. */
export type GoodCopy = Pick<VolumeCopy, 'place' | 'medium'> & {
  /**
   * Names of the disk that it is on: two copies with a name in common are on one. None where
   * nothing is known, as of a disc.
   */
  readonly disks: readonly string[]
}

/** The volumes that restoring a file needs, all of them, by their places in a list. */
export type Way = readonly number[]

/** Judges the ways in which files can be restored, by the good copies of each volume. */
export class Safeties {
  readonly #disks: Disks

  /**
   * @param volumes the good copies of each
   * @param sourceDisks names of the disks of the source, as copies have them
   */
  constructor(volumes: readonly (readonly GoodCopy[])[], sourceDisks: readonly string[]) {
    this.#disks = new Disks(volumes, sourceDisks)
  }

  /** @param ways each restores the file alone */
  of(ways: readonly Way[]): Safety {
    return safetyOf(ways, this.#disks)
  }
}

/** How well a file is kept. */
export interface Safety {
  /** On so many disks, or discs, that losing fewer of them cannot lose it. */
  readonly copies: number
  /** The copies, if each were on a disk of its own. */
  readonly apart: number
  /**
   * The places, of which losing fewer cannot lose it; copies whose place was not noted are at none.
   */
  readonly places: number
  /** The disks with that of the source. */
  readonly withSource: number
  readonly isAtTwoPlaces: boolean
  /** The kinds of media from each of which alone the file can be restored. */
  readonly media: ReadonlySet<string>
}

function safetyOf(ways: readonly Way[], located: Disks): Safety {
  const { volumes } = located
  const isRestorable = (from: (copy: LocatedCopy) => boolean): boolean =>
    ways.some((way) => way.every((volume) => volumes[volume]?.some(from)))
  const all = [...new Set(ways.flat())].flatMap((volume) => volumes[volume] ?? [])
  const places = new Set(all.flatMap(({ area }) => area ?? []))
  const kinds = new Set(all.flatMap(({ medium }) => medium ?? []))
  const copies = leastLoss(ways, (volume) => new Set(volumes[volume]?.map(({ disk }) => disk)))
  const areas = leastLoss(ways, (volume) => new Set(volumes[volume]?.flatMap(({ area }) => area ?? [])))
  const isWithSource = all.some(({ disk }) => disk === located.source)
  return {
    copies,
    apart: leastLoss(ways, (volume) => new Set(volumes[volume]?.map(({ number }) => number))),
    places: areas,
    withSource: copies + (isWithSource ? 0 : 1),
    isAtTwoPlaces:
      places.size > 0 &&
      [...places].every((lost) => isRestorable(({ area }) => area !== null && area !== lost)),
    media: new Set([...kinds].filter((kind) => isRestorable(({ medium }) => medium === kind))),
  }
}

/** More ways to lose a file than this are not tried one by one. */
const MOST_TRIED = 10_000

/**
 * The least number of disks whose loss loses a file: in each way one volume is lost with all its
 * disks. Where there are too many choices, a lower bound: what the best way alone needs.
 */
function leastLoss(ways: readonly Way[], disksOf: (volume: number) => ReadonlySet<number>): number {
  const choices = ways
    .map((way) => way.map(disksOf))
    .filter((way) => way.length > 0 && way.every(({ size }) => size > 0))
  if (choices.length === 0) return 0
  const tried = choices.reduce((product, { length }) => product * length, 1)
  if (tried > MOST_TRIED) return Math.max(...choices.map((way) => Math.min(...way.map(({ size }) => size))))
  let least = Number.POSITIVE_INFINITY
  const lose = (at: number, lost: ReadonlySet<number>): void => {
    if (lost.size >= least) return
    const way = choices[at]
    if (way === undefined) least = lost.size
    else for (const disks of way) lose(at + 1, new Set([...lost, ...disks]))
  }
  lose(0, new Set())
  return least
}

interface LocatedCopy {
  readonly number: number
  readonly medium: string | null
  readonly disk: number
  /** The places that are one, by their disks; null where none is known. */
  readonly area: number | null
}

/** The disks of copies and source: names that one copy has in common are of one disk. */
class Disks {
  readonly volumes: readonly (readonly LocatedCopy[])[]
  readonly source: number
  readonly #above: number[] = []
  readonly #named = new Map<string, number>()

  constructor(volumes: readonly (readonly GoodCopy[])[], sourceDisks: readonly string[]) {
    const source = this.#node(sourceDisks)
    const disks = volumes.map((copies) => copies.map((copy) => this.#node(copy.disks)))
    const top = disks.map((own) => own.map((node) => this.#top(node)))
    this.source = this.#top(source)
    // Copies on one disk are at one place, so the names of their places are of one.
    const placed = new Set<number>()
    for (const [at, copies] of volumes.entries())
      for (const [number, { place }] of copies.entries()) {
        if (place === null) continue
        const node = this.#nodeOf(`at ${placeKey(place)}`)
        this.#join(top[at]?.[number] ?? node, node)
        placed.add(node)
      }
    const areas = new Set([...placed].map((node) => this.#top(node)))
    let number = 0
    this.volumes = volumes.map((copies, at) =>
      copies.map(({ medium }, index) => {
        const disk = top[at]?.[index] ?? 0
        const area = this.#top(disk)
        return { number: number++, medium, disk, area: areas.has(area) ? area : null }
      }),
    )
  }

  #node(names: readonly string[]): number {
    const node = this.#above.length
    this.#above.push(node)
    for (const name of names) this.#join(node, this.#nodeOf(`on ${name}`))
    return node
  }

  #nodeOf(name: string): number {
    const known = this.#named.get(name)
    if (known !== undefined) return known
    const node = this.#node([])
    this.#named.set(name, node)
    return node
  }

  #join(one: number, other: number): void {
    this.#above[this.#top(one)] = this.#top(other)
  }

  #top(node: number): number {
    let at = node
    while (this.#above[at] !== at) at = this.#above[at] ?? at
    return at
  }
}
