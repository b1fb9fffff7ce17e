import { createHash } from 'node:crypto'
import { createReadStream, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { parquetMetadataAsync } from 'hyparquet'
import type { ZodType } from 'zod'
import {
  COMPLETE_NAME,
  type CompleteNote,
  FINGERPRINT_FORMAT,
  type FingerprintPart,
} from '../../domain/fingerprints/completeNote'
import { AppError } from '../../primitives/appError'
import { pathForDisplay } from '../../primitives/pathText'
import { said } from '../../primitives/said'
import { attemptAtOnce, fileFailure, fsPath, isFolder, joinPath, lstatAt, namesIn } from '../files/fileSystem'
import { throwIfAborted } from '../jobs/throwIfAborted'
import { GROUP_ROWS, type PartColumn, schemaOf } from './parquetPart'
import { onPart } from './partFile'
import { FORMAT_FOLDER } from './tablesFolder'

/** The facts that every note has. */
type AnyNote = Pick<CompleteNote, 'format' | 'key' | 'parts'>

/** A part by what its footer and its columns must be. */
interface ExpectedPart {
  readonly columns: readonly PartColumn[]
  /** The facts that its footer has, in any order. */
  readonly footer: Readonly<Record<string, unknown>>
}

/** Tables of one kind, each in a folder of its own with a note of its parts. */
export interface TableKind<Note extends AnyNote> {
  /** The key of the folders' names, as in `survey=ID`. */
  readonly folderKey: string
  readonly footerKey: string
  readonly schema: ZodType<Note>
  idOf(note: Note): string
  /** Every part of it, by name. */
  partsOf(note: Note): ReadonlyMap<string, ExpectedPart>
  /** Why something is refused, in words. */
  readonly words: {
    noneThere(): string
    alienFolder(): string
    notItsNote(): string
    otherId(id: string): string
    otherParts(): string
    alienFile(): string
    givenTwice(id: string, one: string, other: string): string
  }
}

/** Tables that are whole: every part is as the note says. */
export interface CheckedTables<Note> {
  readonly folder: string
  readonly note: Note
}

/** How a check is followed and stopped. */
export interface Following {
  readonly signal?: AbortSignal
  /** Takes the bytes that were read so far, of all there are. */
  onBytes?(done: number, total: number): void
}

/**
 * Reads and checks every part of the tables in these folders, which hold those of many or of one,
 * and gives the notes in the order of the folders; those of one folder by their IDs.
 * @throws AppError `bad-input` that names the file, for what is unfinished, truncated, changed,
 *   foreign, missing, of another version or there twice, and for tables of different keys; `usage`
 *   for one that is given twice; `cancelled`; or why something cannot be read
 */
export async function openAllTables<Note extends AnyNote>(
  kind: TableKind<Note>,
  folders: readonly string[],
  following: Following = {},
): Promise<CheckedTables<Note>[]> {
  const checked = await openTableNotes(kind, folders)
  const total = checked.reduce(
    (sum, { note }) => sum + note.parts.reduce((own, { bytes }) => own + bytes, 0),
    0,
  )
  let done = 0
  for (const one of checked)
    await checkParts(kind, one, (bytes) => {
      throwIfAborted(following.signal)
      done += bytes
      following.onBytes?.(done, total)
    })
  return checked
}

/**
 * The notes of the tables in these folders, whose parts are not looked at.
 * @throws AppError as `openAllTables`, but for what only the parts show
 */
export async function openTableNotes<Note extends AnyNote>(
  kind: TableKind<Note>,
  folders: readonly string[],
): Promise<CheckedTables<Note>[]> {
  const checked: CheckedTables<Note>[] = []
  for (const folder of folders.flatMap((each) => tableFolders(kind, each))) {
    const one = { folder, note: await readNote(kind, folder) }
    const id = kind.idOf(one.note)
    const twin = checked.find(({ note }) => kind.idOf(note) === id)
    if (twin)
      throw new AppError(
        'usage',
        kind.words.givenTwice(id, pathForDisplay(twin.folder), pathForDisplay(folder)),
      )
    const [first] = checked
    if (first) requireSameKey(first, one)
    checked.push(one)
  }
  return checked
}

/**
 * The tables of one ID among those in a folder, checked; null where they are not there.
 * @throws AppError as `openAllTables`
 */
export async function openTables<Note extends AnyNote>(
  kind: TableKind<Note>,
  folder: string,
  id: string,
): Promise<CheckedTables<Note> | null> {
  for (const own of tableFolders(kind, folder)) {
    const isNamed = own.endsWith(`/${kind.folderKey}=${id}`)
    if (!isNamed && own !== folder) continue
    const note = await readNote(kind, own)
    if (kind.idOf(note) !== id) continue
    await checkParts(kind, { folder: own, note })
    return { folder: own, note }
  }
  return null
}

/** @throws AppError `bad-input` that names both folders where their keys differ */
export function requireSameKey(
  one: CheckedTables<Pick<AnyNote, 'key'>>,
  other: CheckedTables<Pick<AnyNote, 'key'>>,
): void {
  if (one.note.key === other.note.key) return
  const keyOf = ({ note }: CheckedTables<Pick<AnyNote, 'key'>>): string => note.key ?? said`none`
  throw bad(
    other.folder,
    said`its key is ${keyOf(other)}, that of ${pathForDisplay(one.folder)} is ${keyOf(one)}`,
  )
}

function bad(path: string, because: string): AppError {
  return new AppError('bad-input', said`cannot use ${pathForDisplay(path)}: ${because}`, { path })
}

/** The folders of the kind's tables in a folder, or the folder itself if it is one. */
function tableFolders<Note extends AnyNote>({ folderKey, words }: TableKind<Note>, folder: string): string[] {
  attemptAtOnce('read', folder, () => statSync(fsPath(folder)))
  const names = visibleNames(folder)
  if (names.includes(COMPLETE_NAME)) return [folder]
  const other = names.find((name) => name.startsWith('format=') && name !== FORMAT_FOLDER)
  if (other !== undefined) throw bad(joinPath(folder, other), said`it was made by another version of Stowage`)
  if (names.some((name) => name.startsWith('table='))) throw bad(folder, said`${COMPLETE_NAME} is missing`)
  const tables = names.includes(FORMAT_FOLDER) ? joinPath(folder, FORMAT_FOLDER) : folder
  const own = names.includes(FORMAT_FOLDER) ? visibleNames(tables) : names
  const alien = own.find((name) => !name.startsWith(`${folderKey}=`))
  if (own.length === 0 || (alien !== undefined && tables === folder)) throw bad(folder, words.noneThere())
  if (alien !== undefined) throw bad(joinPath(tables, alien), words.alienFolder())
  return own.toSorted().map((name) => joinPath(tables, name))
}

/** The names in a folder but those that readers of Parquet pass over. */
function visibleNames(folder: string): string[] {
  return attemptAtOnce('read', folder, () => namesIn(folder)).filter((name) => !name.startsWith('.'))
}

async function readNote<Note extends AnyNote>(kind: TableKind<Note>, folder: string): Promise<Note> {
  const { folderKey, words } = kind
  const path = joinPath(folder, COMPLETE_NAME)
  if (lstatAt(path) === null)
    throw bad(folder, said`it is not finished, or is incomplete: ${COMPLETE_NAME} is missing`)
  let text: string
  try {
    text = await readFile(fsPath(path), 'utf8')
  } catch (thrown) {
    throw fileFailure(thrown, 'read', path)
  }
  const parsed = jsonOf(text)
  const format = (parsed as { format?: unknown } | null)?.format
  if (typeof format === 'number' && format !== FINGERPRINT_FORMAT)
    throw bad(path, said`it was made by another version of Stowage`)
  const note = kind.schema.safeParse(parsed)
  if (!note.success) throw bad(path, words.notItsNote())
  const name = folder.slice(folder.lastIndexOf('/') + 1)
  const id = kind.idOf(note.data)
  if (name.startsWith(`${folderKey}=`) && name !== `${folderKey}=${id}`) throw bad(folder, words.otherId(id))
  const names = note.data.parts.map((part) => part.name)
  const expected = kind.partsOf(note.data)
  const isSame = names.length === expected.size && new Set(names).size === expected.size
  if (!isSame || names.some((each) => !expected.has(each))) throw bad(path, words.otherParts())
  return note.data
}

async function checkParts<Note extends AnyNote>(
  kind: TableKind<Note>,
  { folder, note }: CheckedTables<Note>,
  onBytes: (bytes: number) => void = () => undefined,
): Promise<void> {
  const known = new Set([COMPLETE_NAME, ...note.parts.map(({ name }) => name)])
  for (const name of filesBelow(folder)) {
    if (!known.has(name)) throw bad(joinPath(folder, name), kind.words.alienFile())
  }
  const expected = kind.partsOf(note)
  for (const part of note.parts) {
    const own = expected.get(part.name)
    if (own) await checkPart(joinPath(folder, part.name), part, { ...own, key: kind.footerKey }, onBytes)
  }
}

/** The paths of all files below a folder. */
function filesBelow(folder: string, below = ''): string[] {
  return visibleNames(joinPath(folder, below)).flatMap((name) => {
    const path = below === '' ? name : `${below}/${name}`
    return isFolder(joinPath(folder, path)) ? filesBelow(folder, path) : [path]
  })
}

async function checkPart(
  path: string,
  part: FingerprintPart,
  expected: ExpectedPart & { readonly key: string },
  onBytes: (bytes: number) => void,
): Promise<void> {
  const size = sizeOf(path)
  if (size === null) throw bad(path, said`it is missing`)
  if (size !== part.bytes) throw bad(path, said`it has ${size} bytes instead of ${part.bytes}`)
  if ((await sha256Of(path, onBytes)) !== part.sha256) throw bad(path, said`its content has changed`)
  const found = await footerOf(path, expected.key)
  const isAlike = Object.entries(expected.footer).every(([name, value]) =>
    isDeepStrictEqual(found.note[name], value),
  )
  if (!isAlike || found.rows !== part.rows) throw bad(path, said`its footer does not belong to the note`)
  const [root, ...own] = schemaOf(expected.columns)
  const missing = own.find(
    ({ name, type }) =>
      !found.columns.some((one) => one.name === name && one.type === type && one.repetition === 'REQUIRED'),
  )
  if (missing) throw bad(path, said`its column ${missing.name} is missing or of another type`)
  if (found.columns.length !== root?.num_children) throw bad(path, said`it has other columns`)
  if (!isBounded(found, expected.columns)) throw bad(path, said`it unpacks to more than its rows can take`)
}

/** The most that a number or a text takes unpacked, all texts of a group, and heads of pages. */
const NUMBER_BYTES = 16
const TEXT_BYTES = 66_000
const TEXTS_BYTES = 2 ** 31
const HEADS_BYTES = 65_536

/** True where no group has more rows or bytes than those that are written: a reader has room. */
function isBounded({ rows, groups }: Footer, columns: readonly PartColumn[]): boolean {
  const most = new Map(columns.map(({ name, type }) => [name, type === 'STRING' ? TEXT_BYTES : NUMBER_BYTES]))
  return (
    groups.reduce((sum, group) => sum + group.rows, 0) === rows &&
    groups.every(
      (group) =>
        group.rows <= GROUP_ROWS &&
        group.columns.every(
          ({ name, bytes }) =>
            bytes <= HEADS_BYTES + Math.min(TEXTS_BYTES, group.rows * (most.get(name) ?? 0)),
        ),
    )
  )
}

function sizeOf(path: string): number | null {
  try {
    const found = statSync(fsPath(path))
    return found.isFile() ? found.size : null
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw fileFailure(thrown, 'read', path)
  }
}

async function sha256Of(path: string, onBytes: (bytes: number) => void): Promise<string> {
  const digest = createHash('sha256')
  try {
    for await (const piece of createReadStream(fsPath(path), { highWaterMark: 1 << 20 })) {
      digest.update(piece as Uint8Array)
      onBytes((piece as Uint8Array).length)
    }
  } catch (thrown) {
    throw thrown instanceof AppError ? thrown : fileFailure(thrown, 'read', path)
  }
  return digest.digest('hex')
}

interface Footer {
  readonly rows: number
  readonly columns: readonly { name: string; type: string | undefined; repetition: string | undefined }[]
  readonly note: Readonly<Record<string, unknown>>
  readonly groups: readonly Group[]
}

/** A group of rows, with the bytes that its columns take when they are unpacked. */
interface Group {
  readonly rows: number
  readonly columns: readonly { readonly name: string; readonly bytes: number }[]
}

async function footerOf(path: string, footerKey: string): Promise<Footer> {
  try {
    for await (const metadata of onPart(path, async function* (file) {
      yield await parquetMetadataAsync(file)
    })) {
      const text = metadata.key_value_metadata?.find(({ key }) => key === footerKey)?.value
      const columns = metadata.schema.slice(1)
      return {
        rows: Number(metadata.num_rows),
        columns: columns.map(({ name, type, repetition_type: repetition }) => ({ name, type, repetition })),
        note: (jsonOf(text ?? '') ?? {}) as Footer['note'],
        groups: metadata.row_groups.map(({ num_rows: rows, columns: own }) => ({
          rows: Number(rows),
          columns: own.map(({ meta_data: facts }) => ({
            name: facts?.path_in_schema.join('.') ?? '',
            bytes: Number(facts?.total_uncompressed_size ?? 0),
          })),
        })),
      }
    }
    throw bad(path, said`it is damaged, or no Parquet file`)
  } catch {
    throw bad(path, said`it is damaged, or no Parquet file`)
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
