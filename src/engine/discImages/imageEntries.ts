/**
 * The room `discImages` turns the lists of a volume into the entries of a disc image.
 * How: the files of the source and Stowage's own become columns, which the native layout takes;
 * contents can be stored once.
 * Not here: laying out and writing images (`sets/mastering`), reading them (`sets/volume/image`).
 */

import type { PlanEntry } from '../../contract/dto/plan'
import { isImageTarget } from '../../domain/sets/naming/linkTargets'
import { equalFiles } from '../../domain/sets/packing/equalFiles'
import { storedEntries } from '../../domain/sets/storedEntries'
import { pathToBytes } from '../../primitives/pathText'
import type { RawContentSource, RawImageEntries } from '../native/discImage'

/** The entries of an image. */
export interface ImageContents {
  readonly entries: RawImageEntries
  /** The numbers of the entries, by their paths on the volume. */
  readonly numbers: ReadonlyMap<string, number>
  /** Where the content comes from, which only the writer asks for. */
  origins(): {
    readonly sources: readonly RawContentSource[]
    /** The source that each entry is read from, by the entry's number; undefined for our own. */
    readonly sourceOf: ReadonlyMap<number, string>
  }
}

/** The files of an image, and the folder of Stowage's own. */
interface ImagedTree {
  readonly entries: readonly PlanEntry[]
  readonly payloadName: string
}

/** An entry of a source, of whose files the digests may not be known. */
export type ImageEntry = PlanEntry | Omit<Extract<PlanEntry, { kind: 'file' }>, 'sha256'>

/** A file in Stowage's own folder. */
export interface OwnFile {
  readonly name: string
  readonly bytes: number
  /** The file with its content, or that itself; null where only its place is known. */
  readonly source: string | Uint8Array | null
  /** Files of higher ranks follow those of lower ones; absent: `OWN_RANK`. */
  readonly rank?: number
}

/** A file that has a content, from an offset on. */
export interface ContentSource {
  readonly source: string
  readonly offset: number
}

/** Where contents are read from, by their digests, where that is not their own entry's source. */
export type OtherSources = ReadonlyMap<string, ContentSource>

interface ImageSetting {
  readonly own: readonly OwnFile[]
  /** The date of what nothing else dates. */
  readonly dateWallMs: number
  /** Files with the same content are stored once. */
  readonly equalOnce: boolean
  readonly otherSources?: OtherSources | undefined
}

/** Files of the source have rank 0. */
export const OWN_RANK = 1

const FOLDER = 0
const FILE = 1
const LINK = 2

/** Anyone may read a disc: owners and permissions are in the index. */
const FOLDER_MODE = 0o555
const FILE_MODE = 0o444
const PROGRAM_MODE = 0o555

/**
 * The entries of a volume as its image holds them: the files of the source, then Stowage's own
 * folder, whose bytes are the last. Hard links are names of one file.
 */
export function imageContents(volume: ImagedTree, setting: ImageSetting): ImageContents {
  const { payloadName } = volume
  const columns = new EntryColumns(setting.dateWallMs)
  const stored = storedEntries(volume.entries)
  const equal = setting.equalOnce ? equalFiles(stored) : new Map<string, string>()
  const planned = stored.map((entry) => ({ entry, number: columns.add(entry, equal) }))
  const own = setting.own
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .map((file) => ({ file, number: columns.addOwn(`${payloadName}/${file.name}`, file) }))
  const entries = columns.finished()
  return {
    entries,
    numbers: columns.numbers,
    origins() {
      const sources: RawContentSource[] = []
      const sourceOf = new Map<number, string>()
      for (const { entry, number } of planned) {
        if (number === null) continue
        sourceOf.set(number, entry.source)
        if ((entry.kind !== 'file' && entry.kind !== 'part') || entry.bytes === 0) continue
        if (entries.contents[number] !== number) continue
        const { source, offset } = setting.otherSources?.get(entry.sha256) ?? ownSource(entry)
        sourceOf.set(number, source)
        sources.push({
          entry: number,
          path: pathToBytes(source),
          offset,
          sha256: Buffer.from(entry.sha256, 'hex'),
        })
      }
      for (const { file, number } of own) {
        const { bytes, source } = file
        if (bytes === 0 || source === null) continue
        sources.push(
          typeof source === 'string'
            ? { entry: number, path: pathToBytes(source), offset: 0, sha256: null }
            : { entry: number, content: source },
        )
      }
      return { sources, sourceOf }
    },
  }
}

/** Where the content of an entry is by the plan. */
export function ownSource(entry: Extract<PlanEntry, { kind: 'file' | 'part' }>): ContentSource {
  return { source: entry.source, offset: entry.kind === 'part' ? entry.offset : 0 }
}

/** The columns while entries are added. Folders that nothing lists are made. */
export class EntryColumns {
  readonly #kinds: number[] = []
  readonly #ranks: number[] = []
  readonly #parents: number[] = []
  readonly #contents: number[] = []
  readonly #modes: number[] = []
  readonly #seconds: number[] = []
  readonly #nanoseconds: number[] = []
  readonly #createdSeconds: number[] = []
  readonly #createdNanoseconds: number[] = []
  readonly #bytes: number[] = []
  readonly #names = new TextColumn()
  readonly #targets = new TextColumn()
  readonly #numbers = new Map<string, number>()
  readonly #dateNs: bigint

  constructor(dateWallMs: number) {
    this.#dateNs = BigInt(Math.floor(dateWallMs / 1000)) * 1_000_000_000n
    this.#push({ kind: FOLDER, mode: FOLDER_MODE, timeNs: this.#dateNs }, 0, '')
    this.#numbers.set('', 0)
  }

