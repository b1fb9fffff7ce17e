import type { Database } from 'better-sqlite3'
import { pathFromBytes } from '../../primitives/pathText'
import { ENTRY_KINDS, type EntryKind } from './entry'
import { entryKey } from './entryKey'
import { keyPages } from './keyPages'
import { isExact } from './textColumns'

/** An entry of a survey by what its content is known by. */
export interface SourceEntry {
  readonly id: number
  readonly kind: EntryKind
  readonly rootIndex: number
  readonly path: string
  readonly bytes: number
  /** 64 digits in upper case; null where the survey has none. */
  readonly sha256: string | null
  /** In decimal digits, where there is no SHA-256 or times are asked for. */
  readonly mtimeNs: string | null
  readonly linkOf: number | null
  readonly linkTarget: string | null
}

type Row = [
  id: number,
  kind: number,
  root: number,
  path: string,
  bytes: number,
  sha256: string,
  mtimeNs: string | null,
  linkOf: number | null,
  linkTarget: Uint8Array | null,
]

/**
 * Entries in the order in which they were met. Nothing is kept open between two of them: whoever
 * takes them may pause.
 */
export function* sourceFiles(
  reader: Database,
  number: number,
  withTimes = false,
): IterableIterator<SourceEntry> {
  const exactPath = reader
    .prepare<[bigint], Uint8Array>('SELECT path FROM survey_entries WHERE key = ?')
    .pluck()
  const page = reader
    .prepare<[bigint, bigint, number], Row>(
      `SELECT key & 4294967295, kind, root, CAST(path AS TEXT), bytes, hex(sha256),
         ${withTimes ? 'CAST(mtime_ns AS TEXT)' : 'CASE WHEN sha256 IS NULL THEN CAST(mtime_ns AS TEXT) END'}, link_of, link_target
       FROM survey_entries WHERE key BETWEEN ? AND ? ORDER BY key LIMIT ?`,
    )
    .raw()
  for (const rows of keyPages(
    number,
    (first, last, most) => page.all(first, last, most),
    ([id]) => id,
  )) {
    for (const [id, kind, rootIndex, path, bytes, sha256, mtimeNs, linkOf, target] of rows) {
      const exact = isExact(path) ? undefined : exactPath.get(entryKey(number, id))
      yield {
        id,
        kind: ENTRY_KINDS[kind] ?? 'file',
        rootIndex,
        path: exact ? pathFromBytes(exact) : path,
        bytes,
        sha256: sha256 === '' ? null : sha256,
        mtimeNs,
        linkOf,
        linkTarget: target && pathFromBytes(target),
      }
    }
  }
}
