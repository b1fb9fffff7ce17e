import type { Database } from 'better-sqlite3'
import type { MissingSha256, SurveyDocument, SurveyListItem } from '../../../contract/dto/survey'
import { AppError } from '../../../primitives/appError'
import type { Bytes } from '../../../primitives/bytes'
import { pathFromBytes } from '../../../primitives/pathText'
import { said } from '../../../primitives/said'
import { recoverAbandoned } from '../abandonedSurveys'
import type { Catalog, FileGrouping, GroupedIds } from '../catalog'
import { duplicateFiles } from '../duplicateFiles'
import { ENTRY_KINDS, type SurveyEntry } from '../entry'
import { entryKey, entryRange } from '../entryKey'
import { sourceFiles } from '../sourceFiles'
import { asHex, asText, isExact } from '../textColumns'
import type { StoredDocuments } from './storedDocuments'
import { sha256Keeper, surveyWriters } from './surveyWriter'

type SurveyPart = Pick<
  Catalog,
  | 'beginSurvey'
  | 'survey'
  | 'readableSurvey'
  | 'surveys'
  | 'surveyEntries'
  | 'sourceFiles'
  | 'surveySkips'
  | 'missingSha256'
  | 'acknowledgeChanges'
  | 'keepSha256'
  | 'duplicateFiles'
  | 'earlierSurveys'
  | 'fileRows'
  | 'numberedFiles'
  | 'surveyedRoots'
  | 'surveyIds'
  | 'contentOrder'
  | 'contentOrderIds'
  | 'fileGroups'
  | 'fileGroupIds'
  | 'packedFiles'
>

interface EntryRow {
  key: bigint
  kind: bigint
  root: bigint
  path: string
  bytes: bigint
  allocated_bytes: bigint
  mtime_ns: bigint
  ctime_ns: bigint
  device: bigint
  inode: bigint
  mode: bigint
  digest: string | null
  sha256: string | null
  link_of: bigint | null
  link_target: Uint8Array | null
}

const ENTRY_COLUMNS = `key, kind, root, ${asText('path')}, bytes, allocated_bytes, mtime_ns, ctime_ns,
  device, inode, mode, ${asHex('digest')}, ${asHex('sha256')}, link_of, link_target`

interface FileRow {
  key: bigint
  root: bigint
  path: Uint8Array
  bytes: bigint
  mtime_ns: bigint
  ctime_ns: bigint
  device: bigint
  inode: bigint
  file_number: bigint
  digest: Uint8Array
}

type NumberedRow = Pick<FileRow, 'root' | 'path' | 'bytes' | 'mtime_ns' | 'file_number'> &
  Pick<EntryRow, 'sha256'>

const GROUP_TABLES: Readonly<Record<FileGrouping, string>> = {
  groups: 'content_groups',
  dat: 'dat_groups',
  sets: 'dat_sets',
}

