import { joinPath } from '../../../files/fileSystem'
import type { Expected } from '../lists/expectedTree'
import { PENDING_SHA256 } from '../lists/indexTsv'
import { isOfParity } from '../lists/parityTsv'
import { haveCopies } from '../lists/recoveryTsv'
import type { FileRow, IndexRow, PartRow } from '../lists/setIndex'
import { hasCopy } from '../lists/volumeFiles'
import { COPIES, INDEX_NAME, SUMS_NAME } from '../planned/ownNames'
import type { VolumeLists } from './volumeLists'

/** A file that must be on a volume. */
export interface ExpectedFile {
  readonly path: string
  /** Null where only the checksums name it. */
  readonly bytes: number | null
  /**
   * The digests in the index and in the checksums, which are the same on a volume without damage;
   * empty for a file that only must be readable.
   */
  readonly sha256: ReadonlySet<string>
}

/** The files of a tree that must be on a volume, each by its digest alone. */
export function contentsOf(expected: ReadonlyMap<string, Expected>): ExpectedFile[] {
  return [...expected].flatMap(([path, wanted]) =>
    wanted.kind === 'file' ? [{ path, bytes: null, sha256: new Set([wanted.sha256]) }] : [],
  )
}

/**
 * Every file that the index and the checksums of a volume say is on it, in the order in which it
 * was written; none that was left out while the volume was built.
 */
export function expectedFiles({ index, sums, own, number, skipped }: VolumeLists): ExpectedFile[] {
  const files = new Map<string, { path: string; bytes: number | null; sha256: Set<string> }>()
  const split = new Set(index?.rows.flatMap((row) => (row.kind === 'part' ? row.whole : [])))
  for (const row of index?.rows ?? []) {
    if (
      !isOn(row, number) ||
      skipped.has(row.path) ||
      (row.kind === 'file' && row.linkOf !== null && split.has(row.linkOf))
    )
      continue
    const isKnown = row.sha256 !== PENDING_SHA256
    const sha256 = new Set(isKnown ? [row.sha256] : [])
    files.set(row.path, { path: row.path, bytes: isKnown ? row.bytes : null, sha256 })
  }
  for (const [path, digest] of sums ?? []) {
    const known = files.get(path)
    if (known) known.sha256.add(digest)
    else files.set(path, { path, bytes: null, sha256: new Set([digest]) })
  }
  const lists = isOfParity(sums, own) ? [SUMS_NAME] : [INDEX_NAME, SUMS_NAME]
  for (const path of lists.map((name) => joinPath(own, name)))
    if (!files.has(path)) files.set(path, { path, bytes: null, sha256: new Set() })
  return [...files.values(), ...secondCopies(files, sums, own)]
}

/** The second copies of the lists that volumes with recovery data or parity have. */
function secondCopies(
  files: ReadonlyMap<string, ExpectedFile>,
  sums: VolumeLists['sums'],
  own: string,
): ExpectedFile[] {
  if (!sums || !haveCopies({ has: (name) => sums.has(joinPath(own, name)) })) return []
  const nameOf = ({ path }: ExpectedFile): string => path.slice(own.length + 1)
  const lists = [...files.values()].filter((file) => file.path.startsWith(`${own}/`) && hasCopy(nameOf(file)))
  return lists.map((list) => {
    const { bytes, sha256 } = list
    return { path: joinPath(own, COPIES, nameOf(list)), bytes, sha256 }
  })
}

/**
 * True for rows whose content is stored as it is: files of the source, parts and containers, but
 * not the files in containers.
 */
function isOn(row: IndexRow, number: number | null): row is FileRow | PartRow {
  return row.volume === number && (row.kind === 'part' || (row.kind === 'file' && row.packed === null))
}
