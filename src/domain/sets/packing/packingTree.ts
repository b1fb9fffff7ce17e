import { AppError } from '../../../primitives/appError'
import { pathForDisplay } from '../../../primitives/pathText'
import { said } from '../../../primitives/said'
import { nameBytes } from '../naming/nameBytes'
import type { CostModel } from './costModel'
import type { InventoryItem } from './inventory'

/**
 * The kinds of nodes of the tree. A second name of a file rides: it goes wherever the file's first
 * name goes. So does a companion, a file that belongs to another.
 */
export const NODE = { folder: 0, file: 1, symlink: 2, rider: 3, companion: 4 } as const

/** True for what goes with another node, which pays for it. */
export function rides(kind: number | undefined): boolean {
  return kind === NODE.rider || kind === NODE.companion
}

/**
 * The inventory as a tree in columns. Nodes are numbered in the order of names, folders before what
 * they hold, so what lies below node `v` is `v + 1` up to (not including) `end[v]`. Node 0 is the
 * volume's root.
 */
export interface PackingTree {
  readonly size: number
  readonly kind: Uint8Array
  readonly parent: Int32Array
  readonly end: Int32Array
  /** Place in the inventory, -1 for folders that only other entries' paths name. */
  readonly item: Int32Array
  /** Bytes of a file or of a further name of one; 0 for all else. */
  readonly content: Float64Array
  /**
   * For files, symlinks and riders: content in whole sectors and records. For folders: what the
   * folder takes for itself.
   */
  readonly ownCost: Float64Array
  /**
   * Cost of all folders from the root's child down to this one: what a volume pays that has none of
   * them yet.
   */
  readonly chainCost: Float64Array
  /**
   * First names that have further ones or companions, ascending; those of `leaders[k]` are
   * `riders[riderStart[k] .. riderStart[k + 1])`.
   */
  readonly leaders: Int32Array
  readonly riderStart: Int32Array
  readonly riders: Int32Array
  /**
   * The path of a node, from the inventory or, for a folder without an entry, from what it holds.
   */
  path(node: number): string
  /** The name of a node. */
  name(node: number): string
}

/** The nodes as they are found, before they get their final numbers. */
interface Draft {
  readonly names: string[]
  readonly parents: number[]
  /** Place in the inventory or -1. */
  readonly items: number[]
  readonly kinds: number[]
  /** Bytes of names. */
  readonly lengths: number[]
}

/**
 * Makes the tree of an inventory. The order of the inventory does not matter. No recursion: depth
 * is limited by memory only.
 * @throws AppError `bad-input` when two entries have the same path, an entry lies below a file,
 * or a hard link or a companion names no file.
 */
export function packingTree(items: readonly InventoryItem[], cost: CostModel): PackingTree {
  const draft = draftOf(items)
  const children = childrenInOrder(draft)
  const size = draft.names.length
  const kind = new Uint8Array(size)
  const parent = new Int32Array(size).fill(-1)
  const end = new Int32Array(size)
  const item = new Int32Array(size)
  const draftOfNode = new Int32Array(size)
  const nodeOfDraft = new Int32Array(size)
  const lengths = new Int32Array(size)
  const pending: number[] = [0]
  let node = 0
  while (pending.length > 0) {
    const at = pending.pop() as number
    draftOfNode[node] = at
    nodeOfDraft[at] = node
    item[node] = draft.items[at] as number
    if (at !== 0) parent[node] = nodeOfDraft[draft.parents[at] as number] as number
    kind[node] = draft.kinds[at] as number
    lengths[node] = draft.lengths[at] as number
    const from = children.start[at] as number
    for (let k = (children.start[at + 1] as number) - 1; k >= from; k--)
      pending.push(children.list[k] as number)
    node += 1
  }
  for (let v = 0; v < size; v++) end[v] = v + 1
  for (let v = size - 1; v > 0; v--) {
    const up = parent[v] as number
    if ((end[v] as number) > (end[up] as number)) end[up] = end[v] as number
  }
  const name = (v: number): string => draft.names[draftOfNode[v] as number] as string
  const path = (v: number): string => {
    const place = item[v] as number
    if (place >= 0) return (items[place] as InventoryItem).path
    const parts: string[] = []
    for (let at = v; at > 0; at = parent[at] as number) parts.push(name(at))
    return parts.toReversed().join('/')
  }
  const groups = rideGroups(items, item, kind)
  const costs = nodeCosts({ items, cost, kind, parent, item, lengths, ...groups })
  return { size, kind, parent, end, item, path, name, ...groups, ...costs }
}

