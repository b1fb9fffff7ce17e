import { isBelow } from '../../../primitives/isBelow'
import type { Stepwise } from '../../../primitives/stepwise'

/** A name of a file; `content` is the number of what is in it. */
export interface SourceFile {
  readonly name: string
  readonly bytes: number
  readonly content: number
  /** The content is known by its SHA-256; otherwise by name, size and time alone. */
  readonly hasDigest: boolean
  /** A further name of a file that was counted already. */
  readonly isFurther: boolean
}

export interface SourceLink {
  readonly name: string
  readonly target: string
}

export interface Folder {
  readonly path: string
  readonly below: Map<string, Folder>
  readonly files: SourceFile[]
  readonly links: SourceLink[]
  /** False for a source that is itself a file. */
  isFolder: boolean
  /** False where something in it was not surveyed, so that nothing can be said of it as a whole. */
  isComplete: boolean
}

/** The folders of a source with what is directly in each. */
export class SourceFolders {
  readonly #roots: readonly string[]
  readonly tops: readonly Folder[]
  /** For each root, its folders by their paths below it. */
  readonly #known: readonly Map<string, Folder>[]

  constructor(roots: readonly string[]) {
    this.#roots = roots
    this.tops = roots.map(newFolder)
    this.#known = this.tops.map((top) => new Map([['', top]]))
  }

  /** Adds a folder by its path below a root; empty for the root. */
  addFolder(rootIndex: number, below: string): Folder {
    const known = this.#known[rootIndex] as Map<string, Folder>
    const folder = known.get(below)
    if (folder) return folder
    const slash = below.lastIndexOf('/')
    const above = this.addFolder(rootIndex, below.slice(0, Math.max(0, slash)))
    const name = below.slice(slash + 1)
    const next = newFolder(withSlash(above.path) + name)
    above.below.set(name, next)
    known.set(below, next)
    return next
  }

  /** The folder that an entry is directly in, and its name there. */
  placeOf(rootIndex: number, below: string): { folder: Folder; name: string } {
    const slash = below.lastIndexOf('/')
    const folder = this.addFolder(rootIndex, below.slice(0, Math.max(0, slash)))
    if (below === '') folder.isFolder = false
    return { folder, name: below.slice(slash + 1) }
  }

  /** Marks the last known folder on the way to an absolute path that was not surveyed. */
  addMissing(path: string): void {
    const { last } = this.#walk(path)
    if (last) last.isComplete = false
  }

  /** The folder with an absolute path; null for none. */
  find(path: string): Folder | null {
    const { last, isThere } = this.#walk(path)
    return isThere ? last : null
  }

  /** Follows an absolute path from its root to the last folder that there is on the way. */
  #walk(path: string): { last: Folder | null; isThere: boolean } {
    const at = this.#roots.findIndex((root) => path === root || isBelow(path, root))
    let last = this.tops[at] ?? null
    if (last === null || path === last.path) return { last, isThere: last !== null }
    for (const name of path.slice(withSlash(last.path).length).split('/')) {
      const next: Folder | undefined = last.below.get(name)
      if (!next) return { last, isThere: false }
      last = next
    }
    return { last, isThere: true }
  }
}

/** Folders that are met in one step. */
const STEP = 512

/** Folders with all below them, each before those that it holds. */
export function* withAllBelow(tops: readonly Folder[]): Stepwise<Folder[]> {
  const order = [...tops]
  for (let at = 0; at < order.length; at++)
    for (const each of order[at]?.below.values() ?? []) if (order.push(each) % STEP === 0) yield
  return order
}

function newFolder(path: string): Folder {
  return { path, below: new Map(), files: [], links: [], isFolder: true, isComplete: true }
}

function withSlash(path: string): string {
  return path.endsWith('/') ? path : `${path}/`
}
