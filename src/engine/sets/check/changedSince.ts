import type { DamagedFile } from '../../../contract/dto/check'
import { said } from '../../../primitives/said'
import { joinPath, lstatAt } from '../../files/fileSystem'
import type { VolumeLists } from '../volume/volumeLists'

/** Disks with the coarsest times count in steps of two seconds. */
const SAME_NS = 2_000_000_000n

/**
 * Says of each file of a folder volume whose content differs if it was written to since (its size
 * or modification time is another than in the index) or is corrupted (both are as in the index).
 * Files with the same content may share one time. On a disc or image nobody writes to a file.
 */
export function noteChanges(
  damaged: readonly DamagedFile[],
  { files: { folder }, index }: Pick<VolumeLists, 'files' | 'index'>,
): void {
  const differing = damaged.filter(({ kind }) => kind === 'differs')
  if (folder === null || index === null || differing.length === 0) return
  const stored = index.rows.flatMap((row) => (row.kind === 'file' || row.kind === 'part' ? [row] : []))
  for (const file of differing) {
    const own = stored.find(({ path }) => path === file.path)
    const now = lstatAt(joinPath(folder, file.path))
    if (!own || !now || own.mtimeNs === null) continue
    const times = stored.flatMap(({ sha256, mtimeNs }) => (sha256 === own.sha256 ? (mtimeNs ?? []) : []))
    const isSameTime = times.some((ns) => ns - now.mtimeNs < SAME_NS && now.mtimeNs - ns < SAME_NS)
    const isCorrupted = isSameTime && Number(now.size) === own.bytes
    file.cause = isCorrupted ? 'corrupted' : 'changed'
    file.because = isCorrupted
      ? said`${file.because}, but size and time are as written: corrupted`
      : said`${file.because}: changed since it was written`
  }
}
