import { type DatFile, DIGEST_KINDS, type DigestKind, type Digests, isSameContent } from './dat'
import type { HeldFile, RomSet } from './romSets'

/** A content as it was found. */
export interface Content extends Digests {
  readonly bytes: number | null
}

/** One file of one ROM set that somebody has. */
export interface Wanted {
  readonly set: RomSet
  readonly held: HeldFile
}

/** True for a file that somebody has, and whose content a DAT describes. */
export function isDumped({ status, bytes, crc, md5, sha1, sha256 }: DatFile): boolean {
  if (status === 'nodump') return false
  return bytes === 0 || (crc ?? md5 ?? sha1 ?? sha256) !== null
}

/** The files of one ROM set, which follow each other in `all`. */
interface SetRange {
  readonly set: RomSet
  readonly from: number
  readonly to: number
  /** By their names, once somebody asks for one in a large ROM set. */
  names: Map<string, OneOrMore<Wanted>> | null
}

/** Most keys have one value: an array for each would take more memory than the values. */
type OneOrMore<T> = T | T[]

/** ROM sets of more files are searched by a map of their own. */
const SEARCHED_ONE_BY_ONE = 32

/**
 * The files of ROM sets by their checksums, their places and their sizes. In the order of the ROM
 * sets, each of whose files follow each other.
 */
export class WantedFiles {
  readonly all: readonly Wanted[]
  readonly #byDigest: Readonly<Record<DigestKind, Map<string, OneOrMore<Wanted>>>> = {
    crc: new Map(),
    md5: new Map(),
    sha1: new Map(),
    sha256: new Map(),
  }
  /** ROM sets by the last part of their names. */
  readonly #byFolder = new Map<string, OneOrMore<SetRange>>()
  /** By the last part of their names, once somebody asks. */
  #byName: Map<string, OneOrMore<Wanted>> | null = null
  readonly #empty: Wanted[] = []
  /** The checksums that files of a size have; of unknown sizes under null. */
  readonly #kinds = new Map<number | null, Set<DigestKind>>()

  /** Sizes of ROMs that a DAT has no CRC-32 of. */
  readonly #withoutCrc = new Set<number | null>()

  constructor(sets: readonly RomSet[]) {
    const all: Wanted[] = []
    for (const set of sets) {
      const from = all.length
      for (const held of set.files) if (isDumped(held.file)) all.push({ set, held })
      put(this.#byFolder, lastPart(formed(set.name)), { set, from, to: all.length, names: null })
    }
    for (const wanted of all) this.#index(wanted)
    this.all = all
  }

  /** True where a file has this content. */
  hasContent(content: Content): boolean {
    if (content.bytes === 0 && this.#empty.length > 0) return true
    return DIGEST_KINDS.some((kind) =>
      this.#withDigest(kind, content[kind]).some(({ held }) => isSameContent(held.file, content)),
    )
  }

  /** Files with this content. */
  withContent(content: Content): Wanted[] {
    const found = new Set<Wanted>(content.bytes === 0 ? this.#empty : [])
    for (const kind of DIGEST_KINDS) {
      for (const wanted of this.#withDigest(kind, content[kind]))
        if (isSameContent(wanted.held.file, content)) found.add(wanted)
    }
    return [...found]
  }

  /**
   * Files whose place ends a path: in a folder or archive with the name of their ROM set, or, not
   * in an archive, the only file of a ROM set of its own name.
   */
  atPlace(parts: readonly string[], isMember: boolean): Wanted[] {
    const found: Wanted[] = []
    for (let from = Math.max(0, parts.length - 1); from > 0; from--) {
      const ranges = listed(this.#byFolder.get(parts[from - 1] ?? ''))
      if (ranges.length === 0) continue
      const name = parts.slice(from).join('/')
      const folder = `/${parts.slice(0, from).join('/')}`
      for (const range of ranges)
        if (folder.endsWith(`/${formed(range.set.name)}`)) found.push(...this.#named(range, name))
    }
    if (isMember) return found
    const name = parts.at(-1) ?? ''
    const stem = name.replace(/\.[^.]*$/, '')
    for (const range of listed(this.#byFolder.get(stem)))
      if (range.set.files.length === 1 && formed(range.set.name) === stem)
        found.push(...this.#named(range, name))
    return found
  }

  withName(name: string): readonly Wanted[] {
    if (!this.#byName) {
      this.#byName = new Map()
      for (const wanted of this.all) put(this.#byName, lastPart(formed(wanted.held.name)), wanted)
    }
    return listed(this.#byName.get(name))
  }

  ofSet(name: string): readonly Wanted[] {
    return listed(this.#byFolder.get(lastPart(name)))
      .filter(({ set }) => formed(set.name) === name)
      .flatMap(({ from, to }) => this.all.slice(from, to))
  }

  /** The checksums that tell whether a content of this size is wanted; none where it cannot be. */
  kindsFor(bytes: number): ReadonlySet<DigestKind> {
    const unknown = this.#kinds.get(null)
    const known = this.#kinds.get(bytes)
    return unknown && known ? new Set([...unknown, ...known]) : (known ?? unknown ?? NO_KINDS)
  }

  /** True where the CRC-32 alone tells whether a content of this size is wanted. */
  hasCrcOfAll(bytes: number): boolean {
    return !this.#withoutCrc.has(null) && !this.#withoutCrc.has(bytes)
  }

  #withDigest(kind: DigestKind, digest: string | null): readonly Wanted[] {
    return digest === null ? [] : listed(this.#byDigest[kind].get(digest))
  }

  #named(range: SetRange, name: string): readonly Wanted[] {
    const { from, to } = range
    if (to - from > SEARCHED_ONE_BY_ONE && !range.names) {
      range.names = new Map()
      for (const wanted of this.all.slice(from, to)) put(range.names, formed(wanted.held.name), wanted)
    }
    if (range.names) return listed(range.names.get(name))
    return this.all.slice(from, to).filter(({ held }) => formed(held.name) === name)
  }

  /**
   * A ROM is found by its first checksum alone: of contents of its size that one is always known.
   * A CHD states one that may be any of those of a disk.
   */
  #index(wanted: Wanted): void {
    const { file } = wanted.held
    let kinds = this.#kinds.get(file.bytes)
    if (!kinds) this.#kinds.set(file.bytes, (kinds = new Set()))
    let isFound = false
    for (const kind of DIGEST_KINDS) {
      const digest = file[kind]
      if (digest === null) continue
      if (file.kind === 'rom') kinds.add(kind)
      if (!isFound || file.kind === 'disk') put(this.#byDigest[kind], digest, wanted)
      isFound = true
    }
    if (file.kind === 'rom' && file.crc === null && file.bytes !== 0) this.#withoutCrc.add(file.bytes)
    if (file.bytes === 0) this.#empty.push(wanted)
  }
}

const NO_KINDS: ReadonlySet<DigestKind> = new Set()

/** A name as all systems compose it, to compare it with. */
export function formed(name: string): string {
  return name.normalize('NFC')
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1)
}

function listed<T extends object>(found: OneOrMore<T> | undefined): readonly T[] {
  if (found === undefined) return []
  return Array.isArray(found) ? found : [found]
}

function put<T extends object>(map: Map<string, OneOrMore<T>>, key: string, value: T): void {
  const known = map.get(key)
  if (known === undefined) map.set(key, value)
  else if (Array.isArray(known)) known.push(value)
  else map.set(key, [known, value])
}