  /** @returns its number; null for a link that no image holds, which the index alone has */
  add(entry: ImageEntry, equal: ReadonlyMap<string, string>): number | null {
    const timeNs = entry.mtimeNs === undefined ? this.#dateNs : BigInt(entry.mtimeNs)
    if (entry.kind === 'folder') return this.#folder(entry.path, timeNs, createdOf(entry))
    if (entry.kind === 'symlink') {
      if (!isImageTarget(entry.target)) return null
      return this.#under(entry.path, { kind: LINK, mode: 0o777, timeNs, target: entry.target })
    }
    const sameAs = equal.get(entry.path) ?? (entry.kind === 'file' ? entry.linkOf : undefined)
    const first = sameAs === undefined ? undefined : this.#numbers.get(sameAs)
    const isSame = first !== undefined && entry.bytes > 0 && this.#bytes[first] === entry.bytes
    const mode = ((entry.mode ?? 0) & 0o111) === 0 ? FILE_MODE : PROGRAM_MODE
    const { bytes } = entry
    const content = isSame ? this.#contents[first] : undefined
    const createdNs = createdOf(entry)
    return this.#under(entry.path, { kind: FILE, mode, timeNs, createdNs, bytes, content })
  }

  /** One of Stowage's own files. */
  addOwn(path: string, { bytes, rank = OWN_RANK }: Pick<OwnFile, 'bytes' | 'rank'>): number {
    return this.#under(path, { kind: FILE, mode: FILE_MODE, timeNs: this.#dateNs, bytes, rank })
  }

  get numbers(): ReadonlyMap<string, number> {
    return this.#numbers
  }

  finished(): RawImageEntries {
    const count = this.#kinds.length
    return {
      kinds: Uint8Array.from(this.#kinds),
      ranks: Uint8Array.from(this.#ranks),
      parents: Uint32Array.from(this.#parents),
      contents: Uint32Array.from(this.#contents),
      modes: Uint32Array.from(this.#modes),
      users: new Uint32Array(count),
      groups: new Uint32Array(count),
      seconds: Float64Array.from(this.#seconds),
      nanoseconds: Uint32Array.from(this.#nanoseconds),
      createdSeconds: Float64Array.from(this.#createdSeconds),
      createdNanoseconds: Uint32Array.from(this.#createdNanoseconds),
      bytes: Float64Array.from(this.#bytes),
      names: this.#names.bytes(),
      nameEnds: this.#names.ends(),
      targets: this.#targets.bytes(),
      targetEnds: this.#targets.ends(),
    }
  }

  #folder(path: string, timeNs: bigint, createdNs?: bigint): number {
    const known = this.#numbers.get(path)
    return known ?? this.#under(path, { kind: FOLDER, mode: FOLDER_MODE, timeNs, createdNs })
  }

  #under(path: string, entry: NewEntry): number {
    const slash = path.lastIndexOf('/')
    const parent = this.#folder(slash < 0 ? '' : path.slice(0, slash), this.#dateNs)
    const number = this.#push(entry, parent, path.slice(slash + 1))
    this.#numbers.set(path, number)
    return number
  }

  #push(entry: NewEntry, parent: number, name: string): number {
    const number = this.#kinds.length
    this.#kinds.push(entry.kind)
    this.#ranks.push(entry.rank ?? 0)
    this.#parents.push(parent)
    this.#contents.push(entry.content ?? number)
    this.#modes.push(entry.mode)
    const modified = momentOf(entry.timeNs)
    this.#seconds.push(modified.seconds)
    this.#nanoseconds.push(modified.nanoseconds)
    const created = entry.createdNs === undefined ? UNKNOWN_MOMENT : momentOf(entry.createdNs)
    this.#createdSeconds.push(created.seconds)
    this.#createdNanoseconds.push(created.nanoseconds)
    this.#bytes.push(entry.bytes ?? 0)
    this.#names.add(name)
    this.#targets.add(entry.target ?? '')
    return number
  }
}

const SECOND_NS = 1_000_000_000n

/** A time as the layout takes it: the nanoseconds count forward also before 1970. */
interface Moment {
  readonly seconds: number
  readonly nanoseconds: number
}

const UNKNOWN_MOMENT: Moment = { seconds: Number.NaN, nanoseconds: 0 }

function momentOf(timeNs: bigint): Moment {
  const seconds = Number(timeNs / SECOND_NS)
  const rest = Number(timeNs % SECOND_NS)
  return rest < 0
    ? { seconds: seconds - 1, nanoseconds: rest + Number(SECOND_NS) }
    : { seconds, nanoseconds: rest }
}

function createdOf({ createdNs }: Exclude<ImageEntry, { kind: 'symlink' }>): bigint | undefined {
  return createdNs === undefined ? undefined : BigInt(createdNs)
}

interface NewEntry {
  readonly kind: number
  readonly mode: number
  readonly timeNs: bigint
  readonly createdNs?: bigint | undefined
  readonly bytes?: number
  readonly content?: number | undefined
  readonly target?: string
  readonly rank?: number
}

class TextColumn {
  #bytes = Buffer.alloc(1 << 16)
  readonly #ends: number[] = []
  #length = 0

  add(text: string): void {
    const most = this.#length + 3 * text.length
    if (most > this.#bytes.length) this.#bytes = Buffer.concat([this.#bytes], 2 * most)
    if (text.isWellFormed()) this.#length += this.#bytes.write(text, this.#length)
    else {
      const bytes = pathToBytes(text)
      this.#bytes.set(bytes, this.#length)
      this.#length += bytes.length
    }
    this.#ends.push(this.#length)
  }
  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }
  ends(): Uint32Array {
    return Uint32Array.from(this.#ends)
  }
}