/** The catalog's tables of surveys. */
export function surveyStore(
  writer: Database,
  reader: Database,
  stored: StoredDocuments<SurveyDocument>,
): SurveyPart & { recoverAbandoned(): void } {
  const beginSurvey = surveyWriters(writer)
  const documentOf = reader.prepare<[string], { number: number; document: string }>(
    "SELECT number, document FROM surveys WHERE id = ? AND state = 'done'",
  )

  const fileRows = reader
    .prepare<[bigint, bigint, bigint, bigint], FileRow>(
      `SELECT key, root, path, bytes, mtime_ns, ctime_ns, device, inode, file_number, digest FROM survey_entries
       WHERE key >= ? AND key < ? AND kind = 0 AND file_number IS NOT NULL AND mtime_ns < ? AND ctime_ns < ?`,
    )
    .safeIntegers()

  const missing = reader.prepare<[bigint, bigint], MissingSha256>(
    `SELECT count(*) AS files, coalesce(sum(min(bytes, allocated_bytes)), 0) AS bytes FROM survey_entries
     WHERE key BETWEEN ? AND ? AND kind = 0 AND sha256 IS NULL AND bytes > 0`,
  )

  const acknowledged = writer.prepare('UPDATE surveys SET document = ? WHERE id = ?')

  const numberOf = (surveyId: string): { number: number; document: string } => {
    const row = documentOf.get(surveyId)
    if (!row) throw new AppError('not-found', said`no survey ${surveyId} in the catalog`)
    return row
  }

  const numbersFor = (surveyId: string, query: string, ...more: string[]): Uint32Array | null => {
    const found = reader.prepare<[number, ...string[]], Buffer>(query).pluck()
    const numbers = found.get(numberOf(surveyId).number, ...more)
    if (!numbers) return null
    // As they were written: every machine that this runs on has the low byte first.
    const { buffer, byteOffset, byteLength } = numbers
    return new Uint32Array(buffer.slice(byteOffset, byteOffset + byteLength))
  }
  const contentOrderIds = (surveyId: string): Uint32Array | null =>
    numbersFor(surveyId, 'SELECT ids FROM content_orders WHERE survey = ?')
  const fileGroupIds = (surveyId: string, by: FileGrouping): GroupedIds | null => {
    const table = GROUP_TABLES[by]
    const pairs = numbersFor(surveyId, `SELECT files FROM ${table} WHERE survey = ?`)
    if (pairs === null) return null
    const [ids, groups] = columnsOf(pairs)
    if (by === 'groups') return { ids, groups }
    const names = reader.prepare<[number], string>(`SELECT names FROM ${table} WHERE survey = ?`).pluck()
    return { ids, groups, names: JSON.parse(names.get(numberOf(surveyId).number) ?? '[]') as string[] }
  }

  return {
    beginSurvey: (surveyId, earlierId) =>
      beginSurvey(surveyId, earlierId === undefined ? null : numberOf(earlierId).number),

    survey: (surveyId) => stored.read(surveyId, numberOf(surveyId).document),

    readableSurvey: (surveyId) => stored.readable(surveyId, numberOf(surveyId).document),

    surveys: () =>
      stored.all("WHERE state = 'done' ORDER BY created_wall_ms DESC, number DESC").map(listItem),

    *surveyEntries(surveyId) {
      const { number } = numberOf(surveyId)
      const [from, to] = entryRange(number)
      const rows = reader
        .prepare<[bigint, bigint], EntryRow>(
          `SELECT ${ENTRY_COLUMNS} FROM survey_entries AS entries WHERE key BETWEEN ? AND ?
           ORDER BY entries.root, entries.path`,
        )
        .safeIntegers()
        .iterate(from, to)
      const readEntry = entryReader(reader)
      for (const row of rows) yield readEntry(row)
    },

    sourceFiles: (surveyId, withTimes) => sourceFiles(reader, numberOf(surveyId).number, withTimes),

    contentOrder(surveyId) {
      const ids = contentOrderIds(surveyId)
      return ids ? entriesInOrder(reader, numberOf(surveyId).number, ids) : null
    },

    contentOrderIds,

    fileGroups(surveyId, by) {
      const grouped = fileGroupIds(surveyId, by)
      return grouped && entriesInGroups(reader, numberOf(surveyId).number, grouped)
    },

    fileGroupIds,

    packedFiles(surveyId, by) {
      const query = 'SELECT files FROM packed_files WHERE survey = ? AND grouping = ?'
      const pairs = numbersFor(surveyId, query, by)
      if (pairs === null) return null
      const [ids, bits] = columnsOf(pairs)
      return { ids, bytes: new Float32Array(bits.buffer) }
    },

    *surveySkips(surveyId, offset = 0, limit = -1) {
      // Skips are numbered from 0 without gaps, so the offset-th is found by its key, however many lie before it.
      const { number } = numberOf(surveyId)
      const rows = reader
        .prepare<[bigint, bigint, number], { path: Uint8Array; code: string; message: string }>(
          'SELECT path, code, message FROM survey_skips WHERE key BETWEEN ? AND ? ORDER BY key LIMIT ?',
        )
        .iterate(entryKey(number, offset), entryRange(number)[1], limit)
      for (const row of rows) yield { ...row, path: pathFromBytes(row.path) }
    },

    acknowledgeChanges(surveyId, nowWallMs) {
      const document = stored.read(surveyId, numberOf(surveyId).document)
      const { silentChanges } = document
      if (silentChanges === undefined)
        throw new AppError(
          'nothing-to-do',
          said`survey ${surveyId} names no file whose content alone changed`,
        )
      acknowledged.run(
        JSON.stringify({ ...document, silentChanges: { ...silentChanges, acknowledgedWallMs: nowWallMs } }),
        surveyId,
      )
    },

    missingSha256: (surveyId) => missing.get(...entryRange(numberOf(surveyId).number)) as MissingSha256,

    keepSha256: sha256Keeper(writer),

    duplicateFiles(surveyId, limit) {
      const { number, document } = numberOf(surveyId)
      return duplicateFiles(reader, entryRange(number), stored.read(surveyId, document).roots, limit)
    },

    earlierSurveys(roots) {
      const wanted = new Set(roots)
      return reader
        .prepare<[], { id: string; roots: string; entries: number }>(
          `SELECT id, json_extract(document, '$.roots') AS roots, sketch_entries AS entries FROM surveys
           WHERE state = 'done' AND json_valid(document) ORDER BY created_wall_ms DESC, number DESC`,
        )
        .all()
        .filter((row) => {
          const theirs: unknown = JSON.parse(row.roots)
          return (
            Array.isArray(theirs) && theirs.length === wanted.size && theirs.every((root) => wanted.has(root))
          )
        })
        .map((row) => ({ surveyId: row.id, sketchedEntries: row.entries }))
    },

    surveyedRoots() {
      const lists = reader
        .prepare<[], string>(
          `SELECT DISTINCT json_extract(document, '$.roots') FROM surveys
           WHERE state = 'done' AND json_valid(document)`,
        )
        .pluck()
        .all()
      return [...new Set(lists.flatMap((list) => JSON.parse(list) as string[]))]
    },

    fileRows(surveyId, from, to, beforeNs) {
      const { number } = numberOf(surveyId)
      return fileRows.all(entryKey(number, from), entryKey(number, to), beforeNs, beforeNs).map((row) => ({
        fileNumber: Number(row.file_number),
        rootIndex: Number(row.root),
        path: row.path,
        bytes: Number(row.bytes),
        mtimeNs: row.mtime_ns,
        ctimeNs: row.ctime_ns,
        device: BigInt.asUintN(64, row.device),
        inode: BigInt.asUintN(64, row.inode),
        entryId: Number(row.key & 0xffffffffn),
        digest: row.digest,
      }))
    },

    *numberedFiles(surveyId) {
      const rows = reader
        .prepare<[bigint, bigint], NumberedRow>(
          `SELECT root, path, bytes, mtime_ns, file_number, ${asHex('sha256')} FROM survey_entries
           WHERE key BETWEEN ? AND ? AND kind = 0 AND file_number IS NOT NULL`,
        )
        .safeIntegers()
        .iterate(...entryRange(numberOf(surveyId).number))
      for (const row of rows) {
        yield {
          fileNumber: Number(row.file_number),
          rootIndex: Number(row.root),
          path: pathFromBytes(row.path),
          bytes: Number(row.bytes),
          mtimeNs: row.mtime_ns,
          sha256: row.sha256,
        }
      }
    },

    surveyIds() {
      const rows = reader.prepare<[], { id: string; state: string }>('SELECT id, state FROM surveys').all()
      return {
        all: new Set(rows.map(({ id }) => id)),
        open: new Set(rows.filter(({ state }) => state === 'open').map(({ id }) => id)),
      }
    },

    recoverAbandoned: () => recoverAbandoned(writer),
  }
}

