import { AppError } from '../../../primitives/appError'
import { pathForDisplay } from '../../../primitives/pathText'
import { formatCounted, formatSize } from '../../../primitives/quantity'
import { said } from '../../../primitives/said'
import type { PlanProblem } from '../planDocument'
import type { Allowances } from './allowances'
import { assembleVolumes } from './assembleVolumes'
import type { CostModel } from './costModel'
import {
  FILL_ORDERS,
  type Filled,
  type FillTask,
  fillVolumes,
  requireKeptFit,
  roomBesidePins,
} from './fillVolumes'
import type { InventoryItem, PackedVolume, Packing } from './inventory'
import { lowerBoundVolumes } from './lowerBound'
import { NODE, type PackingTree, packingTree, rides, wholeSectors } from './packingTree'
import { type PersonOrder, personOrder } from './personOrder'
import { nothingPlaced, type PackingPlacement, type PlacedTrees, placedTrees } from './placedTrees'
import { namePartStems, type Piece, splitLargeFiles } from './splitFiles'

export interface PackingOptions {
  /** The actual capacity of a volume. */
  readonly capacitySectors: number
  /**
   * Capacities of the first volumes where these differ, in the order of filling. A file that only
   * one of them could hold is split as if they held what the others do.
   */
  readonly firstCapacities?: readonly number[]
  /** The volumes that there are; absent for any number. */
  readonly mostVolumes?: number
  readonly cost: CostModel
  /**
   * Bytes of each volume for what is not of the source: the volume's own index and checksums,
   * protection.
   */
  readonly reserveBytes: number
  /** Further sectors of each volume that stay unused. */
  readonly overheadSectors?: number
  /**
   * Where parts of files should end, in whole sectors: 65,536 on BD, whose error correction works
   * on blocks of that size.
   */
  readonly splitBoundaryBytes: number
  /** No file or part on a volume may be larger; absent when the format has no such limit. */
  readonly maxFileBytes?: number
  /** The rest of the capacity after the mastering tool's sizes; absent on the first try. */
  readonly allowances?: Allowances
  /** The person's constraints on the volumes; absent for none. */
  readonly placement?: PackingPlacement
  /** One volume also for an empty inventory: the lists of a plan that adds to others go there. */
  readonly isAtLeastOne?: boolean
}

/**
 * The shares of a volume above which a folder that it has no room for is opened: from folders that
 * are opened only if no volume could hold them, to volumes filled to the last.
 */
const OPEN_ABOVE = [1, 0.5, 0.25, 0.1, 0]

/** Other arrangements are tried only while this many entries have to be looked at in all. */
const ENTRIES_TRIED = 1_500_000
/** The same once the fewest volumes are reached and only broken folders could become fewer. */
const ENTRIES_IMPROVED = 150_000
const MOST_ROUNDS = 4

/**
 * Puts every entry of the inventory on volumes. The goal, in this order: fewest volumes, fewest
 * split files, fewest folders on several volumes. Only files that no empty volume could hold are
 * split. Names of the same file share a volume unless that is impossible (then a problem says so),
 * and so do files with their companions.
 * Deterministic: the order of the inventory does not matter, and nothing else is looked at. An
 * empty inventory gives no volumes, unless one is asked for.
 *
 * A placement comes before the goal: pinned trees are placed first, kept folders are not opened,
 * and with an order of a person's one volume is filled after another. Parts of split files come
 * before that order.
 *
 * By the cost model no volume is over its allowance. The model is an upper bound for usual trees;
 * the mastering tool has the last word: ask it, then use `tightenAllowances` and pack again.
 * @throws AppError `cannot-fit` when a volume has no room for something that cannot be divided or
 *   is pinned to it, `bad-input` when the inventory contradicts itself, `refused` when the
 *   placement does, `not-found` when it names something that is not in the inventory.
 */
