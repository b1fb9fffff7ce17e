import { createHash, type Hash } from 'node:crypto'
import { copyFile, link, mkdir, readFile, rm, truncate } from 'node:fs/promises'
import type { PlanEntry, PlanList } from '../../../contract/dto/plan'
import { nameBytes } from '../../../domain/sets/naming/nameBytes'
import { storedEntries } from '../../../domain/sets/storedEntries'
import { attempt, fsPath, joinPath, textBytes } from '../../files/fileSystem'
import { writeNewFile } from '../../files/write'
import { throwIfAborted } from '../../jobs/throwIfAborted'
import { firstSectors } from '../mastering/ownLayout'
import { factOf, type History, isOfContainer } from '../volume/lists/historyLines'
import { type IndexParts, indexTsv, indexTsvBytes, type SectorOf } from '../volume/lists/indexTsv'
import { lineBytes } from '../volume/lists/lineBytes'
import type { PlanBeforeSizing } from '../volume/lists/planBeforeSizing'
import { sha256Line, UNKNOWN_SHA256 } from '../volume/lists/sha256Sums'
import { filesOf } from '../volume/lists/volumeFiles'
import { ENCRYPTED_INDEX_NAME, INDEX_NAME, SUMS_NAME } from '../volume/planned/ownNames'
import { INDEX_PLACE, PACKED_INDEX_PLACE } from '../volume/planned/planFolder'
import type { PlannedVolume } from '../volume/planned/plannedVolume'
import { restoreText } from './restoreText'
import { VOLUME_TEXTS } from './volumeTexts'

/** The lists of a packed set, without the containers on its volumes. */
export interface PackedLists {
  /** The files of the source with the containers that hold them, its folders and its links. */
  readonly members: readonly PlanEntry[]
  /**
   * Makes an encrypted archive of one file: then the index of the members is on the volumes in
   * `INDEX.7z`, and `INDEX.tsv` has the containers only. Null for sets that are not encrypted.
   */
  readonly encrypt: ((file: string, archive: string) => Promise<void>) | null
}

/** The files and lists that were written for a volume. */
export interface WrittenVolume {
  /** Bytes of the files that Stowage adds to it. */
  readonly files: readonly number[]
  /** Everything written of it, by paths below the folder of the plan. */
  readonly lists: readonly PlanList[]
}

/** The lists that were written for a plan. */
interface WrittenVolumes {
  readonly index: PlanList
  readonly volumes: readonly WrittenVolume[]
}

/** Takes how many volumes' lists are written; 0 once the index of all is. */
export type OnWritten = (volumes: number) => void

interface Written {
  readonly sha256: string
  readonly bytes: number
}

/** The facts and files that all volumes share, written once. */
export interface SharedFiles {
  /** Below which the index is. */
  readonly directory: string
  readonly plan: PlanBeforeSizing
  readonly index: PlanList
  /**
   * The files that are the same on all volumes and are written once, by name: their places below
   * the directory, and their digests where these are known already.
   */
  readonly once: ReadonlyMap<string, { readonly place: string; readonly written: Written | null }>
  readonly restoreText: string
  /** How many volumes there are. */
  readonly count: number
}

const ENCRYPTED_INDEX_PLACE = 'packed/INDEX.7z'

/**
 * Writes `index.tsv` and, per volume, the entry list, checksums and payload below
 * `directory`, which must exist and hold none of them; nothing is flushed.
 * @param volumes all volumes of the plan
 * @throws AppError `no-space`, `exists`, `io`, `cancelled`
 */
export async function writeVolumes(
  directory: string,
  plan: PlanBeforeSizing,
  volumes: readonly PlannedVolume[],
  signal?: AbortSignal,
  packed?: PackedLists,
  onWritten: OnWritten = () => undefined,
): Promise<WrittenVolumes> {
  const shared = await writeShared(directory, plan, volumes, packed)
  const written: WrittenVolume[] = []
  for (const volume of volumes) {
    onWritten(written.length)
    throwIfAborted(signal)
    written.push(await writeVolume(directory, shared, volume))
  }
  onWritten(written.length)
  return { index: shared.index, volumes: written }
}

