import type { PlanEntry } from '../../../contract/dto/plan'
import type { PlaceNotes } from '../../files/scratch'
import { openEncryptedIndex } from '../unpack/encryptedIndex'
import { absentMembers } from '../verify/absentMembers'
import { PackedContents } from '../verify/packedContents'
import { type IndexRow, type PartRow, partsByWhole, type SetIndex } from '../volume/lists/setIndex'
import type { FileDifference } from '../volume/open/difference'
import type { VolumeLists } from '../volume/open/volumeLists'

/** The files in the archives of one set, compared as its volumes are read. */
export interface SetContents {
  readonly contents: PackedContents
  /** The containers on a volume, the parts of containers, and the files of repositories. */
  entriesOn(volume: number): PlanEntry[]
  readonly index: SetIndex
}

/** A difference for every file of a set whose container its index has on no volume. */
export function absentInIndex({ rows }: SetIndex): FileDifference[] {
  const members = membersOf(rows)
  return absentMembers(members, members.length === 0 ? [] : contentOf(rows))
}

/**
 * Prepares to compare the files in the archives of a set; null for sets of plain files.
 * @param volumes of the set that are given
 * @throws AppError `wrong-password` for an encrypted set whose password is missing or wrong
 */
export async function setContents(
  volumes: readonly VolumeLists[],
  work: {
    readonly directory: string
    readonly password: Uint8Array | null
    readonly notes: PlaceNotes
    readonly signal: AbortSignal
  },
): Promise<SetContents | null> {
  const given = volumes.flatMap(({ volume }) => volume ?? [])
  const isEncrypted = given.some(({ encryptedIndex }) => encryptedIndex !== null)
  const index = isEncrypted
    ? await openEncryptedIndex(given, { use: 'verify', ...work })
    : volumes.find((one) => one.index !== null)?.index
  if (!index || index.rows.every(({ method }) => method === null)) return null
  return {
    contents: new PackedContents({ ...work, members: membersOf(index.rows) }),
    entriesOn: (number) =>
      contentOf(
        index.rows.filter((row) => row.volume === number),
        index.rows,
      ),
    index,
  }
}

/** The files of the source that are in containers. */
function membersOf(rows: readonly IndexRow[]): PlanEntry[] {
  return rows.flatMap((row) => (row.kind === 'file' && row.packed !== null ? fileEntry(row) : []))
}

/**
 * The containers among the rows, their parts, and the files of repositories.
 * @param all has every part of them
 */
function contentOf(rows: readonly IndexRow[], all: readonly IndexRow[] = rows): PlanEntry[] {
  const parts = partsByWhole(all)
  return rows.flatMap((row): PlanEntry[] => {
    if (row.method === null) return []
    if (row.kind === 'file') return [fileEntry(row)]
    return row.kind === 'part' ? [partEntry(row, parts.get(row.whole) ?? [])] : []
  })
}

function fileEntry(row: Extract<IndexRow, { kind: 'file' }>): Extract<PlanEntry, { kind: 'file' }> {
  const { path, bytes, sha256, linkOf, packed, method } = row
  return {
    kind: 'file',
    path,
    source: path,
    bytes,
    sha256,
    ...(linkOf === null ? {} : { linkOf }),
    ...(packed === null ? {} : { in: packed.in, member: packed.member }),
    ...(method === null ? {} : { method }),
  }
}

function partEntry(row: PartRow, all: readonly PartRow[]): PlanEntry {
  const { path, bytes, sha256, offset, whole, wholeSha256, method } = row
  return {
    kind: 'part',
    path,
    source: path,
    bytes,
    sha256,
    offset,
    part: all.indexOf(row) + 1,
    parts: all.length,
    wholePath: whole,
    wholeBytes: all.reduce((sum, part) => sum + part.bytes, 0),
    wholeSha256,
    ...(method === null ? {} : { method }),
  }
}
