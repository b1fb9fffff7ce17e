import { createHash } from 'node:crypto'
import { AppError } from '../../../primitives/appError'
import { said } from '../../../primitives/said'
import { joinPath } from '../../files/fileSystem'
import { writeNewFile } from '../../files/write'
import { WorkSteps } from '../../jobs/workSteps'
import { eachZipMember, type ZipMember } from '../../roms/archives/zipArchive'
import { COPY_SHARE, wholeFile } from './byProgram'
import type { FoundMember, Unpack, Unpacking } from './unpacker'

const ARCHIVE = 'archive.zip'

/**
 * Unpacks members of a zip by its directory, which says what is in it; names in code page 437 too,
 * which programs of some systems take for others.
 */
export const unpackTorrentZip: Unpack<'torrentzip'> = async (container, members, work) => {
  const steps = new WorkSteps(work.onShare)
  const whole = await wholeFile(container, ARCHIVE, work, steps.until(COPY_SHARE))
  const archive = whole === ARCHIVE ? joinPath(work.scratch(), whole) : whole
  const onShare = steps.until(1)
  let done = 0
  let number = 0
  let damage: AppError | null = null
  const noting = async (use: () => Promise<void>): Promise<void> => {
    try {
      await use()
    } catch (thrown) {
      if (!(thrown instanceof AppError) || thrown.code !== 'bad-input') throw thrown
      damage ??= thrown
    }
  }
  const take = async (member: ZipMember): Promise<void> => {
    const onBytes = (bytes: number): void => onShare((done += bytes) / Math.max(work.bytes, 1))
    work.found(member.name, await unpacked(member, String(number++), work, onBytes))
  }
  await noting(() =>
    eachZipMember(archive, work.signal, (member) => {
      if (members.has(member.name)) return noting(() => take(member))
    }),
  )
  const failure = damage as AppError | null
  if (failure)
    throw new AppError('verification-failed', said`cannot unpack the archive: ${failure.message}`, {
      cause: failure,
    })
}

async function unpacked(
  member: ZipMember,
  name: string,
  work: Unpacking,
  onBytes: (bytes: number) => void,
): Promise<FoundMember> {
  const hash = createHash('sha256')
  async function* hashed(): AsyncGenerator<Uint8Array, void, void> {
    for await (const piece of member.content()) {
      hash.update(piece)
      onBytes(piece.length)
      yield piece
    }
  }
  const { bytes } = member
  if (work.digestsOnly) {
    for await (const _ of hashed());
    return { bytes, content: null, sha256: hash.digest('hex') }
  }
  const file = joinPath(work.scratch(), name)
  await writeNewFile(file, hashed(), { flush: false, mode: 0o600, signal: work.signal })
  return { bytes, content: { file, offset: 0, bytes }, sha256: hash.digest('hex') }
}
