import { AppError } from '../../../primitives/appError'
import { formatCounted, formatSize } from '../../../primitives/quantity'
import { said } from '../../../primitives/said'
import { FreeSpace } from './freeSpace'
import { LargestFirst } from './largestFirst'
import { NODE, type PackingTree } from './packingTree'
import type { PersonOrder } from './personOrder'
import { type PlacedTrees, shown } from './placedTrees'
import type { Piece } from './splitFiles'

/**
 * `sequence` fills volumes with an opened folder's entries in the order of names, `gaps` too, but
 * folders larger than a volume come last and fill what the others left. `largest` fills volumes
 * with an opened folder's entries in the order of size. `global` takes the largest of all that is
 * not placed yet, wherever it lies: it breaks more folders and needs the fewest volumes.
 */
export const FILL_ORDERS = ['sequence', 'global', 'largest', 'gaps'] as const

/**
 * One volume after another in the order of `by`. A folder that the current volume has no room for
 * is opened if more than this share of the volume is still free; otherwise it goes on the next one.
 */
interface InPersonOrder {
  readonly by: PersonOrder
  readonly openAbove: number
}

type FillOrder = (typeof FILL_ORDERS)[number] | InPersonOrder

/**
 * The content to pack: a tree whose nodes have their whole cost, and pieces that have a volume
 * already.
 */
export interface FillTask {
  readonly tree: PackingTree
  /** Cost of a node with everything below it; 0 where only riders are. */
  readonly cost: Float64Array
  readonly pieces: readonly Piece[]
  /** The bytes of a piece without the folders above it. */
  readonly pieceCost: (piece: Piece) => number
  /** Bytes that entries may use on a volume that is still empty. */
  readonly capacityOf: (bin: number) => number
  /** Trees that are placed before everything else, and folders that are not opened. */
  readonly placed: PlacedTrees
  /** True: no volume up to the highest one with a pin stays empty. */
  readonly fillsAll?: boolean
  /** True: no folder that an empty volume could hold is opened. */
  readonly keepsFolders?: boolean
}

/** The refusal of a pin to a volume when there is nothing for some of the volumes before it. */
export function tooFewFor({ volumes, pinned }: PlacedTrees, tree: PackingTree, filled: number): AppError {
  const last = pinned.find(({ bin }) => bin === volumes - 1)?.by ?? 0
  return new AppError(
    'refused',
    said`cannot pin ${shown(tree, last)} to volume ${volumes}: everything is on ${formatCounted(filled, 'volume')}, and a plan has no empty ones`,
    { path: tree.path(last) },
  )
}

/**
 * Trees placed whole: `binOf[v]` is the volume of the tree at `v`, -1 for nodes that were opened or
 * lie below one.
 */
export interface Filled {
  readonly binOf: Int32Array
  /** Volumes that hold something. */
  readonly volumes: number
  /** Sum over opened folders of the volumes that they are on. */
  readonly presences: number
  /**
   * In an order of a person's: the largest share of a volume that was free when a folder was left
   * for the next one. A fill that opens folders above any share from this one up is the same.
   */
  readonly mostLeft: number
}

/** Entries in sequence that a volume may refuse before it counts as full. */
const REFUSALS = 8
/** A volume with less than this share of its capacity left counts as full for an opened folder. */
const FULL_SHARE = 0.005
/** A folder with less than this share of a volume is small: no order divides it. */
const SMALL_SHARE = 0.01
/** The number of volumes with something of a folder that are tried first. */
const HOMES_TRIED = 16
/** Pins that a refusal names; the others are counted. */
const PINS_NAMED = 3

/**
 * Fills at least `bins` volumes: whole trees first fit in descending order of cost, each folder
 * that fits nowhere opened and spread over as few of the emptiest volumes as possible. Volumes are
 * added when an entry that cannot be opened fits nowhere. Time is near linear in the number of
 * entries touched; a folder that stays closed counts as one.
 */
export function fillVolumes(task: FillTask, bins: number, order: FillOrder): Filled {
  return new Filling(task, order).run(bins)
}

/**
 * The bytes of a volume beside what is pinned to it.
 * @throws AppError `cannot-fit` when what is pinned to a volume does not fit on it
 */
export function roomBesidePins(task: FillTask): (bin: number) => number {
  return new Filling(task, 'sequence').roomBesidePins()
}