export function packVolumes(items: readonly InventoryItem[], options: PackingOptions): Packing {
  const { cost } = options
  const setAside =
    cost.baseBytes +
    wholeSectors(options.reserveBytes, cost.sectorBytes) +
    (options.overheadSectors ?? 0) * cost.sectorBytes
  const { capacitySectors, firstCapacities = [] } = options
  const defaultSectors = options.allowances?.defaultSectors ?? capacitySectors
  const lost = capacitySectors - defaultSectors
  const allowanceOf = (bin: number): number =>
    options.allowances?.byBin.get(bin) ?? (firstCapacities[bin] ?? capacitySectors) - lost
  const capacityOf = (bin: number): number => allowanceOf(bin) * cost.sectorBytes - setAside
  const capacity = defaultSectors * cost.sectorBytes - setAside
  if (capacity <= 0) {
    // Layouts that came out larger than the model have taken their part too.
    const needed = Math.ceil(setAside / cost.sectorBytes) + lost
    throw new AppError(
      'cannot-fit',
      said`a volume of ${capacitySectors} sectors is too small: every volume needs more than ${needed} for its lists`,
    )
  }
  const prepared = prepare(items, options, capacity, capacityOf)
  const { tree, splits, problems, placed } = prepared
  const task: FillTask = {
    tree,
    cost: wholeCosts(tree, placed),
    placed,
    pieces: [...splits.values()].flatMap((all) => all.filter((piece) => piece.bin !== null)),
    pieceCost: (piece) =>
      (prepared.records[piece.node] as number) + wholeSectors(piece.bytes, cost.sectorBytes),
    capacityOf,
    keepsFolders: options.placement?.order === 'folders',
  }
  checkEveryEntryFits(tree, capacity, options.capacitySectors)
  const indexOf = (item: number): number => (prepared.items[item] as InventoryItem).index
  const order = options.placement ? personOrder(tree, options.placement, indexOf) : null
  const groups = firstCapacities.map((sectors) => firstCapacities.indexOf(sectors))
  const leastBytes = leastBytesOf(task)
  const assembled = assembleVolumes({
    items: prepared.items,
    task,
    filled: order
      ? fillInOrder(task, order, prepared.lowerBound)
      : fillBest(task, prepared.lowerBound, leastBytes),
    keepsOrder: order !== null,
    isAtLeastOne: options.isAtLeastOne ?? false,
    capacity,
    splits,
    namings: namePartStems(tree, splits, cost.maxNameBytes),
    baseBytes: cost.baseBytes,
    sectorBytes: cost.sectorBytes,
    allowanceOf,
    groupOf: (bin) => groups[bin] ?? firstCapacities.length,
  })
  requireVolumes(assembled.volumes, options)
  return {
    ...assembled,
    splitFiles: splits.size,
    lowerBoundVolumes: prepared.lowerBound,
    leastBytes,
    apart: prepared.apart,
    problems,
  }
}

/** @throws AppError `cannot-fit` with the bytes that have no volume */
function requireVolumes(
  volumes: readonly PackedVolume[],
  { mostVolumes = Number.POSITIVE_INFINITY, firstCapacities = [] }: PackingOptions,
): void {
  const further = volumes.filter(({ bin }) => bin >= firstCapacities.length)
  const over = further.slice(Math.max(0, mostVolumes - firstCapacities.length))
  if (over.length === 0) return
  const bytes = formatSize(over.reduce((sum, volume) => sum + volume.bytes, 0))
  throw new AppError(
    'cannot-fit',
    said`cannot fit the source on ${formatCounted(mostVolumes, 'volume')}: ${bytes} are left over; add ${formatCounted(over.length, 'volume')} of the last medium`,
  )
}

interface Prepared {
  readonly items: readonly InventoryItem[]
  readonly tree: PackingTree
  readonly splits: Map<number, Piece[]>
  /** By node: what a file or a part of it costs besides its content. */
  readonly records: Float64Array
  readonly lowerBound: number
  readonly problems: PlanProblem[]
  readonly placed: PlacedTrees
  /** As in a packing. */
  readonly apart: readonly number[]
}

/**
 * The tree with large files split; names of a file that cannot share a volume become files of their
 * own.
 */
