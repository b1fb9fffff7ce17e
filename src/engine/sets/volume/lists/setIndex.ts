import { createHash } from 'node:crypto'
import { isInside } from '../../../../domain/sets/naming/volumePaths'
import type { ExtendedAttribute, Owner } from '../../../../domain/sets/ownership'
import { INDEX_VERSION } from '../../../../domain/sets/planDocument'
import { pathFromBytes } from '../../../../primitives/pathText'
import { said } from '../../../../primitives/said'
import { cannot } from '../../../files/fileSystem'
import { HISTORY_COLUMNS } from './historyLines'
import { INDEX_COLUMNS } from './indexColumns'
import { PENDING_SHA256 } from './indexTsv'

/**
 * The facts of an entry in an index that all kinds have. Paths are in lossless text form, relative
 * to the volume's root.
 */
interface Row {
  readonly volume: number
  readonly label: string
  readonly path: string
  /**
   * The path of its content on the volume; absent where that is `path`, in a set of one generation.
   */
  readonly at?: string
  readonly mode: number | null
  readonly mtimeNs: bigint | null
  /** Null in indexes of older versions. */
  readonly owner: Owner | null
  readonly attributes: readonly ExtendedAttribute[]
  /**
   * The permanent name of the recipe that made a container, also for its parts and the files of a
   * repository. Null for entries of the source.
   */
  readonly method: string | null
}

export interface FileRow extends Row {
  readonly kind: 'file'
  /** Meaningless where `sha256` is empty: for an archive that was made after the index. */
  readonly bytes: number
  readonly sha256: string
  /** Where its content begins in an image of Stowage's own; null where that is not known. */
  readonly sector: number | null
  /** The first name of a file with several names, of which this is a further one. */
  readonly linkOf: string | null
  readonly holes: boolean
  /** The container of a packed file, and the file's name there; null for files as they are. */
  readonly packed: { readonly in: string; readonly member: string } | null
}

export interface PartRow extends Row {
  readonly kind: 'part'
  readonly bytes: number
  readonly sha256: string
  readonly sector: number | null
  readonly whole: string
  readonly offset: number
  readonly wholeSha256: string
  readonly holes: boolean
}

export interface FolderRow extends Row {
  readonly kind: 'folder'
}

export interface SymlinkRow extends Row {
  readonly kind: 'symlink'
  /** Null in indexes of older versions. */
  readonly target: string | null
}

export type IndexRow = FileRow | PartRow | FolderRow | SymlinkRow

/** The index that every volume of a set carries. */
export interface SetIndex {
  /** SHA-256 of its text: volumes with the same one belong together. */
  readonly id: string
  readonly rows: readonly IndexRow[]
  /**
   * Numbers of lines that no row was made of: their fields do not have the right shape, or a path
   * leads out of the volume.
   */
  readonly unreadable: readonly number[]
  readonly volumes: readonly { readonly index: number; readonly label: string }[]
  /**
   * The generation of an archive that grows whose files the rows are. Volumes are numbered over all
   * generations then, and their labels alone name them.
   */
  readonly generation?: number
}

const FIRST_COLUMNS = INDEX_COLUMNS.slice(0, 6).join('\t')

/** Its first lines, up to the names of the columns, are shorter. */
const HEAD_BYTES = 1024

/** The largest index that is read into memory. */
export const LARGEST_INDEX_BYTES = 2 ** 31 - 1

/** True when a text begins as an index does. */
export function isSetIndex(text: Buffer): boolean {
  const head = text.toString('latin1', 0, HEAD_BYTES)
  return head.startsWith('# Index of all volumes.') && head.includes(`\n${FIRST_COLUMNS}`)
}

/**
 * Reads an `INDEX.tsv`, this version's or an older one's, from anywhere: every line is checked.
 * @param shown names the index in errors
 * @throws AppError `bad-input`, or as `requireKnownVersion`
 */