class Filling {
  private readonly tree: PackingTree
  private readonly cost: Float64Array
  private readonly space = new FreeSpace()
  private readonly binOf: Int32Array
  /** For each volume the folders that are on it apart from those inside trees placed whole. */
  private readonly present: Set<number>[] = []
  /** For each opened folder the volumes that it is on. */
  private readonly homes = new Map<number, number[]>()
  private readonly seen: Int32Array
  private seenMark = 0
  private presences = 0
  private mostLeft = 0

  private readonly task: FillTask
  private readonly order: FillOrder

  constructor(task: FillTask, order: FillOrder) {
    this.task = task
    this.order = order
    this.tree = task.tree
    this.cost = task.cost
    this.binOf = new Int32Array(task.tree.size).fill(-1)
    this.seen = new Int32Array(task.tree.leaders.length > 0 ? task.tree.size : 0)
  }

  run(bins: number): Filled {
    while (this.space.count < Math.max(bins, this.task.placed.volumes)) this.addBin()
    this.putPinned()
    for (const piece of this.task.pieces) this.putPiece(piece)
    for (const tie of this.task.placed.ties) this.placeTied(tie)
    const { order } = this
    if (typeof order === 'object') this.placeInOrder(order)
    else {
      if (this.task.fillsAll) this.beginEmptyVolumes()
      const top = this.children(0)
      if (order === 'global') this.placeLargestOfAll(top)
      else this.placeInTurn(this.inTurn(top))
    }
    let volumes = 0
    for (let bin = 0; bin < this.space.count; bin++) {
      if (this.space.free(bin) < this.task.capacityOf(bin)) volumes += 1
    }
    return { binOf: this.binOf, volumes, presences: this.presences, mostLeft: this.mostLeft }
  }

  roomBesidePins(): (bin: number) => number {
    while (this.space.count < this.task.placed.volumes) this.addBin()
    this.putPinned()
    return (bin) => (bin < this.space.count ? this.space.free(bin) : this.task.capacityOf(bin))
  }

  private putPinned(): void {
    const { pinned, volumes } = this.task.placed
    for (const { node, bin } of pinned) this.put(node, bin)
    for (let bin = 0; bin < volumes; bin++) if (this.space.free(bin) < 0) throw this.pinnedTooMuch(bin)
  }

  private pinnedTooMuch(bin: number): AppError {
    const needs = new Map<number, number>()
    for (const { node, bin: its, by } of this.task.placed.pinned) {
      if (its === bin) needs.set(by, (needs.get(by) ?? 0) + (this.cost[node] as number))
    }
    const named = [...needs].toSorted(([a, one], [b, other]) => other - one || a - b)
    const texts = named
      .slice(0, PINS_NAMED)
      .map(([node, bytes]) => `${shown(this.tree, node)} (${formatSize(bytes)})`)
    if (named.length > PINS_NAMED) texts.push(`${named.length - PINS_NAMED} more`)
    const total = named.reduce((sum, [, bytes]) => sum + bytes, 0)
    const room = formatSize(Math.max(0, this.task.capacityOf(bin)))
    const sum = named.length === 1 ? '' : said`, together ${formatSize(total)}`
    return new AppError(
      'cannot-fit',
      said`what is pinned to volume ${bin + 1} does not fit: ${texts.join(', ')}${sum}; it has room for ${room}`,
      { path: this.tree.path(named[0]?.[0] ?? 0) },
    )
  }

  /** Puts trees that share files on the first volume that has room for all of them. */
  private placeTied(tie: readonly number[]): void {
    let need = 0
    for (const node of tie) need += this.needOnEmpty(node)
    let bin = this.space.firstWith(need)
    if (bin < 0) {
      bin = this.addBin()
      while (this.space.free(bin) < need) bin = this.addBin()
    }
    for (const node of tie) this.put(node, bin)
  }

  /** The bytes that a tree takes at most on a volume without any of its folders. */
  needOnEmpty(item: number): number {
    const above = this.tree.chainCost[this.tree.parent[item] as number] as number
    return (this.cost[item] as number) + this.riderChains(item) + above
  }