/**
 * Writes what volumes are sized by, below `directory`: the very files of `writeVolumes` without the
 * lists of entries, which no volume holds. Images follow from lengths alone, so that files for
 * them only have these.
 * @returns the bytes of the files that Stowage adds to each volume
 * @throws AppError `no-space`, `exists`, `io`, `cancelled`
 */
export async function writeSizedFiles(
  directory: string,
  plan: PlanBeforeSizing,
  volumes: readonly PlannedVolume[],
  signal: AbortSignal,
  packed?: PackedLists,
): Promise<(readonly number[])[]> {
  const write = packed === undefined && plan.medium.kind === 'image' ? writeLength : writeWhole
  const shared = await writeShared(directory, plan, volumes, packed, write)
  const files: (readonly number[])[] = []
  for (const volume of volumes) {
    throwIfAborted(signal)
    files.push((await writeOwnFiles(directory, shared, volume, write)).files)
  }
  return files
}

/**
 * Writes the index of all volumes, and makes the texts that each of them has.
 * @throws AppError `no-space`, `exists`, `io`
 */
export async function writeShared(
  directory: string,
  plan: PlanBeforeSizing,
  volumes: readonly PlannedVolume[],
  packed?: PackedLists,
  write: WriteList = writeWhole,
): Promise<SharedFiles> {
  const indexPlace = packed ? PACKED_INDEX_PLACE : INDEX_PLACE
  if (packed) await mkdir(fsPath(joinPath(directory, 'packed')), { recursive: true })
  const encrypt = packed?.encrypt ?? null
  const sectorOf = await sectorsOf(plan, volumes, encrypt !== null)
  const parts = { sectorOf, version: plan.indexVersion }
  if (packed && encrypt)
    await writeEncryptedIndex(
      directory,
      indexTsv(volumes, { ...parts, members: packed.members, history: plan.history }),
      encrypt,
    )
  const members = encrypt ? [] : packed?.members
  const history = encrypt && plan.history ? withoutNames(plan.history) : plan.history
  const rows = [volumes, { ...parts, members, history }] as const
  const index = await write(joinPath(directory, indexPlace), indexTsv(...rows), () => indexTsvBytes(...rows))
  return sharedFiles(directory, plan, volumes, { path: indexPlace, ...index }, encrypt !== null)
}

/** The history as anyone may read it: archives alone, without the names of what is in them. */
function withoutNames(history: History): History {
  return { ...history, lines: history.lines.filter(isOfContainer) }
}

/**
 * The first sectors of all files in images; unknown of archives that are made after the index.
 */
async function sectorsOf(
  plan: PlanBeforeSizing,
  volumes: readonly PlannedVolume[],
  isEncrypted: boolean,
): Promise<SectorOf | undefined> {
  if (plan.medium.kind !== 'image') return undefined
  const found = new Map<number, (path: string) => number | undefined>()
  for (const volume of volumes)
    found.set(volume.index, await firstSectors(plan, volume, filesOf({ plan, volume, isEncrypted })))
  return (volume, path) => found.get(volume)?.(path)
}

/** The facts and files that all volumes share, from an index that exists already. */
export function sharedFiles(
  directory: string,
  plan: PlanBeforeSizing,
  volumes: readonly PlannedVolume[],
  index: PlanList,
  isEncrypted: boolean,
): SharedFiles {
  const text = restoreText(
    {
      payloadName: volumes[0]?.payloadName ?? '',
      hasParts: volumes.some(({ entries }) => entries.some(({ kind }) => kind === 'part')),
      methods: methodsOf(volumes, plan.history),
      isEncrypted: (plan.packing?.encryption ?? 'none') !== 'none',
      isProtected: plan.protection !== undefined,
    },
    plan.language,
  )
  const once = new Map([
    [INDEX_NAME, { place: index.path, written: index }],
    ...(isEncrypted
      ? [[ENCRYPTED_INDEX_NAME, { place: ENCRYPTED_INDEX_PLACE, written: null }] as const]
      : []),
  ])
  return { directory, plan, index, once, restoreText: text, count: volumes.length }
}

