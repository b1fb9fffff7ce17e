import { joinPath, lstatAt } from '../../files/fileSystem'
import type { FileDifference } from '../volume/open/difference'
import type { VolumeLists } from '../volume/open/volumeLists'

/** Disks with the coarsest times count in steps of two seconds. */
const SAME_NS = 2_000_000_000n

/**
 * Adds to each file of a folder volume whose content differs if it was written to since (its size
 * or modification time is another than in the index) or is corrupted (both are as in the index).
 * Files with the same content may share one time. On a disc or image nobody writes to a file.
 */
export function withCauses(
  differences: readonly FileDifference[],
  { files: { folder }, index }: Pick<VolumeLists, 'files' | 'index'>,
): readonly FileDifference[] {
  const isDiffering = differences.some(({ code }) => code === 'other-size' || code === 'other-content')
  if (folder === null || index === null || !isDiffering) return differences
  const stored = index.rows.flatMap((row) => (row.kind === 'file' || row.kind === 'part' ? [row] : []))
  return differences.map((difference) => {
    const { path, code } = difference
    if (code !== 'other-size' && code !== 'other-content') return difference
    const own = stored.find((row) => row.path === path)
    const now = lstatAt(joinPath(folder, path))
    if (!own || !now || own.mtimeNs === null) return difference
    const times = stored.flatMap(({ sha256, mtimeNs }) => (sha256 === own.sha256 ? (mtimeNs ?? []) : []))
    const isSameTime = times.some((ns) => ns - now.mtimeNs < SAME_NS && now.mtimeNs - ns < SAME_NS)
    const isCorrupted = isSameTime && Number(now.size) === own.bytes
    return { ...difference, cause: isCorrupted ? 'corrupted' : 'changed' }
  })
}
