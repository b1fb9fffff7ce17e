import type { Database } from 'better-sqlite3'
import type { SurveyDocument } from '../../../contract/dto/survey'
import { AppError } from '../../../primitives/appError'
import { pathToBytes } from '../../../primitives/pathText'
import { said } from '../../../primitives/said'
import { ownIdentity } from '../../files/processIdentity'
import type { Catalog, SurveyWriter } from '../catalog'
import { ENTRY_KINDS, type NewEntry } from '../entry'
import { type EntryCells, INSERT_CELLS } from '../entryCells'
import { boundKey, entryKey, entryRange } from '../entryKey'
import { linkNames } from '../linkNames'

/** Deletes a survey with everything below it. */
export function removeSurvey(writer: Database, number: number): void {
  const [from, to] = entryRange(number)
  writer.transaction(() => {
    writer.prepare('DELETE FROM survey_entries WHERE key BETWEEN ? AND ?').run(from, to)
    writer.prepare('DELETE FROM survey_skips WHERE key BETWEEN ? AND ?').run(from, to)
    writer.prepare('DELETE FROM content_orders WHERE survey = ?').run(number)
    writer.prepare('DELETE FROM content_groups WHERE survey = ?').run(number)
    writer.prepare('DELETE FROM dat_groups WHERE survey = ?').run(number)
    writer.prepare('DELETE FROM dat_sets WHERE survey = ?').run(number)
    writer.prepare('DELETE FROM packed_files WHERE survey = ?').run(number)
    writer.prepare('DELETE FROM surveys WHERE number = ?').run(number)
  })()
}

/**
 * How surveys are written: gives the function that begins one. `earlier` is the number of the
 * survey that it trusts.
 */
export function surveyWriters(writer: Database): (surveyId: string, earlier: number | null) => SurveyWriter {
  const insertion = (sha256: string): string =>
    `INSERT INTO survey_entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ${sha256}, NULL, ?, ?)`
  const insertRead = writer.prepare(insertion('?'))
  const insertTrusted = writer.prepare(insertion('(SELECT sha256 FROM survey_entries WHERE key = ?)'))
  const insertCells = writer.prepare(INSERT_CELLS)
  const insertContentGroups = writer.prepare('INSERT OR REPLACE INTO content_groups VALUES (?, ?)')
  const insertNamed = {
    dat: writer.prepare('INSERT OR REPLACE INTO dat_groups VALUES (?, ?, ?)'),
    sets: writer.prepare('INSERT OR REPLACE INTO dat_sets VALUES (?, ?, ?)'),
  }
  const insertPacked = writer.prepare('INSERT OR REPLACE INTO packed_files VALUES (?, ?, ?)')
  const insertSkip = writer.prepare('INSERT INTO survey_skips VALUES (?, ?, ?, ?)')
  const sketched = writer.prepare('UPDATE surveys SET sketch_entries = ? WHERE number = ?')
  const setDocument = writer.prepare(
    'UPDATE surveys SET state = ?, created_wall_ms = ?, document = ?, sketch_entries = ? WHERE number = ? AND state = ?',
  )

  return (surveyId, earlier) => {
    const number = Number(
      writer
        .prepare("INSERT INTO surveys (id, state, owner) VALUES (?, 'open', ?)")
        .run(surveyId, ownIdentity()).lastInsertRowid,
    )
    let skips = 0
    let isOpen = true
    let sketchedEntries = 0
    let checkpointedEntries = 0
    let hasLinks = false
    const store = (state: 'open' | 'done', document: SurveyDocument, entries: number): void => {
      const text = JSON.stringify(document)
      const before = isOpen ? 'open' : 'done'
      if (setDocument.run(state, document.createdWallMs, text, entries, number, before).changes > 0) return
      // One that cannot see this process, in another container, may have dropped entries as well.
      throw new AppError(
        'refused',
        said`survey ${surveyId} was ended or removed by another process meanwhile`,
      )
    }
    const filesOf = (ids: Uint32Array): Uint32Array =>
      hasLinks ? withFilesOfNames(writer, number, ids) : ids
    return {
      add: lazily(writer, (entries: Iterable<NewEntry>) => {
        for (const entry of entries) {
          const isTrusted = earlier !== null && entry.trustedEntry !== undefined
          const insert = isTrusted ? insertTrusted : insertRead
          insert.run(
            boundKey(number, entry.id),
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
            isTrusted ? entryKey(earlier, entry.trustedEntry ?? 0) : entry.sha256,
            entry.linkTarget === null ? null : pathToBytes(entry.linkTarget),
            entry.fileNumber ?? null,
          )
        }
      }),
      addCells: lazily(writer, (entries: EntryCells) => {
        insertCells.run({ ...entries, firstKey: entryKey(number, entries.firstId) })
      }),
      skip: lazily(writer, ({ path, code, message }) => {
        insertSkip.run(entryKey(number, skips++), pathToBytes(path), code, message)
      }),
      linkNames() {
        // Content moves between entries: what a checkpoint said of the first so many may hold no longer.
        if (isOpen && checkpointedEntries !== sketchedEntries) sketched.run(0, number)
        hasLinks = true
        return linkNames(writer, number)
      },
      contentOrder(ids) {
        const files = filesOf(ids)
        writer.prepare('INSERT OR REPLACE INTO content_orders VALUES (?, ?)').run(number, bytesOf(files))
      },
      fileGroups(by, { ids, groups, names = [] }) {
        const pairs = pairsOf(filesOf(ids), groups)
        if (by === 'groups') insertContentGroups.run(number, bytesOf(pairs))
        else insertNamed[by].run(number, bytesOf(pairs), JSON.stringify(names))
      },
      packedFiles(by, { ids, bytes }) {
        const bits = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length)
        insertPacked.run(number, by, bytesOf(pairsOf(filesOf(ids), bits)))
      },
      checkpoint(document, entries) {
        if (!isOpen) return
        store('open', document, entries)
        checkpointedEntries = entries
      },
      finish(document) {
        store('done', document, sketchedEntries)
        isOpen = false
      },
      sketched(entries) {
        sketchedEntries = entries
        if (!isOpen) sketched.run(entries, number)
      },
      discard() {
        if (isOpen) removeSurvey(writer, number)
        isOpen = false
      },
    }
  }
}