/**
 * Writes what is known of a packed plan before it is built: which files are meant for which volume.
 * @throws AppError `no-space`, `exists`, `io`, `cancelled`
 */
export async function writePlannedLists(
  directory: string,
  volumes: readonly PlannedVolume[],
  { history, version }: Pick<IndexParts, 'history' | 'version'>,
  signal: AbortSignal | undefined,
  onWritten: OnWritten,
): Promise<WrittenVolumes> {
  const lines = indexTsv(volumes, { history, version })
  const index = await writeHashed(joinPath(directory, INDEX_PLACE), lines)
  const written: WrittenVolume[] = []
  for (const { entries, places } of volumes) {
    onWritten(written.length)
    throwIfAborted(signal)
    await mkdir(fsPath(joinPath(directory, places.directory)), { recursive: true })
    const list = await writeHashed(joinPath(directory, places.entries), entryLines(entries))
    written.push({ files: [], lists: [{ path: places.entries, ...list }] })
  }
  onWritten(written.length)
  return { index: { path: INDEX_PLACE, ...index }, volumes: written }
}

/** Writes the lists of one volume, and Stowage's own files on it, below `directory`. */
export async function writeVolume(
  directory: string,
  shared: SharedFiles,
  volume: PlannedVolume,
): Promise<WrittenVolume> {
  const { files, lists } = await writeOwnFiles(directory, shared, volume)
  const { places, entries } = volume
  const list = await writeHashed(joinPath(directory, places.entries), entryLines(entries))
  return { files, lists: [...lists, { path: places.entries, ...list }] }
}

/** Writes Stowage's own files on a volume, and its checksums once more. */
async function writeOwnFiles(
  directory: string,
  shared: SharedFiles,
  volume: PlannedVolume,
  write: WriteList = writeWhole,
): Promise<WrittenVolume> {
  const { plan } = shared
  const { places, entries, payloadName } = volume
  const payload = joinPath(directory, places.payload, payloadName)
  await attempt('make the folder', payload, mkdir(fsPath(payload), { recursive: true }))
  const about = { plan, volume, isEncrypted: shared.once.has(ENCRYPTED_INDEX_NAME) }
  const texts = { plan, volume, count: shared.count, restoreText: shared.restoreText }
  const own = new Map<string, Written>()
  for (const name of filesOf(about)) {
    const path = joinPath(payload, name)
    const once = shared.once.get(name)
    const text = VOLUME_TEXTS[name]
    if (once) await linkOrCopy(joinPath(shared.directory, once.place), path)
    if (once) own.set(name, once.written ?? (await hashedFile(path)))
    else if (text) own.set(name, await write(path, text.text(texts)))
  }
  const stored = storedEntries(entries)
  const sumsPath = joinPath(payload, SUMS_NAME)
  const sums = await write(sumsPath, sumLines(stored, payloadName, own), () =>
    sumsBytes(stored, payloadName, own),
  )
  await linkOrCopy(sumsPath, joinPath(directory, places.sums))
  own.set(SUMS_NAME, sums)
  const lists: PlanList[] = [...own].map(([name, { bytes, sha256 }]) => ({
    path: joinPath(places.payload, payloadName, name),
    bytes,
    sha256,
  }))
  lists.push({ path: places.sums, ...sums })
  return { files: [...own.values()].map(({ bytes }) => bytes), lists }
}

function methodsOf(
  volumes: readonly PlannedVolume[],
  { lines }: Pick<History, 'lines'> = { lines: [] },
): string[] {
  const methods = new Set(lines.filter(isOfContainer).map((line) => factOf(line, 'method')))
  for (const { entries } of volumes)
    for (const entry of entries)
      if (entry.kind !== 'symlink' && entry.method !== undefined) methods.add(entry.method)
  return [...methods].toSorted()
}