function draftOf(items: readonly InventoryItem[]): Draft {
  const names: string[] = ['']
  const parents: number[] = [-1]
  const itemOf: number[] = [-1]
  const kinds: number[] = [NODE.folder]
  const lengths: number[] = [0]
  const add = (name: string, place: number, kind: number): void => {
    names.push(name)
    lengths.push(nameBytes(name))
    itemOf.push(place)
    kinds.push(kind)
  }
  const folders = new Map<string, number>([['', 0]])
  const folderAt = (path: string): number => {
    const known = folders.get(path)
    if (known !== undefined) return known
    // Walk up to the nearest folder that is known, then make the missing ones downwards.
    const missing: string[] = []
    let rest = path
    let found: number | undefined
    while ((found = folders.get(rest)) === undefined) {
      missing.push(rest)
      const slash = rest.lastIndexOf('/')
      rest = slash < 0 ? '' : rest.slice(0, slash)
    }
    let at: number = found
    for (const folder of missing.toReversed()) {
      parents.push(at)
      add(folder.slice(folder.lastIndexOf('/') + 1), -1, NODE.folder)
      at = names.length - 1
      folders.set(folder, at)
    }
    return at
  }
  // Entries mostly follow others of the same folder.
  let lastPath = ''
  let lastFolder = 0
  for (let place = 0; place < items.length; place++) {
    const { path, kind } = items[place] as InventoryItem
    if (kind === 'folder') {
      const at = folderAt(path)
      if ((itemOf[at] as number) >= 0) throw twice(path)
      itemOf[at] = place
      continue
    }
    if (path === '') throw new AppError('bad-input', said`an entry that is no folder has an empty path`)
    const slash = path.lastIndexOf('/')
    const length = Math.max(0, slash)
    if (length !== lastPath.length || !path.startsWith(lastPath)) {
      lastPath = path.slice(0, length)
      lastFolder = folderAt(lastPath)
    }
    parents.push(lastFolder)
    add(path.slice(slash + 1), place, kind === 'symlink' ? NODE.symlink : NODE.file)
  }
  return { names, parents, items: itemOf, kinds, lengths }
}

/** Children of every draft node in the order of their names, as one list with starts. */
function childrenInOrder(draft: Draft): { start: Int32Array; list: Int32Array } {
  const { names, parents } = draft
  const size = names.length
  const start = new Int32Array(size + 1)
  for (let at = 1; at < size; at++) {
    const slot = (parents[at] as number) + 1
    start[slot] = (start[slot] as number) + 1
  }
  for (let at = 0; at < size; at++) start[at + 1] = (start[at + 1] as number) + (start[at] as number)
  const list = new Int32Array(Math.max(0, size - 1))
  const next = start.slice(0, size)
  for (let at = 1; at < size; at++) {
    const up = parents[at] as number
    list[next[up] as number] = at
    next[up] = (next[up] as number) + 1
  }
  for (let at = 0; at < size; at++) {
    sortByName(list.subarray(start[at], start[at + 1]), names)
  }
  return { start, list }
}

function sortByName(list: Int32Array, names: readonly string[]): void {
  let sorted = true
  for (let k = 1; k < list.length && sorted; k++) {
    sorted = (names[list[k - 1] as number] as string) < (names[list[k] as number] as string)
  }
  if (sorted) return
  list.sort((a, b) => ((names[a] as string) < (names[b] as string) ? -1 : 1))
  for (let k = 1; k < list.length; k++) {
    const name = names[list[k] as number] as string
    if (name === names[list[k - 1] as number]) throw twice(name)
  }
}

function twice(path: string): AppError {
  return new AppError('bad-input', said`two entries have the same place: ${pathForDisplay(path)}`, { path })
}

/**
 * Finds the files with several names or with companions; the first in the order of nodes leads, the
 * others ride. Of each content the first name carries the bytes.
 */
