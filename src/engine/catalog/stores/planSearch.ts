import type { Database } from 'better-sqlite3'
import type { PlanSearch, PlanSearchRow } from '../../../contract/dto/plan'
import { pathFromBytes } from '../../../primitives/pathText'
import { namePattern } from '../namePattern'

interface NamedRow {
  path: Uint8Array
  whole: Uint8Array | null
  kind: number
  bytes: number
  volume: number
  isLink: number
}

const KINDS = ['file', 'folder', 'symlink', 'part'] as const

/**
 * The entries of a plan that match a pattern, by path and volume. The topmost folder that matches
 * represents everything in it. A split file is found by the names of its parts and by its own.
 * @param range the keys of the plan's entries
 * @param limit entries listed; all of them are counted
 */
export function searchPlan(
  reader: Database,
  range: [bigint, bigint],
  pattern: string,
  limit: number,
): PlanSearch {
  const { like, matches } = namePattern(pattern)
  const topmost = topmostMatch(matches)
  // What lies in a folder that matches has more behind the match.
  const within = `${like}%`
  const rows = reader
    .prepare<[bigint, bigint, string, string], NamedRow>(
      `SELECT path, whole_path AS whole, kind, bytes, volume, link_of IS NOT NULL AS isLink
       FROM plan_entries WHERE key BETWEEN ? AND ?
         AND (CAST(path AS TEXT) LIKE ? ESCAPE '\\' OR CAST(whole_path AS TEXT) LIKE ? ESCAPE '\\')`,
    )
    .iterate(...range, within, within)
  const found = new Map<string, PlanSearchRow>()
  for (const row of rows) {
    const path = pathFromBytes(row.path)
    const top = topmost(path) ?? (row.whole !== null && matches(pathFromBytes(row.whole)) ? path : null)
    if (top === null) continue
    const kind = top === path ? (KINDS[row.kind] ?? 'file') : 'folder'
    const key = `${row.volume} ${top}`
    const entry = found.get(key) ?? { path: top, kind, volume: row.volume, files: 0, bytes: 0 }
    found.set(key, entry)
    if (row.kind !== 0 && row.kind !== 3) continue
    entry.files += 1
    if (row.isLink === 0) entry.bytes += row.bytes
  }
  const all = [...found.values()].toSorted((one, other) =>
    one.path === other.path ? one.volume - other.volume : one.path < other.path ? -1 : 1,
  )
  return { total: all.length, found: all.slice(0, limit), volumes: sumsOfVolumes(all) }
}

/** Finds the first folder on the way down to a path, or the path itself, that matches. */
function topmostMatch(matches: (path: string) => boolean): (path: string) => string | null {
  const known = new Map<string, string | null>([['', null]])
  const ofFolder = (folder: string): string | null => {
    const before = known.get(folder)
    if (before !== undefined) return before
    const answer = ofFolder(parentOf(folder)) ?? (matches(folder) ? folder : null)
    known.set(folder, answer)
    return answer
  }
  return (path) => ofFolder(parentOf(path)) ?? (matches(path) ? path : null)
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

function sumsOfVolumes(found: readonly PlanSearchRow[]): PlanSearch['volumes'] {
  const sums = new Map<number, { index: number; files: number; bytes: number }>()
  for (const { volume, files, bytes } of found) {
    const sum = sums.get(volume) ?? { index: volume, files: 0, bytes: 0 }
    sums.set(volume, { index: volume, files: sum.files + files, bytes: sum.bytes + bytes })
  }
  return [...sums.values()].toSorted((one, other) => one.index - other.index)
}
