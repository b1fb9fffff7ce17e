import { AppError } from '../../../primitives/appError'
import { pathForDisplay } from '../../../primitives/pathText'
import { said } from '../../../primitives/said'
import type { FillBy } from '../placement'
import type { PackingTree } from './packingTree'

/** A placement as packing takes it. Paths are those of the inventory; the root's is empty. */
export interface PackingPlacement {
  readonly pins: readonly { readonly path: string; readonly volume: number }[]
  readonly keep: readonly string[]
  readonly order: FillBy
  /**
   * When an entry was last written to, in milliseconds since 1970, by its index in the inventory.
   * Only the order `date` asks.
   */
  readonly modifiedMs: (index: number) => number
}

/** A tree that goes on a volume as a whole, whatever lies around it. */
export interface PinnedTree {
  readonly node: number
  readonly bin: number
  /** The folder or file with the pin, which the tree lies in or is. */
  readonly by: number
}

/** The trees that a placement does not leave to the fill; none of them within another. */
export interface PlacedTrees {
  readonly pinned: readonly PinnedTree[]
  /** Trees that share a volume, because each holds a name of a file that another holds too. */
  readonly ties: readonly (readonly number[])[]
  /** Folders that are not divided, on whichever volume. */
  readonly kept: ReadonlySet<number>
  /** The highest number of a volume that a pin names; 0 without pins. */
  readonly volumes: number
}

/** Without a placement. */
export function nothingPlaced(): PlacedTrees {
  return { pinned: [], ties: [], kept: new Set(), volumes: 0 }
}

/**
 * Resolves a placement on a tree. The pin nearest to a node counts; a pin within a kept folder pins
 * the folder. All names of a file are on one volume, so a pin of one is a pin of all.
 * @throws AppError `not-found` for a path without an entry, `refused` for pins that contradict one
 *   another
 */
export function placedTrees(tree: PackingTree, { pins, keep }: PackingPlacement): PlacedTrees {
  return new Resolving(tree, pins, keep).resolve()
}

class Resolving {
  readonly #tree: PackingTree
  /** The volume that a pin of this very node names, from 0; -1 without one. */
  readonly #own: Int32Array
  /** The outermost kept folder that a node is or lies in, -1 without one. */
  readonly #keptBy: Int32Array
  #binOf: Int32Array

  constructor(tree: PackingTree, pins: PackingPlacement['pins'], keep: readonly string[]) {
    this.#tree = tree
    const nodeAt = nodesAt(tree, [...pins.map(({ path }) => path), ...keep])
    this.#own = new Int32Array(tree.size).fill(-1)
    for (const { path, volume } of pins) {
      const node = nodeAt(path)
      const before = this.#own[node] as number
      if (before >= 0 && before !== volume - 1) {
        throw refused(path, `it is pinned to volumes ${before + 1} and ${volume}`)
      }
      this.#own[node] = volume - 1
    }
    const kept = new Set(keep.map(nodeAt))
    this.#keptBy = inherited(tree, (node) => (kept.has(node) ? node : -1), 'outermost')
    // All of the source on one volume can only be the first.
    if (kept.has(0) && pins.length === 0) this.#own[0] = 0
    this.#pinKeptFolders()
    this.#binOf = this.#inheritedPins()
  }

  resolve(): PlacedTrees {
    const ties = this.#joinLinks()
    const pinned = this.#pinnedTrees()
    const kept = new Set<number>()
    for (const root of this.#keptBy) if (root >= 0 && (this.#binOf[root] as number) < 0) kept.add(root)
    let volumes = 0
    for (const { bin } of pinned) volumes = Math.max(volumes, bin + 1)
    return { pinned, ties, kept, volumes }
  }

  #inheritedPins(): Int32Array {
    return inherited(this.#tree, (node) => this.#own[node] as number, 'nearest')
  }

  /** A pin of something within a kept folder becomes the folder's. */
  #pinKeptFolders(): void {
    const first = new Map<number, number>()
    for (let node = 0; node < this.#tree.size; node++) {
      const root = this.#keptBy[node] as number
      const bin = this.#own[node] as number
      if (root < 0 || bin < 0) continue
      const other = first.get(root)
      if (other !== undefined && (this.#own[other] as number) !== bin) {
        throw refused(
          this.#tree.path(root),
          `it is to be kept together, but ${this.#pinText(other, this.#own)} and ${this.#pinText(node, this.#own)}`,
        )
      }
      if (other === undefined) first.set(root, node)
    }
    for (const [root, node] of first) {
      const bin = this.#own[node] as number
      this.#own.fill(-1, root, this.#tree.end[root])
      this.#own[root] = bin
    }
  }

  #pinText(node: number, bins: Int32Array): string {
    return `${shown(this.#tree, node)} is pinned to volume ${(bins[node] as number) + 1}`
  }

