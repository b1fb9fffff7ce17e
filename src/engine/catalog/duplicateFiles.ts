import type { Database } from 'better-sqlite3'
import type { DuplicateGroup } from '../../contract/dto/survey'
import { pathFromBytes } from '../../primitives/pathText'

/** Paths that one group lists. */
const LISTED_PATHS = 20

interface Row {
  digest: Uint8Array
  bytes: number
  copies: number
  root: number
  path: Uint8Array
}

/**
 * Groups of files of one survey with the same digest and size, those first whose copies occupy the
 * most; groups that save as much come with the larger files first. `range` is the survey's keys,
 * `roots` are its document's. Empty files and further names of a file (hard links) are no copies.
 * Two passes over the survey's entries, sorted on disk where they outgrow the page cache: a read of
 * all groups, then of the paths of those that are shown.
 */
export function duplicateFiles(
  reader: Database,
  range: readonly [bigint, bigint],
  roots: readonly string[],
  limit: number,
): DuplicateGroup[] {
  const rows = reader
    .prepare<[bigint, bigint, number, bigint, bigint, number], Row>(
      `WITH top AS MATERIALIZED (
         SELECT digest, bytes, count(*) AS copies FROM survey_entries
         WHERE key BETWEEN ? AND ? AND kind = 0 AND bytes > 0 AND digest IS NOT NULL
         GROUP BY digest, bytes HAVING copies > 1
         ORDER BY bytes * (copies - 1) DESC, bytes DESC, digest LIMIT ?
       ), placed AS (
         SELECT top.digest, top.bytes, top.copies, entry.root, entry.path,
           row_number() OVER (PARTITION BY top.digest, top.bytes ORDER BY entry.root, entry.path) AS place
         FROM survey_entries AS entry JOIN top ON top.digest = entry.digest AND top.bytes = entry.bytes
         WHERE entry.key BETWEEN ? AND ? AND entry.kind = 0
       )
       SELECT digest, bytes, copies, root, path FROM placed WHERE place <= ?
       ORDER BY bytes * (copies - 1) DESC, bytes DESC, digest, place`,
    )
    .all(...range, limit, ...range, LISTED_PATHS)
  const groups: (DuplicateGroup & { readonly digest: Uint8Array })[] = []
  for (const row of rows) {
    const last = groups.at(-1)
    const same = last && last.bytes === row.bytes && Buffer.compare(last.digest, row.digest) === 0
    if (same) last.paths.push(absolutePath(roots[row.root] ?? '', row.path))
    else {
      groups.push({
        digest: row.digest,
        bytes: row.bytes,
        copies: row.copies,
        savedBytes: row.bytes * (row.copies - 1),
        paths: [absolutePath(roots[row.root] ?? '', row.path)],
      })
    }
  }
  return groups.map(({ digest: _digest, ...group }) => group)
}

function absolutePath(root: string, path: Uint8Array): string {
  const below = pathFromBytes(path)
  return below === '' ? root : `${root.replace(/\/$/, '')}/${below}`
}