  /**
   * Puts one of the largest trees on each empty volume up to the highest one with a pin: no volume
   * of a plan is empty.
   * @throws AppError `refused` when there are too few
   */
  private beginEmptyVolumes(): void {
    const empty: number[] = []
    for (let bin = 0; bin < this.task.placed.volumes; bin++) {
      if (this.space.free(bin) >= this.task.capacityOf(bin)) empty.push(bin)
    }
    const waiting = new LargestFirst(this.cost)
    const whole: number[] = []
    const fresh = this.task.capacityOf(this.space.count)
    for (const item of this.children(0)) waiting.push(item)
    for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) {
      const left = waiting.size + whole.length
      if (this.canOpen(item) && (left + 1 < empty.length || this.needOnEmpty(item) > fresh)) {
        for (const child of this.children(item)) waiting.push(child)
      } else if (whole.push(item) === empty.length) break
    }
    const { placed } = this.task
    if (whole.length < empty.length)
      throw tooFewFor(placed, this.tree, placed.volumes - empty.length + whole.length)
    for (const [k, bin] of empty.entries()) {
      const item = whole[k] as number
      if (this.fitsOn(item, bin, this.tree.parent[item] as number)) this.put(item, bin)
    }
  }

  private placeInOrder({ by, openAbove }: InPersonOrder): void {
    const waiting = by.sorted(0, () => this.divided(this.children(0), by)).toReversed()
    let bin = 0
    let next: number | undefined
    while ((next = waiting.at(-1)) !== undefined) {
      if (bin === this.space.count) this.addBin()
      if (this.fitsOn(next, bin, this.tree.parent[next] as number)) {
        this.put(next, bin)
        waiting.pop()
      } else if (this.canOpen(next) && this.isBetterOpened(next, bin, openAbove)) {
        waiting.pop()
        const folder = next
        for (const child of by.sorted(folder, () => this.children(folder)).toReversed()) waiting.push(child)
      } else bin += 1
    }
  }

  /** The trees without folders that the order divides, but with small ones of these. */
  private divided(top: readonly number[], { divides }: PersonOrder): number[] {
    const small = SMALL_SHARE * this.task.capacityOf(this.space.count)
    const whole: number[] = []
    const waiting = [...top]
    for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) {
      if ((this.cost[item] as number) <= small || !this.canOpen(item) || !divides(item)) whole.push(item)
      else for (const child of this.children(item)) waiting.push(child)
    }
    return whole.toSorted((a, b) => a - b)
  }

  private isBetterOpened(folder: number, bin: number, openAbove: number): boolean {
    const fresh = this.task.capacityOf(this.space.count)
    const [free, capacity] = [this.space.free(bin), this.task.capacityOf(bin)]
    if (this.needOnEmpty(folder) > fresh || free > openAbove * capacity) return true
    this.mostLeft = Math.max(this.mostLeft, free / capacity)
    return false
  }

  private inTurn(top: readonly number[]): number[] {
    const sorted = top.toSorted((a, b) => this.descending(a, b))
    if (this.order !== 'gaps') return sorted
    const capacity = this.task.capacityOf(this.space.count)
    const isOver = (item: number): boolean => (this.cost[item] as number) > capacity
    return [...sorted.filter((item) => !isOver(item)), ...sorted.filter(isOver)]
  }

  /** Each tree with all that it is opened into before the next. */
  private placeInTurn(top: readonly number[]): void {
    for (const item of top) {
      const waiting = [item]
      let next: number | undefined
      while ((next = waiting.pop()) !== undefined) {
        if (this.place(next)) continue
        if (this.mayOpen(next)) {
          const left = this.order === 'largest' ? this.spreadLargestFirst(next) : this.spreadInSequence(next)
          left.sort((a, b) => this.descending(b, a))
          for (const one of left) waiting.push(one)
        } else this.placeOnNew(next)
      }
    }
  }

  private placeLargestOfAll(top: readonly number[]): void {
    const waiting = new LargestFirst(this.cost)
    for (const item of top) waiting.push(item)
    let next: number | undefined
    while ((next = waiting.pop()) !== undefined) {
      if (this.place(next)) continue
      if (this.mayOpen(next)) for (const child of this.children(next)) waiting.push(child)
      else this.placeOnNew(next)
    }
  }

  private mayOpen(item: number): boolean {
    if (!this.canOpen(item)) return false
    return !this.task.keepsFolders || this.needOnEmpty(item) > this.task.capacityOf(this.space.count)
  }

  private canOpen(item: number): boolean {
    const { kind, end } = this.tree
    return kind[item] === NODE.folder && (end[item] as number) > item + 1 && !this.task.placed.kept.has(item)
  }

  private addBin(): number {
    const bin = this.space.add(this.task.capacityOf(this.space.count))
    this.present.push(new Set())
    return bin
  }

  private putPiece(piece: Piece): void {
    const bin = piece.bin as number
    while (this.space.count <= bin) this.addBin()
    const folder = this.tree.parent[piece.node] as number
    this.space.take(bin, this.task.pieceCost(piece) + this.bringFolders(bin, folder))
  }

  /**
   * Puts the item on a volume that has room, preferring those that hold something of its folder.
   */
  private place(item: number): boolean {
    const folder = this.tree.parent[item] as number
    const homes = folder === 0 ? undefined : this.homes.get(folder)
    const bare = (this.cost[item] as number) + this.riderChains(item)
    if (homes) {
      for (let k = Math.max(0, homes.length - HOMES_TRIED); k < homes.length; k++) {
        if (this.space.free(homes[k] as number) < bare) continue
        this.put(item, homes[k] as number)
        return true
      }
    }
    const bin = this.space.firstWith(bare + (this.tree.chainCost[folder] as number))
    if (bin < 0) return false
    this.put(item, bin)
    return true
  }

  private placeOnNew(item: number): void {
    const need = this.needOnEmpty(item)
    let bin = this.addBin()
    while (this.space.free(bin) < need) bin = this.addBin()
    this.put(item, bin)
  }

  private put(item: number, bin: number): void {
    const { tree } = this
    this.binOf[item] = bin
    let taken = (this.cost[item] as number) + this.bringFolders(bin, tree.parent[item] as number)
    const end = tree.end[item] as number
    for (let k = this.firstLeader(item); k < tree.leaders.length && (tree.leaders[k] as number) < end; k++) {
      for (let r = tree.riderStart[k] as number; r < (tree.riderStart[k + 1] as number); r++) {
        const rider = tree.riders[r] as number
        if (rider < item || rider >= end) taken += this.bringFolders(bin, tree.parent[rider] as number)
      }
    }
    this.space.take(bin, taken)
  }

  /**
   * Makes the folder and those above it exist on the volume.
   * @returns the cost of the ones that were not there
   */
  private bringFolders(bin: number, folder: number): number {
    const { parent, ownCost } = this.tree
    const there = this.present[bin] as Set<number>
    let sum = 0
    for (let at = folder; at > 0 && !there.has(at) && this.binOf[at] !== bin; at = parent[at] as number) {
      there.add(at)
      this.presences += 1
      sum += ownCost[at] as number
      const homes = this.homes.get(at)
      if (homes) homes.push(bin)
      else this.homes.set(at, [bin])
    }
    return sum
  }

  /** The cost of the folders above the riders of an item at most, each counted once. */
  private riderChains(item: number): number {
    const { tree } = this
    if (tree.leaders.length === 0) return 0
    const end = tree.end[item] as number
    this.seenMark += 1
    let sum = 0
    for (let k = this.firstLeader(item); k < tree.leaders.length && (tree.leaders[k] as number) < end; k++) {
      for (let r = tree.riderStart[k] as number; r < (tree.riderStart[k + 1] as number); r++) {
        const rider = tree.riders[r] as number
        if (rider > item && rider < end) continue
        for (let at = tree.parent[rider] as number; at > 0; at = tree.parent[at] as number) {
          if (this.seen[at] === this.seenMark) break
          this.seen[at] = this.seenMark
          sum += tree.ownCost[at] as number
        }
      }
    }
    return sum
  }

  private firstLeader(item: number): number {
    const { leaders } = this.tree
    let low = 0
    let high = leaders.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((leaders[middle] as number) < item) low = middle + 1
      else high = middle
    }
    return low
  }

  private children(folder: number): number[] {
    const { end } = this.tree
    const list: number[] = []
    const last = end[folder] as number
    for (let at = folder + 1; at < last; at = end[at] as number) {
      if ((this.cost[at] as number) > 0 && this.binOf[at] === -1) list.push(at)
    }
    return list
  }

  private descending(a: number, b: number): number {
    return (this.cost[b] as number) - (this.cost[a] as number) || a - b
  }

  /** Cost of the folders that a volume lacks for something in this folder. */
  private missingFolders(bin: number, folder: number): number {
    const { parent, ownCost } = this.tree
    const there = this.present[bin] as Set<number>
    let sum = 0
    for (let at = folder; at > 0 && !there.has(at) && this.binOf[at] !== bin; at = parent[at] as number) {
      sum += ownCost[at] as number
    }
    return sum
  }

  private fitsOn(item: number, bin: number, folder: number): boolean {
    const bare = (this.cost[item] as number) + this.riderChains(item)
    return this.space.free(bin) >= bare + this.missingFolders(bin, folder)
  }

  /**
   * A volume that takes all that is left of a folder, -1 if there is none or if riders make it
   * uncertain.
   */
  private binForAll(folder: number, rest: number): number {
    const { leaders, end } = this.tree
    const leader = leaders[this.firstLeader(folder)]
    if (leader !== undefined && leader < (end[folder] as number)) return -1
    for (const bin of this.homes.get(folder)?.slice(-HOMES_TRIED) ?? []) {
      if (this.space.free(bin) >= rest) return bin
    }
    return this.space.firstWith(rest + (this.tree.chainCost[folder] as number))
  }

  /** Spreads a folder's entries in the order of names; tells what fitted nowhere. */
  private spreadInSequence(folder: number): number[] {
    const children = this.children(folder)
    let rest = 0
    for (const child of children) rest += this.cost[child] as number
    let refused: number[] = []
    let at = 0
    for (;;) {
      const whole = this.binForAll(folder, rest)
      const bin = whole >= 0 ? whole : this.space.emptiest()
      if (bin < 0) break
      const full = this.task.capacityOf(bin) * FULL_SHARE
      const still: number[] = []
      let placed = 0
      const takes = (child: number): boolean => {
        if (!this.fitsOn(child, bin, folder)) {
          still.push(child)
          return false
        }
        this.put(child, bin)
        rest -= this.cost[child] as number
        placed += 1
        return true
      }
      for (const child of refused) takes(child)
      for (let misses = 0; at < children.length && misses < REFUSALS; at++) {
        if (misses > 0 && this.space.free(bin) <= full) break
        if (!takes(children[at] as number)) misses += 1
      }
      refused = still
      if (placed === 0 || (refused.length === 0 && at === children.length)) break
    }
    while (at < children.length) refused.push(children[at++] as number)
    return refused
  }

  /**
   * Spreads a folder's entries, each time the largest that still fits; tells what fitted nowhere.
   */
  private spreadLargestFirst(folder: number): number[] {
    const children = this.children(folder).toSorted((a, b) => this.descending(a, b))
    const next = Int32Array.from({ length: children.length + 1 }, (_, k) => k)
    const alive = (from: number): number => {
      let at = from
      while (next[at] !== at) {
        next[at] = next[next[at] as number] as number
        at = next[at] as number
      }
      return at
    }
    const firstUpTo = (room: number): number => {
      let low = 0
      let high = children.length
      while (low < high) {
        const middle = (low + high) >>> 1
        if ((this.cost[children[middle] as number] as number) > room) low = middle + 1
        else high = middle
      }
      return low
    }
    for (;;) {
      const bin = this.space.emptiest()
      if (bin < 0) break
      let placed = 0
      let at = 0
      for (;;) {
        const room = this.space.free(bin) - this.missingFolders(bin, folder)
        at = alive(Math.max(at, firstUpTo(room)))
        if (at >= children.length) break
        const child = children[at] as number
        if (this.fitsOn(child, bin, folder)) {
          this.put(child, bin)
          next[at] = at + 1
          placed += 1
        } else at += 1
      }
      if (placed === 0) break
    }
    return children.filter((_, k) => next[k] === k)
  }
}

/**
 * Refuses folders that are to be kept together and could not be on any volume.
 * @throws AppError `cannot-fit`
 */
export function requireKeptFit(task: FillTask, capacity: number): void {
  const filling = new Filling(task, 'sequence')
  const { kept, ties } = task.placed
  for (const trees of [...Array.from(kept, (node) => [node]), ...ties]) {
    const need = trees.reduce((sum, node) => sum + filling.needOnEmpty(node), 0)
    if (need <= capacity) continue
    const names = trees.map((node) => shown(task.tree, node)).join(' and ')
    throw new AppError(
      'cannot-fit',
      said`cannot keep ${names} on one volume: ${formatSize(need)}, and a volume has room for ${formatSize(capacity)}`,
      { path: task.tree.path(trees[0] as number) },
    )
  }
}
