import type { Database } from 'better-sqlite3'
import { pathFromBytes } from '../../../primitives/pathText'
import { textBytes } from '../../files/fileSystem'
import { entryKey, entryRange } from '../entryKey'

/** A line that the index of a plan has of the earlier plans that it adds to. */
export interface StoredHistoryLine {
  /** As the index has it. */
  readonly line: string
  /** The path of a file that the source has now; null for all else. */
  readonly path: string | null
  readonly bytes: number
  /** The plan and its volume that hold the content. */
  readonly holder: string
  readonly volume: number
}

/** Adds the lines of a plan, whose number is given. */
export function saveHistory(writer: Database, number: number, lines: Iterable<StoredHistoryLine>): void {
  const insert = writer.prepare('INSERT INTO plan_history VALUES (?, ?, ?, ?, ?, ?)')
  let n = 0
  for (const { line, path, bytes, holder, volume } of lines)
    insert.run(entryKey(number, n++), path === null ? null : textBytes(path), bytes, holder, volume, line)
}

/**
 * Moves the contents of a plan's own volumes that its history names to where packing put them.
 * @param places the volumes of packed files by their paths, as the index has them
 */
export function moveHistory(
  writer: Database,
  number: number,
  planId: string,
  places: ReadonlyMap<string, number>,
): void {
  const move = writer.prepare<[number, bigint]>('UPDATE plan_history SET volume = ? WHERE key = ?')
  const lines = writer
    .prepare<[bigint, bigint, string], { key: bigint; line: string }>(
      'SELECT key, line FROM plan_history WHERE key BETWEEN ? AND ? AND holder = ?',
    )
    .safeIntegers()
    .all(...entryRange(number), planId)
  for (const { key, line } of lines) {
    const volume = places.get(line.slice(line.lastIndexOf('\t') + 1))
    if (volume !== undefined) move.run(volume, key)
  }
}

export function removeHistory(writer: Database, number: number): void {
  writer.prepare('DELETE FROM plan_history WHERE key BETWEEN ? AND ?').run(...entryRange(number))
}

export function historyLines(reader: Database, number: number): IterableIterator<string> {
  return reader
    .prepare<[bigint, bigint], string>('SELECT line FROM plan_history WHERE key BETWEEN ? AND ? ORDER BY key')
    .pluck()
    .iterate(...entryRange(number))
}

/** A file of a plan whose content is on a volume of another plan, or under another name. */
export interface HeldFile {
  readonly path: string
  readonly bytes: number
  readonly holder: string
  readonly volume: number
  /** True where it is under this path on that volume. */
  readonly isThere: boolean
}

/** The files of a plan with matching paths that are only in its history. */
export function* heldFiles(reader: Database, number: number, like: string): Generator<HeldFile> {
  const rows = reader
    .prepare<
      [bigint, bigint, string],
      { path: Uint8Array; bytes: number; holder: string; volume: number; line: string }
    >(
      `SELECT path, bytes, holder, volume, line FROM plan_history
       WHERE key BETWEEN ? AND ? AND path IS NOT NULL AND CAST(path AS TEXT) LIKE ? ESCAPE '\\' ORDER BY key`,
    )
    .iterate(...entryRange(number), like)
  for (const { path, line, ...held } of rows)
    yield { ...held, path: pathFromBytes(path), isThere: line.endsWith('\t') }
}
