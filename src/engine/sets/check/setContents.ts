import type { PlaceNotes } from '../../files/scratch'
import { openEncryptedIndex } from '../unpack/encryptedIndex'
import { absentMembers } from '../verify/absentMembers'
import { containerOf, type Held, type Member, PackedContents } from '../verify/packedContents'
import { type IndexRow, partsByWhole, type SetIndex } from '../volume/lists/setIndex'
import type { FileDifference } from '../volume/open/difference'
import type { VolumeLists } from '../volume/open/volumeLists'

/** The files in the archives of one set, compared as its volumes are read. */
export interface SetContents {
  readonly contents: PackedContents
  heldOn(volume: VolumeLists): Held[]
  /** Bytes of the files that are compared with a volume, where the given are read in turn. */
  bytesWith(volume: VolumeLists): number
  readonly index: SetIndex
}

/** A difference for every file of a set whose container its index has on no volume. */
export function absentInIndex({ rows }: SetIndex): FileDifference[] {
  const members = membersIn(rows)
  return absentMembers(members, members.length === 0 ? [] : heldIn(rows))
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
  const contents = new PackedContents({ ...work, members: membersIn(index.rows) })
  const heldOn = ({ number }: VolumeLists): Held[] =>
    heldIn(number === null ? [] : index.rows.filter((row) => row.volume === number), index.rows)
  const bytes = contents.bytesWith(volumes.map(heldOn))
  return { contents, heldOn, bytesWith: (volume) => bytes[volumes.indexOf(volume)] ?? 0, index }
}

/** The files of the source that are in containers; further names of a file are not among them. */
function membersIn(rows: readonly IndexRow[]): Member[] {
  return rows.flatMap((row) =>
    row.kind === 'file' && row.packed !== null && row.linkOf === null
      ? [{ ...row, container: row.packed.in, name: row.packed.member }]
      : [],
  )
}

/**
 * The containers among the rows, their parts, and the files of repositories.
 * @param all has every part of them
 */
function heldIn(rows: readonly IndexRow[], all: readonly IndexRow[] = rows): Held[] {
  const parts = partsByWhole(all)
  return rows.flatMap((row): Held[] => {
    if ((row.kind !== 'file' && row.kind !== 'part') || row.method === null) return []
    const { path, method } = row
    if (row.kind === 'file') return [{ path, container: containerOf(path, method), method, part: null }]
    const own = parts.get(row.whole) ?? []
    const part = { number: own.indexOf(row) + 1, of: own.length }
    return [{ path, container: containerOf(row.whole, method), method, part }]
  })
}