export function readSetIndex(text: Buffer, shown: string): SetIndex {
  requireKnownVersion(text, shown)
  const index = readableIndex(text)
  const [line] = index.unreadable
  if (line !== undefined) throw cannot('bad-input', 'use', shown, said`line ${line} is damaged`)
  return index
}

const VERSION = /^# version\t(\d{1,9})$/m

/**
 * @param shown names the index in errors
 * @throws AppError `refused` for an index that a newer version of Stowage wrote so that this one
 *   would misread it
 */
export function requireKnownVersion(text: Buffer, shown: string): void {
  const [, version = '1'] = VERSION.exec(text.toString('latin1', 0, HEAD_BYTES)) ?? []
  if (Number(version) <= INDEX_VERSION) return
  const cause = said`its version ${Number(version)} is newer than this Stowage reads; use a newer one, or the RESTORE.sh on the volume`
  throw cannot('refused', 'use', shown, cause)
}

const SINCE = INDEX_COLUMNS.length + HISTORY_COLUMNS.indexOf('since')

/**
 * Reads the lines of an index that have the right shape; of an archive that grows those of the
 * plan's own volumes.
 */
export function readableIndex(text: Buffer): SetIndex {
  const rows: IndexRow[] = []
  const unreadable: number[] = []
  const isGrown = text.includes('\n# generation\t')
  for (const [at, line] of text.toString('latin1').split('\n').entries()) {
    if (line === '' || line.startsWith('#') || line.startsWith('volume\t')) continue
    if (isGrown && line.split('\t').at(SINCE)) continue
    const row = readRow(line)
    if (row === null) unreadable.push(at + 1)
    else rows.push(row)
  }
  return { id: indexId(text), rows, unreadable, volumes: volumesIn(rows) }
}

/** SHA-256 of an index: what checksums and plans say of it. */
export function indexId(text: Buffer): string {
  return createHash('sha256').update(text).digest('hex')
}

/** The volumes that rows name, by their numbers. */
export function volumesIn(rows: readonly IndexRow[]): SetIndex['volumes'] {
  const labels = new Map(rows.map(({ volume, label }) => [volume, label]))
  return [...labels].map(([index, label]) => ({ index, label })).toSorted((a, b) => a.index - b.index)
}

/** The path of a row's content on its volume. */
export function pathOn({ at, path }: Pick<IndexRow, 'at' | 'path'>): string {
  return at ?? path
}

/** The parts of split files by the path of the whole, in their order. */
export function partsByWhole(rows: readonly IndexRow[]): Map<string, PartRow[]> {
  const parts = Map.groupBy(
    rows.filter((row) => row.kind === 'part'),
    (row) => row.whole,
  )
  for (const own of parts.values()) own.sort((a, b) => a.offset - b.offset)
  return parts
}

/** Reads a line whose characters are bytes; null for one without the right shape. */
export function readRow(line: string): IndexRow | null {
  const fields = line.split('\t')
  if (fields.length < 6) return null
  const field = (name: (typeof INDEX_COLUMNS)[number]): string => fields[INDEX_COLUMNS.indexOf(name)] ?? ''
  const volume = whole(field('volume'))
  const path = unescaped(field('path'))
  if (volume === null || volume < 1 || path === null || !isInside(path)) return null
  const attributes = attributesIn(field('attributes'))
  if (attributes === null) return null
  const base = {
    volume,
    label: field('label'),
    path,
    mode: /^[0-7]{1,4}$/.test(field('mode')) ? Number.parseInt(field('mode'), 8) : null,
    mtimeNs: /^-?\d{1,20}$/.test(field('mtime_ns')) ? BigInt(field('mtime_ns')) : null,
    method: field('method') || null,
    owner: ownerIn(field('uid'), field('gid'), unescaped(field('user')), unescaped(field('group'))),
    attributes,
  }
  const kind = field('kind')
  if (kind === 'folder') return { kind, ...base }
  if (kind === 'symlink') return { kind, ...base, target: unescaped(field('target')) || null }
  const isUntold = kind === 'file' && base.method !== null && field('bytes') + field('sha256') === ''
  const bytes = isUntold ? 0 : whole(field('bytes'))
  const sha256 = isUntold ? PENDING_SHA256 : field('sha256')
  if (bytes === null || (!isUntold && !isSha256(sha256))) return null
  const of = unescaped(field('of')) || null
  if (of !== null && !isInside(of)) return null
  const holes = field('holes') === 'holes'
  const sector = whole(field('sector'))
  const packed = packedIn(unescaped(field('in')), unescaped(field('member')) || path)
  if (packed === undefined) return null
  if (kind === 'file') return { kind, ...base, bytes, sha256, sector, linkOf: of, holes, packed }
  const offset = whole(field('offset'))
  if (kind !== 'part') return null
  // Indexes of older versions do not name the whole: only REJOIN.sh joins those.
  if (of === null || offset === null)
    return { kind: 'file', ...base, bytes, sha256, sector, linkOf: null, holes, packed }
  // Names of files are made of it.
  const wholeSha256 = field('whole_sha256')
  if (!isSha256(wholeSha256)) return null
  return { kind, ...base, bytes, sha256, sector, whole: of, offset, wholeSha256, holes }
}

