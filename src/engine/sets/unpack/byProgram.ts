import { lstat, symlink } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fileFailure, fsPath, joinPath } from '../../files/fileSystem'
import { writeNewFile } from '../../files/newFile'
import type { ContentPlace } from '../../files/rangeOf'
import { followedRange } from './followedRange'
import { canBeArgument } from './givenNames'
import type { Unpacking } from './unpacker'

/** Of the work with a container the share in which it is copied, if it must be. */
export const COPY_SHARE = 0.2

/**
 * What programs that run in `scratch` find a container by, as a file by itself: its own path, or the name of a link, where that path
 * cannot be given to programs, or of a copy, where the container is only a part of an image.
 * @param name for the link or copy
 * @param onShare how much of a copy is made
 */
export async function wholeFile(
  container: ContentPlace,
  name: string,
  { scratch, signal }: Pick<Unpacking, 'scratch' | 'signal'>,
  onShare: Unpacking['onShare'],
): Promise<string> {
  const own = resolve(container.file)
  const at = (): string => joinPath(scratch(), name)
  try {
    if (container.offset !== 0 || (await lstat(fsPath(own))).size !== container.bytes) {
      await writeNewFile(at(), followedRange(container, signal, onShare), {
        flush: false,
        mode: 0o600,
        signal,
      })
      return name
    }
    if (canBeArgument(own)) return own
    await symlink(fsPath(own), fsPath(at()))
    return name
  } catch (thrown) {
    throw fileFailure(thrown, 'read', container.file)
  }
}
