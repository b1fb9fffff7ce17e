/** A set of recovery data by its places on an image, in bytes. */
export interface PlacedSet {
  readonly contents: readonly { readonly offset: number; readonly bytes: number }[]
  readonly recoveryBlocks: number
  /** Where each copy of the set's description is. */
  readonly descriptions: readonly { readonly offset: number; readonly bytes: number }[]
  /** Where the packets with recovery blocks begin, and the length of each. */
  readonly recovery: { readonly offset: number; readonly packetBytes: number }
}

const SECTOR = 2048

/** A part of a set that is lost with any of its sectors. */
interface Unit {
  readonly set: number
  readonly kind: 'input' | 'recovery' | 'description'
  /** The sectors that it touches. */
  readonly first: number
  readonly last: number
}

/** The units that a run of unreadable sectors takes from a set. */
interface Lost {
  input: number
  recovery: number
  description: number
}

/** The scratch that an image survives for certain. */
export interface CertainScratch {
  /** The longest run of unreadable sectors that can be repaired wherever it lies. */
  readonly sectors: number
  /** The first sector of the worst place: a run from there that is one longer may be lost. */
  readonly worst: number
}

/**
 * The scratch that is repairable for certain, wherever it lies: every set loses at most as many
 * blocks of files as it keeps recovery blocks, and keeps a copy of its description, or loses no
 * block of a file at all.
 * @param sectors of the image
 */
export function certainScratch(
  sets: readonly PlacedSet[],
  blockBytes: number,
  sectors: number,
): CertainScratch {
  const units = sets
    .flatMap((set, at) => unitsOf(set, at, blockBytes))
    .toSorted((one, other) => one.first - other.first || one.last - other.last)
  const lost = sets.map((): Lost => ({ input: 0, recovery: 0, description: 0 }))
  const isLost = (at: number): boolean => {
    const { recoveryBlocks, descriptions } = sets[at] as PlacedSet
    const { input, recovery, description } = lost[at] as Lost
    return input > 0 && (input > recoveryBlocks - recovery || description === descriptions.length)
  }
  let shortest = sectors + 1
  let worst = 0
  let next = 0
  let newest: Unit | null = null
  // A set that is lost stays so until units leave at the start, so that one set is enough to know.
  let lostSet = -1
  for (const unit of units) {
    while (lostSet < 0 && next < units.length) {
      newest = units[next] as Unit
      next += 1
      ;(lost[newest.set] as Lost)[newest.kind] += 1
      if (isLost(newest.set)) lostSet = newest.set
    }
    if (lostSet < 0 || newest === null) break
    const run = Math.max(1, newest.first - unit.last + 1)
    if (run < shortest) {
      shortest = run
      worst = Math.min(unit.last, newest.first)
    }
    ;(lost[unit.set] as Lost)[unit.kind] -= 1
    if (!isLost(lostSet)) lostSet = -1
  }
  return { sectors: Math.min(shortest - 1, sectors), worst }
}

function unitsOf(set: PlacedSet, at: number, blockBytes: number): Unit[] {
  const units: Unit[] = []
  const add = (kind: Unit['kind'], offset: number, bytes: number): void => {
    const last = Math.floor((offset + bytes - 1) / SECTOR)
    units.push({ set: at, kind, first: Math.floor(offset / SECTOR), last })
  }
  for (const { offset, bytes } of set.contents)
    for (let start = 0; start < bytes; start += blockBytes)
      add('input', offset + start, Math.min(blockBytes, bytes - start))
  for (const { offset, bytes } of set.descriptions) add('description', offset, bytes)
  const { offset, packetBytes } = set.recovery
  for (let block = 0; block < set.recoveryBlocks; block++)
    add('recovery', offset + block * packetBytes, packetBytes)
  return units
}
