import type { SetNeeds, SetRow, SetRows } from '../../../contract/dto/openedSet'
import type { ChoiceMarks } from '../../../domain/sets/restoreChoice'
import { AppError } from '../../../primitives/appError'
import { pathForDisplay } from '../../../primitives/pathText'
import { said } from '../../../primitives/said'
import { namePattern } from '../../catalog/namePattern'
import type { Pause } from '../../jobs/slowly'
import type { ContentSources, RowSource } from './contentSources'

const KINDS = ['folder', 'file', 'symlink'] as const
const [FOLDER, FILE, SYMLINK] = [0, 1, 2]
/** Volumes of a row that are named; the others are counted. */
const NAMED_VOLUMES = 4
/** Rows between two pauses. */
const SLICE = 4096

/** An entry of the source in a set. Folders need not come before what is in them, nor at all. */
export interface TreeEntry {
  readonly path: string
  readonly kind: SetRow['kind']
  readonly bytes: number
  readonly source: RowSource
}

/** A folder while the tree is made. */
interface Draft {
  readonly folders: Map<string, Draft>
  readonly others: Map<string, TreeEntry>
}

/** The sums of a choice. */
export interface Chosen extends Pick<SetNeeds, 'folders' | 'files' | 'links' | 'bytes'> {
  /** Bytes that are read from each volume, by its number: of a container all that is in it. */
  readonly byVolume: ReadonlyMap<number, number>
}

/**
 * The folders and files of a set by its index, in a few dozen bytes each: folders first, each by
 * name. The rows of one folder follow one another, and come after the folder.
 */
export class SetTree {
  readonly #names: string[] = ['']
  readonly #parents: Uint32Array
  readonly #firsts: Uint32Array
  readonly #counts: Uint32Array
  readonly #kinds: Uint8Array
  /** In folders the sums of what is below. */
  readonly #files: Uint32Array
  readonly #bytes: Float64Array
  readonly #places: Uint32Array
  readonly #containers: Uint32Array
  /** Bytes in each container. */
  readonly #inContainer = new Map<number, number>()
  readonly #sources: ContentSources
  readonly folders: number

  /** @param sources by which the entries know where they come from */
  constructor(entries: Iterable<TreeEntry>, sources: ContentSources) {
    this.#sources = sources
    const { top, count } = draftOf(entries)
    this.#parents = new Uint32Array(count)
    this.#firsts = new Uint32Array(count)
    this.#counts = new Uint32Array(count)
    this.#kinds = new Uint8Array(count)
    this.#files = new Uint32Array(count)
    this.#bytes = new Float64Array(count)
    this.#places = new Uint32Array(count)
    this.#containers = new Uint32Array(count)
    const drafts: Draft[] = [top]
    /** Places of the folders, in the order of `drafts`. */
    const at: number[] = [0]
    let next = 1
    for (let index = 0; index < drafts.length; index++) {
      const draft = drafts[index] as Draft
      const parent = at[index] as number
      this.#firsts[parent] = next
      this.#counts[parent] = draft.folders.size + draft.others.size
      for (const [name, folder] of byName(draft.folders)) {
        this.#names.push(name)
        this.#parents[next] = parent
        drafts.push(folder)
        at.push(next++)
      }
      for (const [name, { kind, bytes, source }] of byName(draft.others)) {
        this.#names.push(name)
        this.#parents[next] = parent
        const { place, container } = source
        this.#kinds[next] = KINDS.indexOf(kind)
        this.#files[next] = kind === 'file' ? 1 : 0
        this.#bytes[next] = bytes
        this.#containers[next] = container
        this.#places[next++] = place
        if (container > 0) this.#inContainer.set(container, (this.#inContainer.get(container) ?? 0) + bytes)
      }
    }
    this.folders = drafts.length - 1
    for (let node = count - 1; node > 0; node--) {
      const parent = this.#parents[node] as number
      this.#files[parent] = (this.#files[parent] as number) + (this.#files[node] as number)
      this.#bytes[parent] = (this.#bytes[parent] as number) + (this.#bytes[node] as number)
      this.#places[parent] = this.#sources.union(this.#places[parent] as number, this.#places[node] as number)
    }
  }

  get files(): number {
    return this.#files[0] ?? 0
  }

  get bytes(): number {
    return this.#bytes[0] ?? 0
  }