function isSha256(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text)
}

function ownerIn(uid: string, gid: string, user: string | null, group: string | null): Owner | null {
  const [uidNumber, gidNumber] = [whole(uid), whole(gid)]
  if (uidNumber === null || gidNumber === null || uidNumber > MOST_ID || gidNumber > MOST_ID) return null
  return {
    uid: uidNumber,
    gid: gidNumber,
    ...(user && isName(user) ? { user } : {}),
    ...(group && isName(group) ? { group } : {}),
  }
}

/** The last number means "unchanged" where owners are set. */
const MOST_ID = 0xffff_fffe

function attributesIn(field: string): ExtendedAttribute[] | null {
  const found: ExtendedAttribute[] = []
  for (const text of field === '' ? [] : field.split(' ')) {
    const [, escaped = '', value = ''] = /^([^=]+)=0x((?:[0-9a-f]{2})*)$/.exec(text) ?? []
    const name = unescaped(escaped)
    if (!name || !isName(name)) return null
    found.push({ name, value })
  }
  return found
}

function isName(text: string): boolean {
  return !text.includes('\0')
}

function packedIn(container: string | null, member: string): FileRow['packed'] | undefined {
  if (container === '') return null
  return container !== null && isInside(container) && isInside(member) ? { in: container, member } : undefined
}

function whole(text: string): number | null {
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(value) ? value : null
}

const SHORT: Readonly<Record<string, number>> = { '\\': 0x5c, t: 9, n: 10, r: 13 }

/** True when a file can be the one that a row lists, by its size. */
export function hasListedSize(row: Pick<FileRow, 'bytes' | 'sha256'>, bytes: number | undefined): boolean {
  return bytes !== undefined && (row.sha256 === PENDING_SHA256 || row.bytes === bytes)
}

/** Printable ASCII without a backslash. */
const PLAIN = /^[\x20-\x5b\x5d-\x7e]*$/

/** Undoes `escapeTsv` on a field whose characters are bytes; null for what it never writes. */
export function unescaped(field: string): string | null {
  if (PLAIN.test(field)) return field
  const bytes: number[] = []
  for (let at = 0; at < field.length; at++) {
    const code = field.charCodeAt(at)
    if (code !== 0x5c) {
      bytes.push(code)
      continue
    }
    const next = field[at + 1] ?? ''
    const short = SHORT[next]
    if (short !== undefined) {
      bytes.push(short)
      at += 1
      continue
    }
    const hex = /^x([0-9a-f]{2})$/.exec(field.slice(at + 1, at + 4))?.[1]
    if (hex === undefined) return null
    bytes.push(Number.parseInt(hex, 16))
    at += 3
  }
  return pathFromBytes(Buffer.from(bytes))
}