function* entriesInOrder(reader: Database, number: number, ids: Uint32Array): IterableIterator<SurveyEntry> {
  const one = reader
    .prepare<[bigint], EntryRow>(`SELECT ${ENTRY_COLUMNS} FROM survey_entries WHERE key = ?`)
    .safeIntegers()
  const readEntry = entryReader(reader)
  for (const id of ids) {
    const row = one.get(entryKey(number, id))
    if (row) yield readEntry(row)
  }
}

/** Two columns of pairs. */
function columnsOf(pairs: Uint32Array): [Uint32Array, Uint32Array] {
  const [first, second] = [new Uint32Array(pairs.length / 2), new Uint32Array(pairs.length / 2)]
  for (let at = 0; at < first.length; at++) {
    first[at] = pairs[2 * at] as number
    second[at] = pairs[2 * at + 1] as number
  }
  return [first, second]
}

function* entriesInGroups(
  reader: Database,
  number: number,
  { ids, groups }: GroupedIds,
): IterableIterator<readonly SurveyEntry[]> {
  // Sorting numbers keeps those of one group in their order: the file's place follows the group's number.
  const places = Float64Array.from(groups, (group, place) => group * 2 ** 32 + place).toSorted()
  let members: SurveyEntry[] = []
  let last = -1
  for (const each of places) {
    const group = Math.floor(each / 2 ** 32)
    if (group !== last && members.length > 0) {
      yield members
      members = []
    }
    last = group
    members.push(...entriesInOrder(reader, number, ids.subarray(each % 2 ** 32, (each % 2 ** 32) + 1)))
  }
  if (members.length > 0) yield members
}

function listItem(document: SurveyDocument): SurveyListItem {
  const { id, createdWallMs, roots, totals, sha256, partial, interrupted } = document
  return {
    id,
    createdWallMs,
    roots,
    files: totals.files,
    bytes: totals.bytes,
    skipped: totals.skipped,
    sha256,
    partial,
    ...(interrupted && { interrupted }),
  }
}

function entryReader(reader: Database): (row: EntryRow) => SurveyEntry {
  const exactPath = reader
    .prepare<[bigint], Uint8Array>('SELECT path FROM survey_entries WHERE key = ?')
    .pluck()
  return (row) => {
    const exact = isExact(row.path) ? undefined : exactPath.get(row.key)
    return entryFromRow(row, exact ? pathFromBytes(exact) : row.path)
  }
}

function entryFromRow(row: EntryRow, path: string): SurveyEntry {
  const kind = ENTRY_KINDS[Number(row.kind)]
  if (kind === undefined)
    throw new AppError('catalog-broken', said`unknown kind of entry in the catalog: ${row.kind}`)
  return {
    id: Number(row.key & 0xffffffffn),
    kind,
    rootIndex: Number(row.root),
    path,
    bytes: Number(row.bytes) as Bytes,
    allocatedBytes: Number(row.allocated_bytes) as Bytes,
    mtimeNs: row.mtime_ns,
    ctimeNs: row.ctime_ns,
    device: BigInt.asUintN(64, row.device),
    inode: BigInt.asUintN(64, row.inode),
    mode: Number(row.mode),
    digest: row.digest,
    sha256: row.sha256,
    linkOf: row.link_of === null ? null : Number(row.link_of),
    linkTarget: row.link_target === null ? null : pathFromBytes(row.link_target),
  }
}
