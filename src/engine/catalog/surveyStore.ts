import type { Database } from 'better-sqlite3'
import type { SurveyDocument, SurveyListItem } from '../../contract/dto/survey'
import { surveyDocumentSchema } from '../../contract/dto/survey'
import { AppError } from '../../primitives/appError'
import type { Bytes } from '../../primitives/bytes'
import { pathFromBytes, pathToBytes } from '../../primitives/pathText'
import type { Catalog, SurveyWriter } from './catalog'
import { duplicateFiles } from './duplicateFiles'
import { ENTRY_KINDS, type NewEntry, type SurveyEntry } from './entry'
import { entryKey, entryRange } from './entryKey'
import { linkNames } from './linkNames'

type SurveyPart = Pick<
  Catalog,
  'beginSurvey' | 'survey' | 'surveys' | 'surveyEntries' | 'contentOrder' | 'surveySkips' | 'duplicateFiles'
>

interface EntryRow {
  key: bigint
  kind: bigint
  root: bigint
  path: Uint8Array
  bytes: bigint
  allocated_bytes: bigint
  mtime_ns: bigint
  ctime_ns: bigint
  device: bigint
  inode: bigint
  mode: bigint
  digest: Uint8Array | null
  sha256: Uint8Array | null
  link_of: bigint | null
  link_target: Uint8Array | null
}

