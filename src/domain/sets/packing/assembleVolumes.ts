import { AppError } from '../../../primitives/appError'
import { brokenFolders } from './brokenFolders'
import { type Filled, type FillTask, tooFewFor } from './fillVolumes'
import type { Assignment, InventoryItem, PackedVolume, Packing } from './inventory'
import { NODE, type PackingTree } from './packingTree'
import { type PartNaming, type Piece, partName } from './splitFiles'

interface AssemblyTask {
  readonly items: readonly InventoryItem[]
  readonly task: FillTask
  readonly filled: Filled
  readonly splits: ReadonlyMap<number, readonly Piece[]>
  readonly namings: ReadonlyMap<number, PartNaming>
  readonly baseBytes: number
  readonly sectorBytes: number
  readonly allowanceOf: (bin: number) => number
  /** Ascending numbers of volumes with the same capacity, which follow one another. */
  readonly groupOf: (bin: number) => number
  /** Volumes stay in the order in which they were filled. */
  readonly keepsOrder: boolean
  /** True: one volume where nothing is to be placed. */
  readonly isAtLeastOne: boolean
  /** Bytes that entries may use on a volume without a lowered allowance. */
  readonly capacity: number
}

/**
 * Writes out what each volume holds and counts it again from nothing. Volumes filled by parts of
 * large files come first, so that parts ascend with the volumes; the others follow in the order of
 * the first thing on them, or as they were filled where a person chose the order. Volumes with pins
 * keep their number.
 * @throws AppError `internal` when a volume is over its allowance: packing has a bug; `refused` for
 *   a pin to a volume that does not follow others.
 */
export function assembleVolumes(
  assembly: AssemblyTask,
): Pick<Packing, 'volumes' | 'folderBreaks' | 'brokenFolders'> {
  const { tree, pieces } = assembly.task
  const nodes = nodesByBin(assembly)
  const leading = new Set(pieces.map((piece) => piece.bin as number))
  const isFirst = (bin: number): boolean => assembly.keepsOrder || leading.has(bin)
  const rank = (bin: number): number => (isFirst(bin) ? -1 : ((nodes[bin] as number[])[0] as number))
  const sorted = [...nodes.keys()]
    .filter((bin) => (nodes[bin] as number[]).length > 0)
    .toSorted((a, b) => assembly.groupOf(a) - assembly.groupOf(b) || rank(a) - rank(b) || a - b)
  const bins = withPinsInPlace(sorted.length === 0 && assembly.isAtLeastOne ? [0] : sorted, assembly.task)
  const piecesOn = piecesByBin(assembly)
  const splitLeaders = splitLeadersOf(assembly)
  const lastVolume = new Int32Array(tree.size).fill(-1)
  const volumesOf = new Int32Array(tree.size)
  let presences = 0
  let folders = 0
  const volumes = bins.map((bin, volume) => {
    const packed = volumeOf(assembly, splitLeaders, bin, nodes[bin] ?? [], piecesOn, (folder) => {
      if (lastVolume[folder] === volume) return false
      if (lastVolume[folder] === -1) folders += 1
      lastVolume[folder] = volume
      volumesOf[folder] = (volumesOf[folder] as number) + 1
      presences += 1
      return true
    })
    return packed
  })
  return {
    volumes,
    folderBreaks: presences - folders,
    brokenFolders: brokenFolders(assembly.task, volumesOf, assembly.capacity),
  }
}

/** Volumes in their order, those with pins at their own number. */
function withPinsInPlace(sorted: readonly number[], { placed, tree }: FillTask): readonly number[] {
  if (placed.volumes === 0) return sorted
  if (sorted.length < placed.volumes) throw tooFewFor(placed, tree, sorted.length)
  const pinned = new Set(placed.pinned.map(({ bin }) => bin))
  const others = sorted.filter((bin) => !pinned.has(bin))
  let next = 0
  return sorted.map((_, at) => (pinned.has(at) ? at : (others[next++] as number)))
}

/**
 * For every bin the nodes that are there themselves (files, symlinks, empty folders), ascending.
 */
function nodesByBin({ task, filled, splits }: AssemblyTask): number[][] {
  const { tree } = task
  const binOf = filled.binOf.slice()
  // What lies in a tree goes with it unless it has a volume of its own.
  for (let node = 1; node < tree.size; node++) {
    if (binOf[node] === -1) binOf[node] = binOf[tree.parent[node] as number] as number
  }
  for (let k = 0; k < tree.leaders.length; k++) {
    for (let r = tree.riderStart[k] as number; r < (tree.riderStart[k + 1] as number); r++) {
      binOf[tree.riders[r] as number] = binOf[tree.leaders[k] as number] as number
    }
  }
  const nodes: number[][] = []
  const add = (bin: number, node: number): void => {
    while (nodes.length <= bin) nodes.push([])
    const list = nodes[bin] as number[]
    if (list.at(-1) !== node) list.push(node)
  }
  for (let node = 1; node < tree.size; node++) {
    if (tree.kind[node] === NODE.folder && (tree.end[node] as number) > node + 1) continue
    for (const piece of splits.get(node) ?? []) if (piece.bin !== null) add(piece.bin, node)
    add(binOf[node] as number, node)
  }
  return nodes
}