  /**
   * Pins what holds a name of a file that is pinned by another name.
   * @returns trees that are tied to one another by such files, and pinned nowhere
   */
  #joinLinks(): number[][] {
    const { leaders, riderStart, riders } = this.#tree
    if (leaders.length === 0) return []
    const unitOf = (node: number): number => {
      const root = this.#keptBy[node] as number
      return root < 0 ? node : root
    }
    const joined = new Joined()
    const namesOf = (k: number): Int32Array => riders.subarray(riderStart[k], riderStart[k + 1])
    for (const [k, leader] of leaders.entries()) {
      for (const rider of namesOf(k)) {
        if ((this.#keptBy[rider] as number) >= 0) joined.join(unitOf(leader), unitOf(rider))
      }
    }
    const pinnedBy = new Map<number, number>()
    for (const [k, leader] of leaders.entries()) {
      const group = joined.find(unitOf(leader))
      for (const name of [leader, ...namesOf(k)]) {
        const bin = this.#binOf[name] as number
        if (bin < 0) continue
        const other = pinnedBy.get(group)
        if (other === undefined) pinnedBy.set(group, name)
        else if (this.#binOf[other] !== bin) {
          throw refused(
            this.#tree.path(name),
            `${this.#pinText(other, this.#binOf)} and ${this.#pinText(name, this.#binOf)}, but names of one file share a volume`,
          )
        }
      }
    }
    const ties: number[][] = []
    for (const [group, units] of joined.groups()) {
      const name = pinnedBy.get(group)
      if (name === undefined) {
        if (units.length > 1) ties.push(units.toSorted((a, b) => a - b))
        continue
      }
      const bin = this.#binOf[name] as number
      for (const unit of units) if (this.#binOf[unit] !== bin) this.#own[unit] = bin
    }
    this.#binOf = this.#inheritedPins()
    return ties.toSorted((a, b) => (a[0] as number) - (b[0] as number))
  }

  /** The largest trees that are wholly on one volume. */
  #pinnedTrees(): PinnedTree[] {
    const { size, parent, end } = this.#tree
    const binOf = this.#binOf
    const isMixed = new Uint8Array(size)
    for (let node = size - 1; node > 0; node--) {
      const up = parent[node] as number
      if (isMixed[node] || binOf[node] !== binOf[up]) isMixed[up] = 1
    }
    isMixed[0] = 1
    const by = inherited(this.#tree, (node) => ((this.#own[node] as number) >= 0 ? node : -1), 'nearest')
    const trees: PinnedTree[] = []
    for (let node = 1; node < size; node++) {
      if ((binOf[node] as number) < 0 || isMixed[node]) continue
      trees.push({ node, bin: binOf[node] as number, by: by[node] as number })
      node = (end[node] as number) - 1
    }
    return trees
  }
}

/** Sets of nodes that belong together. */
class Joined {
  readonly #up = new Map<number, number>()

  find(node: number): number {
    let at = node
    for (let up = this.#up.get(at); up !== undefined && up !== at; up = this.#up.get(at)) at = up
    this.#up.set(node, at)
    if (!this.#up.has(at)) this.#up.set(at, at)
    return at
  }

  join(one: number, other: number): void {
    const [a, b] = [this.find(one), this.find(other)]
    this.#up.set(Math.max(a, b), Math.min(a, b))
  }

  groups(): Map<number, number[]> {
    return Map.groupBy(this.#up.keys(), (node) => this.find(node))
  }
}

/** For every node its own value, or that of the nearest or outermost folder above that has one. */
function inherited(
  { size, parent }: PackingTree,
  ownOf: (node: number) => number,
  which: 'nearest' | 'outermost',
): Int32Array {
  const values = new Int32Array(size)
  values[0] = ownOf(0)
  for (let node = 1; node < size; node++) {
    const above = values[parent[node] as number] as number
    const own = ownOf(node)
    values[node] = which === 'nearest' ? (own >= 0 ? own : above) : above >= 0 ? above : own
  }
  return values
}

/** Finds nodes by their paths. */
function nodesAt(tree: PackingTree, wanted: readonly string[]): (path: string) => number {
  const nodes = new Map<string, number>([['', 0]])
  const paths = new Set(['', ...wanted])
  for (let node = 1; node < tree.size && nodes.size < paths.size; node++) {
    const path = tree.path(node)
    if (paths.has(path)) nodes.set(path, node)
  }
  return (path) => {
    const node = nodes.get(path)
    if (node === undefined)
      throw new AppError('not-found', said`${pathForDisplay(path)} is not in the source`, { path })
    return node
  }
}

/** A tree as a person knows it. */
export function shown(tree: PackingTree, node: number): string {
  return node === 0 ? 'the whole source' : pathForDisplay(tree.path(node))
}

function refused(path: string, because: string): AppError {
  const what = path === '' ? 'the whole source' : pathForDisplay(path)
  return new AppError('refused', said`cannot place ${what}: ${because}`, { path })
}