  /** @throws AppError `not-found` for a folder that the set does not have */
  folder(path: string, offset: number, limit: number): SetRows {
    const node = this.#find(path)
    if (node === null || this.#kinds[node] !== FOLDER)
      throw new AppError('not-found', said`no folder ${pathForDisplay(path)} in this set`, { path })
    const total = this.#counts[node] as number
    const first = this.#firsts[node] as number
    const size = Math.max(0, Math.min(limit, total - offset))
    const inside = path === '' ? '' : `${path}/`
    return {
      total,
      rows: Array.from({ length: size }, (_, index) => {
        const each = first + offset + index
        return this.#row(each, inside + (this.#names[each] as string))
      }),
    }
  }

  /**
   * Folders, then files that match a pattern of `find`; in a folder that does, those whose name
   * does.
   */
  async search(typed: string, limit: number, pause: Pause): Promise<SetRows> {
    const { matches } = namePattern(typed)
    const rows: SetRow[] = []
    let total = 0
    const hits = new Uint8Array(this.#names.length)
    let parent = -1
    let inside = ''
    for (const kind of ['folder', 'other'] as const) {
      for (let node = 1; node < this.#names.length; node++) {
        if (node % SLICE === 0) await pause()
        if ((this.#kinds[node] === FOLDER) !== (kind === 'folder')) continue
        if (this.#parents[node] !== parent) {
          parent = this.#parents[node] as number
          inside = parent === 0 ? '' : `${this.#pathOf(parent)}/`
        }
        const name = this.#names[node] as string
        // What is in a folder that was found is in it: only its own name counts there.
        const isFound = matches(hits[parent] === 1 ? name : inside + name)
        hits[node] = isFound ? 1 : (hits[parent] as number)
        if (!isFound) continue
        total += 1
        if (rows.length < limit) rows.push(this.#row(node, inside + name))
      }
    }
    return { total, rows }
  }

  /** The sums of a choice; marks that the set does not have choose nothing. */
  needs(marks: ChoiceMarks): Chosen {
    const marked = new Map<number, boolean>()
    for (const [path, isChosen] of marks) {
      const node = this.#find(path)
      if (node !== null) marked.set(node, isChosen)
    }
    const chosen = new Uint8Array(this.#names.length)
    const byPlace = new Map<number, number>()
    const containers = new Map<number, number>()
    let [folders, files, links, bytes] = [0, 0, 0, 0]
    for (let node = 0; node < chosen.length; node++) {
      const isChosen = marked.get(node) ?? (node > 0 && chosen[this.#parents[node] as number] === 1)
      if (!isChosen) continue
      chosen[node] = 1
      const kind = this.#kinds[node]
      if (kind === FOLDER) folders += node === 0 ? 0 : 1
      else if (kind === SYMLINK) links += 1
      else files += 1
      if (kind !== FILE) continue
      const own = this.#bytes[node] as number
      const place = this.#places[node] as number
      const container = this.#containers[node] as number
      bytes += own
      if (container > 0) containers.set(container, place)
      else byPlace.set(place, (byPlace.get(place) ?? 0) + own)
    }
    for (const [container, place] of containers)
      byPlace.set(place, (byPlace.get(place) ?? 0) + (this.#inContainer.get(container) ?? 0))
    const byVolume = new Map<number, number>()
    for (const [place, own] of byPlace) {
      const volumes = this.#sources.at(place)
      for (const volume of volumes) byVolume.set(volume, (byVolume.get(volume) ?? 0) + own / volumes.length)
    }
    return { folders, files, links, bytes, byVolume }
  }

  #row(node: number, path: string): SetRow {
    const volumes = this.#sources.at(this.#places[node] as number)
    return {
      path,
      kind: KINDS[this.#kinds[node] as number] ?? 'file',
      entries: this.#counts[node] as number,
      files: this.#files[node] as number,
      bytes: this.#bytes[node] as number,
      volumes: volumes.slice(0, NAMED_VOLUMES),
      volumeCount: volumes.length,
    }
  }

  #pathOf(node: number): string {
    const names: string[] = []
    for (let at = node; at > 0; at = this.#parents[at] as number) names.push(this.#names[at] as string)
    return names.toReversed().join('/')
  }

  #find(path: string): number | null {
    let node = 0
    for (const name of path === '' ? [] : path.split('/')) {
      const first = this.#firsts[node] as number
      const end = first + (this.#counts[node] as number)
      const middle = this.#afterFolders(first, end)
      const found = this.#named(name, first, middle) ?? this.#named(name, middle, end)
      if (found === null) return null
      node = found
    }
    return node
  }

  /** Where the folders end, of which the first is at `from`. */
  #afterFolders(from: number, end: number): number {
    let [low, high] = [from, end]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#kinds[middle] === FOLDER) low = middle + 1
      else high = middle
    }
    return low
  }

  /** The row of this name among some that are sorted by name. */
  #named(name: string, from: number, end: number): number | null {
    let [low, high] = [from, end]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#names[middle] as string) < name) low = middle + 1
      else high = middle
    }
    return low < end && this.#names[low] === name ? low : null
  }
}

/** The entries each once, with the folders above them. */
function draftOf(entries: Iterable<TreeEntry>): { top: Draft; count: number } {
  const top: Draft = { folders: new Map(), others: new Map() }
  let count = 1
  let last: { readonly path: string; readonly folder: Draft } = { path: '', folder: top }
  const folderAt = (path: string): Draft => {
    if (path === last.path) return last.folder
    let folder = top
    for (const name of path === '' ? [] : path.split('/')) {
      let below = folder.folders.get(name)
      if (below === undefined) {
        below = { folders: new Map(), others: new Map() }
        folder.folders.set(name, below)
        count += 1
      }
      folder = below
    }
    last = { path, folder }
    return folder
  }
  for (const entry of entries) {
    const { path } = entry
    if (entry.kind === 'folder') {
      folderAt(path)
      continue
    }
    const slash = path.lastIndexOf('/')
    const { others } = folderAt(path.slice(0, Math.max(0, slash)))
    const name = path.slice(slash + 1)
    if (others.has(name)) continue
    others.set(name, entry)
    count += 1
  }
  return { top, count }
}

function byName<T>(all: ReadonlyMap<string, T>): [string, T][] {
  return [...all].toSorted(([one], [other]) => (one < other ? -1 : 1))
}
