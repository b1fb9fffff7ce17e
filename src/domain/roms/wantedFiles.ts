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

/** The files of ROM sets by their checksums, their places and their sizes. */
export class WantedFiles {
  readonly all: readonly Wanted[]
  readonly #byDigest = new Map<string, Wanted[]>()
  readonly #byPlace = new Map<string, Wanted[]>()
  readonly #byName = new Map<string, Wanted[]>()
  readonly #bySet = new Map<string, Wanted[]>()
  readonly #empty: Wanted[] = []
  /** The checksums that files of a size have; of unknown sizes under null. */
  readonly #kinds = new Map<number | null, Set<DigestKind>>()

  /** Sizes of ROMs that a DAT has no CRC-32 of. */
  readonly #withoutCrc = new Set<number | null>()

  constructor(sets: readonly RomSet[]) {
    this.all = sets.flatMap((set) =>
      set.files.filter(({ file }) => isDumped(file)).map((held): Wanted => ({ set, held })),
    )
    for (const wanted of this.all) this.#index(wanted)
  }

  /** True where a file has this content. */
  hasContent(content: Content): boolean {
    if (content.bytes === 0 && this.#empty.length > 0) return true
    return DIGEST_KINDS.some((kind) => {
      const alike = content[kind] === null ? undefined : this.#byDigest.get(`${kind} ${content[kind]}`)
      return alike?.some(({ held }) => isSameContent(held.file, content)) === true
    })
  }

  /** Files with this content. */
  withContent(content: Content): Wanted[] {
    const found = new Set<Wanted>(content.bytes === 0 ? this.#empty : [])
    for (const kind of DIGEST_KINDS) {
      const digest = content[kind]
      for (const wanted of (digest !== null && this.#byDigest.get(`${kind} ${digest}`)) || [])
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
      const name = parts.slice(from).join('/')
      for (const wanted of this.#byPlace.get(placeKey(parts[from - 1] ?? '', name)) ?? []) {
        const folder = parts.slice(0, from).join('/')
        if (`/${folder}`.endsWith(`/${formed(wanted.set.name)}`)) found.push(wanted)
      }
    }
    const alone = isMember ? undefined : this.#byPlace.get(placeKey('', parts.at(-1) ?? ''))
    return alone ? [...found, ...alone] : found
  }

  withName(name: string): readonly Wanted[] {
    return this.#byName.get(name) ?? []
  }

  ofSet(name: string): readonly Wanted[] {
    return this.#bySet.get(name) ?? []
  }

  /** The checksums that tell whether a content of this size is wanted; none where it cannot be. */
  kindsFor(bytes: number): ReadonlySet<DigestKind> {
    const unknown = this.#kinds.get(null)
    const known = this.#kinds.get(bytes)
    return unknown && known ? new Set([...unknown, ...known]) : (known ?? unknown ?? new Set())
  }

  /** True where the CRC-32 alone tells whether a content of this size is wanted. */
  hasCrcOfAll(bytes: number): boolean {
    return !this.#withoutCrc.has(null) && !this.#withoutCrc.has(bytes)
  }

  #index(wanted: Wanted): void {
    const { set, held } = wanted
    const { file } = held
    let kinds = this.#kinds.get(file.bytes)
    if (!kinds) this.#kinds.set(file.bytes, (kinds = new Set()))
    for (const kind of DIGEST_KINDS) {
      const digest = file[kind]
      if (digest === null) continue
      if (file.kind === 'rom') kinds.add(kind)
      put(this.#byDigest, `${kind} ${digest}`, wanted)
    }
    if (file.kind === 'rom' && file.crc === null && file.bytes !== 0) this.#withoutCrc.add(file.bytes)
    if (file.bytes === 0) this.#empty.push(wanted)
    const [folder, name] = [formed(set.name), formed(held.name)]
    put(this.#bySet, folder, wanted)
    put(this.#byName, lastPart(name), wanted)
    put(this.#byPlace, placeKey(lastPart(folder), name), wanted)
    if (set.files.length === 1 && name.replace(/\.[^.]*$/, '') === folder)
      put(this.#byPlace, placeKey('', name), wanted)
  }
}

/** A name as all systems compose it, to compare it with. */
export function formed(name: string): string {
  return name.normalize('NFC')
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1)
}

function placeKey(folder: string, name: string): string {
  return `${folder}\0${name}`
}

function put<K>(map: Map<K, Wanted[]>, key: K, wanted: Wanted): void {
  const known = map.get(key)
  if (known) known.push(wanted)
  else map.set(key, [wanted])
}