/** For each split file and each bin the places of its pieces there. */
function piecesByBin({ task, filled, splits }: AssemblyTask): Map<number, Map<number, number[]>> {
  const byNode = new Map<number, Map<number, number[]>>()
  for (const [node, pieces] of splits) {
    const last = (): number => lastBin(filled, task.tree, node)
    byNode.set(
      node,
      Map.groupBy(pieces.keys(), (k) => pieces[k]?.bin ?? last()),
    )
  }
  return byNode
}

function volumeOf(
  { items, task, splits, namings, baseBytes, sectorBytes, allowanceOf }: AssemblyTask,
  splitLeaders: ReadonlyMap<number, number>,
  bin: number,
  nodes: readonly number[],
  piecesOn: ReadonlyMap<number, ReadonlyMap<number, readonly number[]>>,
  isNew: (folder: number) => boolean,
): PackedVolume {
  const { tree } = task
  const assignments: Assignment[] = []
  const count = { files: 0, hardLinks: 0, parts: 0, folders: 0, symlinks: 0, bytes: 0 }
  let cost = baseBytes
  const addFolder = (folder: number): void => {
    assignments.push((tree.item[folder] as number) >= 0 ? whole(items, tree, folder) : implied(tree, folder))
    count.folders += 1
    cost += tree.ownCost[folder] as number
  }
  const addPieces = (node: number, pieces: readonly Piece[]): void => {
    const naming = namings.get(node) as PartNaming
    const { path, index } = items[tree.item[node] as number] as InventoryItem
    const folder = path.slice(0, path.lastIndexOf('/') + 1)
    for (const k of piecesOn.get(node)?.get(bin) ?? []) {
      const piece = pieces[k] as Piece
      assignments.push({
        kind: 'part',
        index,
        path: folder + partName(naming, k + 1),
        part: k + 1,
        parts: pieces.length,
        offset: piece.offset,
        bytes: piece.bytes,
      })
      count.files += 1
      count.parts += 1
      count.bytes += piece.bytes
      cost += task.pieceCost(piece)
    }
  }
  for (const node of nodes) {
    const missing: number[] = []
    for (let at = tree.parent[node] as number; at > 0 && isNew(at); at = tree.parent[at] as number) {
      missing.push(at)
    }
    for (const folder of missing.toReversed()) addFolder(folder)
    const pieces = splits.get(node)
    const kind = tree.kind[node]
    if (pieces) addPieces(node, pieces)
    else if (kind === NODE.folder) {
      if (isNew(node)) addFolder(node)
    } else {
      const leader = splitLeaders.get(node)
      assignments.push(leader === undefined ? whole(items, tree, node) : nameOf(items, tree, node, leader))
      if (kind === NODE.symlink) count.symlinks += 1
      else count.files += 1
      if (kind === NODE.rider) count.hardLinks += 1
      else {
        count.bytes += tree.content[node] as number
        if (kind !== NODE.companion) cost += tree.ownCost[node] as number
      }
    }
  }
  const modelSectors = Math.ceil(cost / sectorBytes)
  const allowanceSectors = allowanceOf(bin)
  if (modelSectors > allowanceSectors) {
    throw new AppError(
      'internal',
      `packing put ${modelSectors} sectors on a volume of ${allowanceSectors}: ${nodes.length} entries`,
    )
  }
  return { bin, assignments, ...count, modelSectors, allowanceSectors }
}

/** The volume of a node, which may lie in a tree that was placed whole. */
function lastBin(filled: Filled, tree: PackingTree, node: number): number {
  let at = node
  while (filled.binOf[at] === -1) at = tree.parent[at] as number
  return filled.binOf[at] as number
}

function whole(items: readonly InventoryItem[], tree: PackingTree, node: number): Assignment {
  return { kind: 'whole', index: (items[tree.item[node] as number] as InventoryItem).index }
}

function nameOf(
  items: readonly InventoryItem[],
  tree: PackingTree,
  node: number,
  leader: number,
): Assignment {
  const { path } = items[tree.item[leader] as number] as InventoryItem
  return { kind: 'name', index: (items[tree.item[node] as number] as InventoryItem).index, linkOf: path }
}

/** For each further name of a split file the node of the name whose content is split. */
function splitLeadersOf({ task: { tree }, splits }: AssemblyTask): Map<number, number> {
  const leaders = new Map<number, number>()
  for (const [k, leader] of tree.leaders.entries()) {
    if (!splits.has(leader)) continue
    for (let at = tree.riderStart[k] as number; at < (tree.riderStart[k + 1] as number); at++)
      leaders.set(tree.riders[at] as number, leader)
  }
  return leaders
}

function implied(tree: PackingTree, folder: number): Assignment {
  return { kind: 'impliedFolder', path: tree.path(folder) }
}