function rideGroups(
  items: readonly InventoryItem[],
  item: Int32Array,
  kind: Uint8Array,
): Pick<PackingTree, 'leaders' | 'riderStart' | 'riders'> {
  const riding = items.filter((one) => one.kind === 'hardLink' || one.with !== undefined)
  if (riding.length === 0) {
    return { leaders: new Int32Array(0), riderStart: new Int32Array(1), riders: new Int32Array(0) }
  }
  const files = new Map(items.flatMap((one) => (one.kind === 'file' ? [[one.index, one] as const] : [])))
  const contentOf = (one: InventoryItem): number => (one.kind === 'hardLink' ? (one.linkOf ?? -1) : one.index)
  const leaderOf = (one: InventoryItem): number => {
    const content = contentOf(one)
    return files.get(content)?.with ?? content
  }
  const groups = new Map<number, number[]>()
  for (const one of riding) {
    const leader = files.get(leaderOf(one))
    if (!leader || leader.with !== undefined) throw lost(one)
    groups.set(leader.index, [])
  }
  for (let v = 0; v < item.length; v++) {
    const place = item[v] as number
    const one = place < 0 ? undefined : items[place]
    if (one && kind[v] === NODE.file) groups.get(leaderOf(one))?.push(v)
  }
  const ordered = [...groups.values()].toSorted((a, b) => (a[0] as number) - (b[0] as number))
  const riders: number[] = []
  const riderStart: number[] = [0]
  for (const [first = 0, ...others] of ordered) {
    const itemAt = (v: number): InventoryItem => items[item[v] as number] as InventoryItem
    const carried = new Set([contentOf(itemAt(first))])
    for (const rider of others) {
      const content = contentOf(itemAt(rider))
      kind[rider] = carried.has(content) ? NODE.rider : NODE.companion
      carried.add(content)
      riders.push(rider)
    }
    riderStart.push(riders.length)
  }
  return {
    leaders: Int32Array.from(ordered, (group) => group[0] as number),
    riderStart: Int32Array.from(riderStart),
    riders: Int32Array.from(riders),
  }
}

function lost(one: InventoryItem): AppError {
  const path = pathForDisplay(one.path)
  const message =
    one.kind === 'hardLink'
      ? said`hard link ${path} names no file of the inventory`
      : said`${path} belongs to no file of the inventory`
  return new AppError('bad-input', message, { path: one.path })
}

function nodeCosts(
  tree: Pick<PackingTree, 'kind' | 'parent' | 'item' | 'leaders' | 'riderStart' | 'riders'> & {
    readonly items: readonly InventoryItem[]
    readonly lengths: Int32Array
    readonly cost: CostModel
  },
): Pick<PackingTree, 'content' | 'ownCost' | 'chainCost'> {
  const { items, cost, kind, parent, item, lengths } = tree
  const size = kind.length
  const content = new Float64Array(size)
  const ownCost = new Float64Array(size)
  const chainCost = new Float64Array(size)
  const spills = new Uint8Array(size)
  for (let v = 1; v < size; v++) {
    if (kind[v] === NODE.folder) {
      if (cost.spills('folder', lengths[v] as number)) spills[parent[v] as number] = 1
      continue
    }
    const one = items[item[v] as number] as InventoryItem
    const bytes = kind[v] === NODE.symlink ? 0 : one.bytes
    const entryKind = kind[v] === NODE.symlink ? 'symlink' : 'file'
    content[v] = bytes
    ownCost[v] = cost.entryBytes(entryKind, lengths[v] as number, bytes, one.targetBytes ?? 255)
    if (kind[v] === NODE.file || kind[v] === NODE.companion)
      ownCost[v] = (ownCost[v] as number) + wholeSectors(bytes, cost.sectorBytes)
    if (cost.spills(entryKind, lengths[v] as number)) spills[parent[v] as number] = 1
  }
  // A file pays for its further names and companions, because they go where it goes.
  for (let k = 0; k < tree.leaders.length; k++) {
    const leader = tree.leaders[k] as number
    for (let r = tree.riderStart[k] as number; r < (tree.riderStart[k + 1] as number); r++) {
      ownCost[leader] = (ownCost[leader] as number) + (ownCost[tree.riders[r] as number] as number)
    }
  }
  for (let v = 1; v < size; v++) {
    if (kind[v] !== NODE.folder) continue
    ownCost[v] = cost.folderBytes(lengths[v] as number, spills[v] === 1)
    chainCost[v] = (chainCost[parent[v] as number] as number) + (ownCost[v] as number)
  }
  return { content, ownCost, chainCost }
}

/** Bytes in whole sectors. */
export function wholeSectors(bytes: number, sectorBytes: number): number {
  return Math.ceil(bytes / sectorBytes) * sectorBytes
}
