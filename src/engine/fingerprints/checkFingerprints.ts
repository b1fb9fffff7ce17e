import { createHash } from 'node:crypto'
import { createReadStream, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { parquetMetadataAsync } from 'hyparquet'
import {
  COMPLETE_NAME,
  type CompleteNote,
  completeNoteSchema,
  FINGERPRINT_FORMAT,
  type FingerprintPart,
  FOOTER_KEY,
} from '../../domain/fingerprints/completeNote'
import {
  FINGERPRINT_CHECK_SCHEMA,
  type FingerprintCheck,
  unitedSchemes,
} from '../../domain/fingerprints/fingerprintCheck'
import { AppError } from '../../primitives/appError'
import { pathForDisplay } from '../../primitives/pathText'
import { said } from '../../primitives/said'
import { attemptAtOnce, fileFailure, fsPath, isFolder, joinPath, lstatAt, namesIn } from '../files/fileSystem'
import { throwIfAborted } from '../jobs/throwIfAborted'
import { partName, TABLE_COLUMNS, type TableName } from './fingerprintTables'
import { GROUP_ROWS, type PartColumn, schemaOf } from './parquetPart'
import { onPart } from './partFile'

/** One survey's fingerprints, whole. */
export interface CheckedFingerprints {
  readonly folder: string
  readonly note: CompleteNote
}

/**
 * Reads every part of the fingerprints in these folders, which hold those of many surveys or of
 * one, and compares them with the notes of their surveys.
 * @throws AppError `bad-input` that names the file, for what is unfinished, truncated, changed,
 *   foreign, missing, of another version or there twice, and for surveys of different keys;
 *   `usage` for a survey that is given twice; or why something cannot be read
 */
export async function checkFingerprints(folders: readonly string[]): Promise<FingerprintCheck> {
  const checked = await openAllFingerprints(folders)
  const notes = checked.map(({ note }) => note)
  return {
    schema: FINGERPRINT_CHECK_SCHEMA,
    surveys: checked.map(({ folder, note: { survey, createdWallMs, totals, paths, parts } }) => ({
      id: survey,
      folder,
      createdWallMs,
      files: totals.files,
      bytes: totals.bytes,
      skipped: totals.skipped,
      paths,
      rows: parts.reduce((sum, { rows }) => sum + rows, 0),
      tableBytes: parts.reduce((sum, { bytes }) => sum + bytes, 0),
    })),
    key: notes[0]?.key ?? null,
    schemes: unitedSchemes(notes),
  }
}

/** How a check is followed and stopped. */
interface Following {
  readonly signal?: AbortSignal
  /** Takes the bytes that were read so far, of all there are. */
  onBytes?(done: number, total: number): void
}

/**
 * Reads and checks every part, and gives the notes in the order of the folders; those of one folder
 * by their IDs.
 * @throws AppError as `checkFingerprints`, `cancelled`
 */
export async function openAllFingerprints(
  folders: readonly string[],
  following: Following = {},
): Promise<CheckedFingerprints[]> {
  const checked: CheckedFingerprints[] = []
  for (const folder of folders.flatMap(surveyFolders)) {
    const one = { folder, note: await readNote(folder) }
    const twin = checked.find(({ note }) => note.survey === one.note.survey)
    if (twin)
      throw new AppError(
        'usage',
        said`survey ${one.note.survey} is given twice: ${pathForDisplay(twin.folder)} and ${pathForDisplay(folder)}`,
      )
    const [first] = checked
    if (first && first.note.key !== one.note.key) throw otherKeys(first, one)
    checked.push(one)
  }
  const total = checked.reduce(
    (sum, { note }) => sum + note.parts.reduce((own, { bytes }) => own + bytes, 0),
    0,
  )
  let done = 0
  for (const one of checked)
    await checkParts(one, (bytes) => {
      throwIfAborted(following.signal)
      done += bytes
      following.onBytes?.(done, total)
    })
  return checked
}

/**
 * The fingerprints of one survey among those in a folder, checked; null where they are not there.
 * @throws AppError as `checkFingerprints`
 */
export async function openFingerprints(
  folder: string,
  surveyId: string,
): Promise<CheckedFingerprints | null> {
  for (const own of surveyFolders(folder)) {
    const isNamed = own.endsWith(`/survey=${surveyId}`)
    if (!isNamed && own !== folder) continue
    const note = await readNote(own)
    if (note.survey !== surveyId) continue
    await checkParts({ folder: own, note })
    return { folder: own, note }
  }
  return null
}

function bad(path: string, because: string): AppError {
  return new AppError('bad-input', said`cannot use ${pathForDisplay(path)}: ${because}`, { path })
}

function otherKeys(one: CheckedFingerprints, other: CheckedFingerprints): AppError {
  const keyOf = ({ note }: CheckedFingerprints): string => note.key ?? said`none`
  return bad(
    other.folder,
    said`its key is ${keyOf(other)}, that of ${pathForDisplay(one.folder)} is ${keyOf(one)}`,
  )
}

/** The surveys' folders in a folder, or the folder itself if it is one. */
function surveyFolders(folder: string): string[] {
  const names = visibleNames(folder)
  if (names.includes(COMPLETE_NAME)) return [folder]
  const own = `format=${FINGERPRINT_FORMAT}`
  const other = names.find((name) => name.startsWith('format=') && name !== own)
  if (other !== undefined) throw bad(joinPath(folder, other), said`it was made by another version of Stowage`)
  if (names.some((name) => name.startsWith('table='))) throw bad(folder, said`${COMPLETE_NAME} is missing`)
  const tables = names.includes(own) ? joinPath(folder, own) : folder
  const surveys = names.includes(own) ? visibleNames(tables) : names
  const alien = surveys.find((name) => !name.startsWith('survey='))
  if (surveys.length === 0 || (alien !== undefined && tables === folder))
    throw bad(folder, said`there are no fingerprints in it`)
  if (alien !== undefined) throw bad(joinPath(tables, alien), said`it is not the folder of a survey`)
  return surveys.toSorted().map((name) => joinPath(tables, name))
}

/** The names in a folder but those that readers of Parquet pass over. */
function visibleNames(folder: string): string[] {
  return attemptAtOnce('read', folder, () => namesIn(folder)).filter((name) => !name.startsWith('.'))
}

async function readNote(folder: string): Promise<CompleteNote> {
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
  const note = completeNoteSchema.safeParse(parsed)
  if (!note.success) throw bad(path, said`it is damaged, or no note of fingerprints`)
  const name = folder.slice(folder.lastIndexOf('/') + 1)
  if (name.startsWith('survey=') && name !== `survey=${note.data.survey}`)
    throw bad(folder, said`it holds survey ${note.data.survey}`)
  const names = note.data.parts.map((part) => part.name)
  const expected = new Set(expectedParts(note.data))
  if (names.length !== expected.size || new Set(names).size !== expected.size)
    throw bad(path, said`its parts are not those of its schemes`)
  const alien = names.find((each) => !expected.has(each))
  if (alien !== undefined) throw bad(path, said`its parts are not those of its schemes`)
  return note.data
}

function expectedParts({ schemes }: CompleteNote): string[] {
  return [
    ...schemes.map(({ table, name }) => partName(table, name)),
    ...schemes.flatMap(({ table, name }) => (table === 'blocks' ? [partName('zeros', name)] : [])),
    partName('contents'),
    partName('files'),
  ]
}

async function checkParts(
  { folder, note }: CheckedFingerprints,
  onBytes: (bytes: number) => void = () => undefined,
): Promise<void> {
  const known = new Set([COMPLETE_NAME, ...note.parts.map(({ name }) => name)])
  for (const name of filesBelow(folder)) {
    if (!known.has(name)) throw bad(joinPath(folder, name), said`it is not one of the survey's parts`)
  }
  for (const part of note.parts) await checkPart(joinPath(folder, part.name), part, note, onBytes)
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
  note: CompleteNote,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const size = sizeOf(path)
  if (size === null) throw bad(path, said`it is missing`)
  if (size !== part.bytes) throw bad(path, said`it has ${size} bytes instead of ${part.bytes}`)
  if ((await sha256Of(path, onBytes)) !== part.sha256) throw bad(path, said`its content has changed`)
  const { table, scheme } =
    /^table=(?<table>[a-z]+)\/(?:scheme=(?<scheme>[^/]+)\/)?/.exec(part.name)?.groups ?? {}
  const about = {
    format: note.format,
    survey: note.survey,
    key: note.key,
    table,
    scheme: note.schemes.find(({ name }) => name === scheme),
  }
  const found = await footerOf(path)
  const columns = TABLE_COLUMNS[table as TableName]
  const isAlike = Object.entries(about).every(([name, value]) => isDeepStrictEqual(found.note[name], value))
  if (!isAlike || found.rows !== part.rows) throw bad(path, said`its footer does not belong to the note`)
  const [root, ...own] = schemaOf(columns)
  const missing = own.find(
    ({ name, type }) =>
      !found.columns.some((one) => one.name === name && one.type === type && one.repetition === 'REQUIRED'),
  )
  if (missing) throw bad(path, said`its column ${missing.name} is missing or of another type`)
  if (found.columns.length !== root?.num_children) throw bad(path, said`it has other columns`)
  if (!isBounded(found, columns)) throw bad(path, said`it unpacks to more than its rows can take`)
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

async function footerOf(path: string): Promise<Footer> {
  try {
    for await (const metadata of onPart(path, async function* (file) {
      yield await parquetMetadataAsync(file)
    })) {
      const text = metadata.key_value_metadata?.find(({ key }) => key === FOOTER_KEY)?.value
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