function prepare(
  given: readonly InventoryItem[],
  options: PackingOptions,
  capacity: number,
  capacityOf: (bin: number) => number,
): Prepared {
  const { sectorBytes } = options.cost
  // A part's name is at most 16 bytes longer than the file's; that may make its folder spill for the first time.
  const partExtraCost = sectorBytes + 128
  const problems: PlanProblem[] = []
  const companies: number[] = []
  let items = given
  let lowerBound: number | null = null
  for (;;) {
    const tree = packingTree(items, options.cost)
    const parted = companiesWithoutRoom(tree, items, capacity, options.maxFileBytes)
    if (parted.size > 0) {
      companies.push(...parted)
      items = items.map((one) =>
        one.with !== undefined && parted.has(one.with) ? { ...one, with: undefined } : one,
      )
      continue
    }
    const records = tree.ownCost.map((own, node) => own - contentCost(tree, node, sectorBytes))
    const placed = options.placement ? placedTrees(tree, options.placement) : nothingPlaced()
    const splits = splitLargeFiles(tree, {
      recordCost: (node) => records[node] as number,
      partExtraCost,
      boundaryBytes: wholeSectors(options.splitBoundaryBytes, sectorBytes),
      sectorBytes,
      maxFileBytes: options.maxFileBytes ?? Number.MAX_SAFE_INTEGER,
      capacityOf: options.placement ? roomBeside(tree, placed, capacity, capacityOf) : capacityOf,
      capacity,
    })
    lowerBound ??= boundOf(tree, splits, options)
    for (const [node, pieces] of splits) {
      const last = pieces.at(-1) as Piece
      records[node] = (records[node] as number) + partExtraCost
      tree.content[node] = last.bytes
      tree.ownCost[node] = records[node] + contentCost(tree, node, sectorBytes)
    }
    const apart = leadersWithoutRoom(tree, capacity)
    if (apart.length === 0)
      return { items, tree, splits, records, lowerBound, problems, placed, apart: companies }
    const files = new Set<number>()
    for (const node of apart) {
      const one = items[tree.item[node] as number] as InventoryItem
      files.add(one.kind === 'hardLink' ? (one.linkOf as number) : one.index)
      problems.push(storedAgain(one.path))
    }
    items = items.map((one) =>
      one.kind === 'hardLink' && files.has(one.linkOf as number)
        ? Object.assign(one, {
            kind: 'file' as const,
            linkOf: undefined,
          })
        : one,
    )
  }
}

/**
 * The bytes of each volume that parts of split files may use.
 * @throws AppError `cannot-fit` for what is pinned or kept together and does not fit
 */
function roomBeside(
  tree: PackingTree,
  placed: PlacedTrees,
  capacity: number,
  capacityOf: (bin: number) => number,
): (bin: number) => number {
  const cost = wholeCosts(tree, placed)
  const task: FillTask = { tree, cost, pieces: [], pieceCost: () => 0, capacityOf, placed }
  requireKeptFit(task, capacity)
  return roomBesidePins(task)
}

function storedAgain(path: string): PlanProblem {
  return {
    code: 'hard-link-stored-again',
    message: said`${pathForDisplay(path)} has several names that cannot share a volume: its content is stored for each`,
    path,
    blocking: false,
  }
}

function contentCost(tree: PackingTree, node: number, sectorBytes: number): number {
  return tree.kind[node] === NODE.file ? wholeSectors(tree.content[node] as number, sectorBytes) : 0
}

/**
 * First names of files that with the folders of all their further names fill more than a volume. Of
 * a split file the tree has only the last part.
 */
function leadersWithoutRoom(tree: PackingTree, capacity: number): number[] {
  return [...tree.leaders].filter((leader, k) => needWithRiders(tree, leader, k) > capacity)
}

/** The bytes of a leader with all that rides with it on an empty volume at most. */
function needWithRiders(tree: PackingTree, leader: number, k: number): number {
  // The records of a split file's further names are in the index alone; their folders are not.
  let need = (tree.ownCost[leader] as number) + (tree.chainCost[tree.parent[leader] as number] as number)
  const seen = new Set<number>()
  for (const rider of ridersOf(tree, k)) {
    let at = tree.parent[rider] as number
    for (; at > 0 && !seen.has(at); at = tree.parent[at] as number) {
      seen.add(at)
      need += tree.ownCost[at] as number
    }
  }
  return need
}

function ridersOf({ riders, riderStart }: PackingTree, k: number): Int32Array {
  return riders.subarray(riderStart[k], riderStart[k + 1])
}

/**
 * The files whose companions no volume can hold with them, or of which one is too large for any
 * volume's format.
 */
function companiesWithoutRoom(
  tree: PackingTree,
  items: readonly InventoryItem[],
  capacity: number,
  maxFileBytes = Number.POSITIVE_INFINITY,
): Set<number> {
  const apart = new Set<number>()
  for (const [k, leader] of tree.leaders.entries()) {
    const all = [leader, ...ridersOf(tree, k)]
    const belongsTo = all
      .map((node) => items[tree.item[node] as number]?.with)
      .find((index) => index !== undefined)
    if (belongsTo === undefined) continue
    const isTooLarge = all.some((node) => (tree.content[node] as number) > maxFileBytes)
    if (isTooLarge || needWithRiders(tree, leader, k) > capacity) apart.add(belongsTo)
  }
  return apart
}