/** The catalog's tables of surveys. */
export function surveyStore(writer: Database, reader: Database): SurveyPart & { dropAbandoned(): void } {
  const insertEntry = writer.prepare(
    'INSERT INTO survey_entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
  )
  const insertSkip = writer.prepare('INSERT INTO survey_skips VALUES (?, ?, ?, ?)')
  const documentOf = reader.prepare<[string], { number: number; document: string }>(
    "SELECT number, document FROM surveys WHERE id = ? AND state = 'done'",
  )

  const remove = (number: number): void => {
    const [from, to] = entryRange(number)
    writer.transaction(() => {
      writer.prepare('DELETE FROM survey_entries WHERE key BETWEEN ? AND ?').run(from, to)
      writer.prepare('DELETE FROM survey_skips WHERE key BETWEEN ? AND ?').run(from, to)
      writer.prepare('DELETE FROM content_orders WHERE survey = ?').run(number)
      writer.prepare('DELETE FROM surveys WHERE number = ?').run(number)
    })()
  }

  const numberOf = (surveyId: string): { number: number; document: string } => {
    const row = documentOf.get(surveyId)
    if (!row) throw new AppError('not-found', `no survey ${surveyId} in the catalog`)
    return row
  }

  return {
    beginSurvey(surveyId): SurveyWriter {
      const number = Number(
        writer
          .prepare("INSERT INTO surveys (id, state, owner_pid) VALUES (?, 'open', ?)")
          .run(surveyId, process.pid).lastInsertRowid,
      )
      let skips = 0
      let isOpen = true
      return {
        add: lazily(writer, (entries: Iterable<NewEntry>) => {
          for (const entry of entries) {
            insertEntry.run(
              entryKey(number, entry.id),
              ENTRY_KINDS.indexOf(entry.kind),
              entry.rootIndex,
              entry.path,
              entry.bytes,
              entry.allocatedBytes,
              entry.mtimeNs,
              entry.ctimeNs,
              BigInt.asIntN(64, entry.device),
              BigInt.asIntN(64, entry.inode),
              entry.mode,
              entry.digest,
              entry.sha256,
              null,
              entry.linkTarget === null ? null : pathToBytes(entry.linkTarget),
            )
          }
        }),
        skip: lazily(writer, ({ path, code, message }) => {
          insertSkip.run(entryKey(number, skips++), pathToBytes(path), code, message)
        }),
        linkNames: () => linkNames(writer, number),
        contentOrder(ids) {
          writer
            .prepare('INSERT OR REPLACE INTO content_orders VALUES (?, ?)')
            .run(number, Buffer.from(ids.buffer, ids.byteOffset, ids.byteLength))
        },
        finish(document) {
          writer
            .prepare("UPDATE surveys SET state = 'done', created_wall_ms = ?, document = ? WHERE number = ?")
            .run(document.createdWallMs, JSON.stringify(document), number)
          isOpen = false
        },
        discard() {
          if (isOpen) remove(number)
          isOpen = false
        },
      }
    },

    survey: (surveyId) => parse(numberOf(surveyId).document),

    surveys: () =>
      reader
        .prepare<[], { document: string }>(
          "SELECT document FROM surveys WHERE state = 'done' ORDER BY created_wall_ms DESC, number DESC",
        )
        .all()
        .map((row) => listItem(parse(row.document))),

    *surveyEntries(surveyId) {
      const { number } = numberOf(surveyId)
      const [from, to] = entryRange(number)
      const rows = reader
        .prepare<[bigint, bigint], EntryRow>(
          'SELECT * FROM survey_entries WHERE key BETWEEN ? AND ? ORDER BY root, path',
        )
        .safeIntegers()
        .iterate(from, to)
      for (const row of rows) yield entryFromRow(row)
    },

    contentOrder(surveyId) {
      const { number } = numberOf(surveyId)
      const row = reader
        .prepare<[number], { ids: Buffer }>('SELECT ids FROM content_orders WHERE survey = ?')
        .get(number)
      return row ? entriesInOrder(reader, number, row.ids) : null
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

    duplicateFiles(surveyId, limit) {
      const { number, document } = numberOf(surveyId)
      return duplicateFiles(reader, entryRange(number), parse(document).roots, limit)
    },

    dropAbandoned() {
      const open = writer
        .prepare<[], { number: number; owner_pid: number }>(
          "SELECT number, owner_pid FROM surveys WHERE state = 'open'",
        )
        .all()
      for (const row of open) if (!isAlive(row.owner_pid)) remove(row.number)
    },
  }
}

/**
 * A transaction that does not wait for the disk: what it adds is not visible before `finish`, whose own transaction
 * brings everything before it to the disk.
 */
function lazily<A>(writer: Database, work: (argument: A) => void): (argument: A) => void {
  const transaction = writer.transaction(work)
  return (argument) => {
    writer.pragma('synchronous = NORMAL')
    try {
      transaction(argument)
    } finally {
      writer.pragma('synchronous = FULL')
    }
  }
}

/** `ids`: four bytes each, the least first. */
function* entriesInOrder(reader: Database, number: number, ids: Buffer): IterableIterator<SurveyEntry> {
  const one = reader.prepare<[bigint], EntryRow>('SELECT * FROM survey_entries WHERE key = ?').safeIntegers()
  for (let at = 0; at < ids.length; at += 4) {
    const row = one.get(entryKey(number, ids.readUInt32LE(at)))
    if (row) yield entryFromRow(row)
  }
}

function isAlive(pid: number): boolean {
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (thrown) {
    return thrown instanceof Error && 'code' in thrown && thrown.code === 'EPERM'
  }
}

function parse(document: string): SurveyDocument {
  return surveyDocumentSchema.parse(JSON.parse(document))
}

function listItem(document: SurveyDocument): SurveyListItem {
  const { id, createdWallMs, roots, totals, sha256, partial } = document
  return {
    id,
    createdWallMs,
    roots,
    files: totals.files,
    bytes: totals.bytes,
    skipped: totals.skipped,
    sha256,
    partial,
  }
}

function entryFromRow(row: EntryRow): SurveyEntry {
  const kind = ENTRY_KINDS[Number(row.kind)]
  if (kind === undefined)
    throw new AppError('catalog-broken', `unknown kind of entry in the catalog: ${row.kind}`)
  return {
    id: Number(row.key & 0xffffffffn),
    kind,
    rootIndex: Number(row.root),
    path: pathFromBytes(row.path),
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