/** How SHA-256 is added to surveys that are finished. */
export function sha256Keeper(writer: Database): Catalog['keepSha256'] {
  const find = writer
    .prepare<[string], number>("SELECT number FROM surveys WHERE id = ? AND state = 'done'")
    .pluck()
  const set = writer.prepare(
    'UPDATE survey_entries SET sha256 = ? WHERE key = ? AND kind = 0 AND sha256 IS NULL',
  )
  const setEvery = writer.prepare(
    "UPDATE surveys SET document = json_set(document, '$.sha256', json('true')) WHERE number = ? AND json_valid(document)",
  )
  return writer.transaction((surveyId, digests, everyFile) => {
    const number = find.get(surveyId)
    if (number === undefined) return
    for (const { id, sha256 } of digests) set.run(sha256, boundKey(number, id))
    if (everyFile) setEvery.run(number)
  })
}

function pairsOf(ids: Uint32Array, values: Uint32Array): Uint32Array {
  const pairs = new Uint32Array(2 * ids.length)
  for (let at = 0; at < ids.length; at++) {
    pairs[2 * at] = ids[at] as number
    pairs[2 * at + 1] = values[at] as number
  }
  return pairs
}

function bytesOf(numbers: Uint32Array): Buffer {
  return Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength)
}

/** With every further name of a file replaced by the file. */
function withFilesOfNames(writer: Database, number: number, ids: Uint32Array): Uint32Array {
  const [from, to] = entryRange(number)
  const files = new Map(
    writer
      .prepare<[bigint, bigint], [number, number]>(
        `SELECT key & 4294967295, link_of FROM survey_entries
         WHERE key BETWEEN ? AND ? AND kind = 3 AND link_of IS NOT NULL`,
      )
      .raw()
      .all(from, to),
  )
  return files.size === 0 ? ids : ids.map((id) => files.get(id) ?? id)
}

/**
 * A transaction that does not wait for the disk: what it adds is not visible before `finish`, whose
 * own transaction brings everything before it to the disk.
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