function boundOf(
  tree: PackingTree,
  splits: ReadonlyMap<number, unknown>,
  { capacitySectors, firstCapacities = [], cost, reserveBytes, isAtLeastOne }: PackingOptions,
): number {
  if (tree.size === 1) return isAtLeastOne ? 1 : 0
  const sizes: number[] = []
  let divisible = 0
  for (let node = 1; node < tree.size; node++) {
    divisible += cost.leastEntryBytes
    if (tree.kind[node] !== NODE.file && tree.kind[node] !== NODE.companion) continue
    const content = wholeSectors(tree.content[node] as number, cost.sectorBytes)
    if (splits.has(node)) divisible += content
    else sizes.push(content + cost.leastFileBytes)
  }
  const largest = Math.max(capacitySectors, ...firstCapacities)
  const capacity = largest * cost.sectorBytes - cost.leastBaseBytes - reserveBytes
  return Math.max(1, lowerBoundVolumes(Float64Array.from(sizes), divisible, capacity))
}

/**
 * Cost of every node with all that lies below it and has no place of its own. Folders in which only
 * riders and placed trees are cost nothing here: those bring them.
 */
function wholeCosts(tree: PackingTree, { pinned, ties }: PlacedTrees): Float64Array {
  const { size, kind, parent, end, ownCost } = tree
  const cost = new Float64Array(size)
  const apart = new Set([...pinned.map(({ node }) => node), ...ties.flat()])
  for (let node = size - 1; node > 0; node--) {
    if (rides(kind[node])) continue
    if (kind[node] !== NODE.folder || end[node] === node + 1 || (cost[node] as number) > 0) {
      cost[node] = (cost[node] as number) + (ownCost[node] as number)
    }
    if (apart.size > 0 && apart.has(node)) continue
    const up = parent[node] as number
    cost[up] = (cost[up] as number) + (cost[node] as number)
  }
  return cost
}

function checkEveryEntryFits(tree: PackingTree, capacity: number, capacitySectors: number): void {
  for (let node = 1; node < tree.size; node++) {
    const above = tree.chainCost[tree.parent[node] as number] as number
    if (rides(tree.kind[node]) || (tree.ownCost[node] as number) + above <= capacity) continue
    const path = tree.path(node)
    throw new AppError(
      'cannot-fit',
      said`${pathForDisplay(path)} with the folders above it does not fit on a volume of ${capacitySectors} sectors`,
      { path },
    )
  }
}

/** The fewest volumes, and none that stays empty before one with a pin. */
function fillBest(task: FillTask, lowerBound: number, leastBytes: number): Filled {
  const { volumes } = task.placed
  const best = fillFewest(task, Math.max(lowerBound, leastFor(leastBytes, task)))
  return best.volumes < volumes ? fillFewest({ ...task, fillsAll: true }, volumes) : best
}

function leastBytesOf({ cost, pieces, pieceCost, placed: { pinned, ties } }: FillTask): number {
  let total = cost[0] as number
  for (const piece of pieces) total += pieceCost(piece)
  for (const node of [...pinned.map((one) => one.node), ...ties.flat()]) total += cost[node] as number
  return total
}

/** The volumes whose room together is that of the content. */
function leastFor(total: number, { capacityOf }: FillTask): number {
  let bin = 0
  for (let left = total; left > 0; bin++) left -= Math.max(1, capacityOf(bin))
  return bin
}

/** One volume after another: the fewest of them, then the fewest broken folders. */
function fillInOrder(task: FillTask, by: PersonOrder, lowerBound: number): Filled {
  let best: Filled | null = null
  let mostLeft = Number.POSITIVE_INFINITY
  let looked = 0
  for (const openAbove of OPEN_ABOVE) {
    if (mostLeft <= openAbove) continue
    const filled = fillVolumes(task, 1, { by, openAbove })
    mostLeft = filled.mostLeft
    looked += task.tree.size
    if (best === null || isBetter(filled, best)) best = filled
    if (best.volumes <= lowerBound && looked > ENTRIES_IMPROVED) break
  }
  return best as Filled
}

function isBetter(filled: Filled, best: Filled): boolean {
  return filled.volumes === best.volumes ? filled.presences < best.presences : filled.volumes < best.volumes
}

/**
 * Tries numbers of volumes from the bound upwards and every order; keeps the fewest volumes, then
 * the fewest broken folders.
 */
function fillFewest(task: FillTask, least: number): Filled {
  let bins = least
  let best: Filled | null = null
  let looked = 0
  for (let round = 0; round < MOST_ROUNDS; round++) {
    for (const order of FILL_ORDERS) {
      const filled = fillVolumes(task, bins, order)
      looked += task.tree.size
      if (best === null || isBetter(filled, best)) best = filled
      if (looked > (best.volumes <= bins ? ENTRIES_IMPROVED : ENTRIES_TRIED)) return best
    }
    if ((best as Filled).volumes <= bins) break
    bins = Math.min((best as Filled).volumes, bins + 1)
  }
  return best as Filled
}
