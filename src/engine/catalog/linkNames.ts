import type { Database } from 'better-sqlite3'
import { entryRange } from './entryKey'

interface NameRow {
  key: bigint
  kind: bigint
  device: bigint
  inode: bigint
}

/**
 * Decides which of a file's several names is the file: the first in the order of root and path, so
 * that the same source gives the same survey whichever name the pass met first. The others become
 * hard links that name it and have its size. One scan of the survey when it has linked names, none
 * else.
 * @returns the bytes that copies would store again for the further names
 */
export function linkNames(writer: Database, number: number): number {
  const [from, to] = entryRange(number)
  const range = { from, to }
  const names = writer
    .prepare<[typeof range], NameRow>(
      `WITH linked AS (
         SELECT DISTINCT device, inode FROM survey_entries WHERE key BETWEEN $from AND $to AND kind = 3)
       SELECT key, kind, device, inode FROM survey_entries
       WHERE key BETWEEN $from AND $to AND kind IN (0, 3) AND (device, inode) IN linked
       ORDER BY device, inode, root, path`,
    )
    .safeIntegers()
    .all(range)
  const swapContent = writer.prepare(
    `UPDATE survey_entries SET kind = 0, bytes = file.bytes, allocated_bytes = file.allocated_bytes,
       digest = file.digest, sha256 = file.sha256, file_number = file.file_number
     FROM (SELECT bytes, allocated_bytes, digest, sha256, file_number FROM survey_entries WHERE key = $file) AS file WHERE key = $first`,
  )
  const setLink = writer.prepare(
    `UPDATE survey_entries SET kind = 3, allocated_bytes = 0, digest = NULL, sha256 = NULL, file_number = NULL, link_of = $first & 4294967295,
       bytes = (SELECT bytes FROM survey_entries WHERE key = $first) WHERE key = $key`,
  )
  writer.transaction(() => {
    for (const group of groups(names)) {
      const first = group[0]?.key
      const file = group.find((name) => name.kind === 0n)?.key
      if (first === undefined || file === undefined) continue
      if (file !== first) swapContent.run({ file, first })
      for (const { key } of group.slice(1)) setLink.run({ first, key })
    }
  })()
  const sum = writer
    .prepare<[typeof range], { bytes: number | null }>(
      'SELECT sum(bytes) AS bytes FROM survey_entries WHERE key BETWEEN $from AND $to AND kind = 3',
    )
    .get(range)
  return sum?.bytes ?? 0
}

/** Names of one inode, which are adjacent. */
function* groups(names: readonly NameRow[]): IterableIterator<NameRow[]> {
  let start = 0
  for (let index = 1; index <= names.length; index++) {
    const before = names[index - 1]
    const here = names[index]
    if (here && before && here.inode === before.inode && here.device === before.device) continue
    yield names.slice(start, index)
    start = index
  }
}