function* entryLines(entries: Iterable<PlanEntry>): Generator<string> {
  // JSON.stringify escapes lone surrogates, so these lines are plain UTF-8.
  for (const entry of entries) yield `${JSON.stringify(entry)}\n`
}

function* sumLines(
  entries: Iterable<PlanEntry>,
  payloadName: string,
  own: ReadonlyMap<string, Written>,
): Generator<string> {
  for (const entry of entries) yield sumLine(entry)
  for (const [name, { sha256 }] of own) yield sha256Line(sha256, `${payloadName}/${name}`)
}

function sumLine(entry: PlanEntry): string {
  return entry.kind === 'file' || entry.kind === 'part' ? sha256Line(entry.sha256, entry.path) : ''
}

const sumLineBytes = lineBytes(sumLine)

/** The bytes of `sumLines`. */
function sumsBytes(
  entries: Iterable<PlanEntry>,
  payloadName: string,
  own: ReadonlyMap<string, Written>,
): number {
  let bytes = 0
  for (const entry of entries) bytes += sumLineBytes(entry)
  for (const line of sumLines([], payloadName, own)) bytes += nameBytes(line)
  return bytes
}

/**
 * Writes a new file of a plan, not flushed, and gives its length and digest.
 * @throws AppError `no-space`, `exists`, `io`
 */
export async function writeHashed(path: string, pieces: Iterable<string>, mode = 0o666): Promise<Written> {
  const hash = createHash('sha256')
  const bytes = await writeNewFile(path, hashed(pieces, hash), { mode, flush: false })
  return { sha256: hash.digest('hex'), bytes }
}

/** Writes a list of a volume. `bytesOf` may know its length sooner. */
type WriteList = (path: string, pieces: Iterable<string>, bytesOf?: () => number) => Promise<Written>

const writeWhole: WriteList = (path, pieces) => writeHashed(path, pieces)

/** A file of the length that a list will have, with nothing in it. */
async function writeLength(path: string, pieces: Iterable<string>, bytesOf?: () => number): Promise<Written> {
  let bytes = bytesOf?.() ?? 0
  if (!bytesOf) for (const piece of pieces) bytes += nameBytes(piece)
  await writeNewFile(path, [], { flush: false })
  await attempt('write', path, truncate(fsPath(path), bytes))
  return { sha256: UNKNOWN_SHA256, bytes }
}

/** Characters of short pieces that are encoded, hashed and written together. */
const TOGETHER = 1 << 16

function* hashed(pieces: Iterable<string>, hash: Hash): Generator<Uint8Array> {
  const bytesOf = (text: string): Uint8Array => {
    const bytes = textBytes(text)
    hash.update(bytes)
    return bytes
  }
  let text = ''
  for (const piece of pieces) {
    text += piece
    if (text.length < TOGETHER) continue
    yield bytesOf(text)
    text = ''
  }
  yield bytesOf(text)
}

/**
 * The index of an encrypted set as an archive: its text is on the disk only as long as that is
 * made.
 */
async function writeEncryptedIndex(
  directory: string,
  lines: Iterable<string>,
  encrypt: NonNullable<PackedLists['encrypt']>,
): Promise<void> {
  const folder = joinPath(directory, 'packed/index')
  await mkdir(fsPath(folder), { mode: 0o700 })
  try {
    const text = joinPath(folder, INDEX_NAME)
    await writeHashed(text, lines, 0o600)
    await encrypt(text, joinPath(directory, ENCRYPTED_INDEX_PLACE))
  } finally {
    await rm(fsPath(folder), { recursive: true, force: true })
  }
}

async function hashedFile(path: string): Promise<Written> {
  const content = await attempt('read', path, readFile(fsPath(path)))
  return { sha256: createHash('sha256').update(content).digest('hex'), bytes: content.length }
}

/**
 * The index of a large plan is on every volume: one copy on disk serves them all where hard links
 * are possible.
 */
async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(fsPath(from), fsPath(to))
  } catch {
    await attempt('write', to, copyFile(fsPath(from), fsPath(to)))
  }
}
