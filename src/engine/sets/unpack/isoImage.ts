import { open } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import { attempt, fsPath, joinPath } from '../../files/fileSystem'
import type { ContentPlace } from '../../files/read'
import { WorkSteps } from '../../jobs/workSteps'
import { convertContainer } from '../../native/containers'
import { readerOf } from '../volume/image/imageTree'
import { readIsoTree } from '../volume/image/isoTree'
import { COPY_SHARE, wholeFile } from './byProgram'
import type { Unpack, Unpacking } from './unpacker'

/** Finds members in an ISO 9660 image, in which they lie as they are. */
export const unpackIso: Unpack<'iso'> = (container, members, work) => findInIso(container, members, work)

/** Makes the disk that an Apple image holds, and finds members in its ISO 9660 file system. */
export const unpackAppleImage: Unpack<'apple-image'> = async (container, members, work) => {
  const { password, signal } = work
  const steps = new WorkSteps(work.onShare)
  const name = await wholeFile(container, 'image.dmg', work, steps.until(COPY_SHARE))
  const image = isAbsolute(name) ? name : joinPath(work.scratch(), name)
  const disk = joinPath(work.scratch(), 'disk.iso')
  const onShare = steps.until(1)
  await convertContainer(
    image,
    disk,
    { kind: 'UDRW' },
    {
      signal,
      onProgress: (done, of) => onShare(of === 0 ? 0 : done / of),
      ...(password ? { sourcePassword: password } : {}),
    },
  )
  const bytes = Number.MAX_SAFE_INTEGER
  await findInIso({ file: disk, offset: 0, bytes }, members, work)
}

async function findInIso(
  { file: path, offset, bytes }: ContentPlace,
  members: ReadonlySet<string>,
  { found }: Pick<Unpacking, 'found'>,
): Promise<void> {
  await using file = await attempt('read', path, open(fsPath(path)))
  const readAt = readerOf(file)
  const inside = (at: number, length: number): number => Math.max(0, Math.min(length, bytes - at))
  const tree = await readIsoTree((at, length) => readAt(offset + at, inside(at, length)))
  for (const entry of tree.entries) {
    if (entry.kind !== 'file' || !members.has(entry.path)) continue
    if (inside(entry.offset, entry.bytes) < entry.bytes) continue
    const content = { file: path, offset: offset + entry.offset, bytes: entry.bytes }
    found(entry.path, { bytes: entry.bytes, content, sha256: null })
  }
}
