import { AppError } from '../../../primitives/appError'
import { pathForDisplay } from '../../../primitives/pathText'
import { said } from '../../../primitives/said'
import { cutName, nameBytes } from '../naming/nameBytes'
import { NODE, type PackingTree } from './packingTree'

/**
 * A piece of a split file before it has a name. The last piece of each file has no bin yet: it is
 * packed like any other file.
 */
export interface Piece {
  readonly node: number
  readonly offset: number
  readonly bytes: number
  readonly bin: number | null
}

interface SplitRules {
  /**
   * Cost of a file's records without its content, and what a part's longer name may add to that.
   */
  readonly recordCost: (node: number) => number
  readonly partExtraCost: number
  /** Parts end at multiples of this where a volume is large enough, else at whole sectors. */
  readonly boundaryBytes: number
  readonly sectorBytes: number
  /** No file or part may be larger. */
  readonly maxFileBytes: number
  /** Bytes that the content of the entries may use on a fresh volume of that number. */
  readonly capacityOf: (bin: number) => number
  /** Bytes on a volume without a lowered allowance. */
  readonly capacity: number
}

/** The names that `cat` takes in the right order: `<stem>001` and so on, matched by `<stem>0*`. */
export interface PartNaming {
  readonly stem: string
  readonly digits: number
}

/**
 * Cuts every file that no empty volume can hold, in the order of nodes. Each piece but the last
 * fills a volume of its own (volumes 0, 1, … in turn), so a file takes as few volumes as possible.
 * @throws AppError `cannot-fit` when a volume has no room for a single sector of such a file.
 */
export function splitLargeFiles(tree: PackingTree, rules: SplitRules): Map<number, Piece[]> {
  const splits = new Map<number, Piece[]>()
  let bin = 0
  for (let node = 1; node < tree.size; node++) {
    if (tree.kind[node] !== NODE.file) continue
    const whole = tree.content[node] as number
    let fixed = rules.recordCost(node) + (tree.chainCost[tree.parent[node] as number] as number)
    const fits = (bytes: number): boolean =>
      bytes <= rules.maxFileBytes &&
      fixed + Math.ceil(bytes / rules.sectorBytes) * rules.sectorBytes <= rules.capacity
    if (fits(whole)) continue
    fixed += rules.partExtraCost
    const pieces: Piece[] = []
    let offset = 0
    let left = roomOf(bin, rules)
    let isFresh = true
    while (!fits(whole - offset)) {
      const room = Math.min(left - fixed, rules.maxFileBytes)
      let bytes = largestMultiple(room, rules.boundaryBytes)
      if (bytes === 0 && isFresh) bytes = largestMultiple(room, rules.sectorBytes)
      if (bytes > 0) {
        // A second part on the same volume is possible only where the format's limit ended the first.
        pieces.push({ node, offset, bytes, bin })
        offset += bytes
        left -= fixed + bytes
        isFresh = false
        continue
      }
      if (isFresh && rules.capacity - fixed < rules.sectorBytes) throw tooSmall(tree, node)
      bin += 1
      left = roomOf(bin, rules)
      isFresh = true
    }
    bin += 1
    pieces.push({ node, offset, bytes: whole - offset, bin: null })
    splits.set(node, pieces)
  }
  return splits
}

/** No part is larger than a usual volume, whatever the first ones hold. */
function roomOf(bin: number, { capacityOf, capacity }: SplitRules): number {
  return Math.min(capacity, capacityOf(bin))
}

function largestMultiple(room: number, unit: number): number {
  return Math.max(0, Math.floor(room / unit) * unit)
}

function tooSmall(tree: PackingTree, node: number): AppError {
  const path = tree.path(node)
  return new AppError(
    'cannot-fit',
    said`${pathForDisplay(path)} cannot be split: a volume has no room for a part`,
    {
      path,
    },
  )
}

/**
 * Names for the parts of split files. `name.001`, `name.002`, … unless something next to the file
 * begins like them or the name would become too long; then `name.part.001`, `name.part2.001` and so
 * on, the name shortened as needed. There is always a leading zero, so `cat name.0* > name` takes
 * all parts in their order.
 */
export function namePartStems(
  tree: PackingTree,
  splits: ReadonlyMap<number, readonly Piece[]>,
  maxNameBytes: number,
): Map<number, PartNaming> {
  const namings = new Map<number, PartNaming>()
  const taken = new Map<number, string[]>()
  const namesOf = new Map<number, string[]>()
  for (const [node, pieces] of splits) {
    const digits = Math.max(3, String(pieces.length).length + 1)
    const folder = tree.parent[node] as number
    const chosen = taken.get(folder) ?? []
    taken.set(folder, chosen)
    const siblings = namesOf.get(folder) ?? childNames(tree, folder)
    namesOf.set(folder, siblings)
    const isFree = (stem: string): boolean => {
      const prefix = `${stem}0`
      return (
        !startsOne(siblings, prefix) &&
        !chosen.some((other) => other.startsWith(prefix) || prefix.startsWith(other))
      )
    }
    for (let attempt = 0; ; attempt++) {
      const suffix = attempt === 0 ? '.' : attempt === 1 ? '.part.' : `.part${attempt}.`
      const name = tree.name(node)
      const stem = cutName(name, maxNameBytes - nameBytes(suffix) - digits) + suffix
      if (!isFree(stem)) continue
      chosen.push(`${stem}0`)
      namings.set(node, { stem, digits })
      break
    }
  }
  return namings
}

/** The name of part `part`, counted from 1. */
export function partName(naming: PartNaming, part: number): string {
  return naming.stem + String(part).padStart(naming.digits, '0')
}

function childNames(tree: PackingTree, folder: number): string[] {
  const names: string[] = []
  const end = tree.end[folder] as number
  for (let at = folder + 1; at < end; at = tree.end[at] as number) names.push(tree.name(at))
  return names
}

/** True when one of the names, which are in ascending order, begins with the prefix. */
function startsOne(names: readonly string[], prefix: string): boolean {
  let low = 0
  let high = names.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((names[middle] as string) < prefix) low = middle + 1
    else high = middle
  }
  return names[low]?.startsWith(prefix) ?? false
}
