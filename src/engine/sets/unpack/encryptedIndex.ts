import { AppError } from '../../../primitives/appError'
import { said } from '../../../primitives/said'
import { cannot, joinPath } from '../../files/fileSystem'
import { type PlaceNotes, withSystemTempFolder } from '../../files/scratch'
import { readSetIndex, type SetIndex } from '../volume/lists/setIndex'
import type { VolumeUse } from '../volume/lists/volume'
import type { GivenVolume } from '../volume/open/givenVolumes'
import { ENCRYPTED_INDEX_NAME } from '../volume/planned/ownNames'
import { onlyMember } from './sevenZipArchive'

/**
 * The whole index of an encrypted set, of the first volume on which it is not damaged.
 * @param opening how its text is read: by default as of a plan's own volumes
 * @throws AppError `wrong-password` for one that is missing or wrong, `verification-failed`,
 *   `tool-missing`, `cancelled`
 */
export async function openEncryptedIndex(
  volumes: readonly Pick<GivenVolume, 'path' | 'encryptedIndex'>[],
  opening: {
    readonly use?: VolumeUse
    readonly read?: (text: Buffer, shown: string) => SetIndex
    readonly password: Uint8Array | null
    readonly notes: PlaceNotes
    readonly signal: AbortSignal
  },
): Promise<SetIndex> {
  const { use = 'restore from', read = readSetIndex, password, notes, signal } = opening
  let failure: AppError | null = null
  for (const { path, encryptedIndex } of volumes) {
    if (!encryptedIndex) continue
    if (!password) {
      throw cannot('wrong-password', use, path, said`the set is encrypted, and no password is given`)
    }
    try {
      const text = await withSystemTempFolder(notes, 'restore', (scratch) =>
        onlyMember(encryptedIndex, { scratch: () => scratch, password, signal }),
      )
      return read(text, joinPath(path, ENCRYPTED_INDEX_NAME))
    } catch (thrown) {
      const { code, message } = AppError.from(thrown)
      if (code === 'cancelled') throw thrown
      const because = code === 'wrong-password' ? said`the password is wrong` : message
      failure ??= cannot(code, use, path, because)
    }
  }
  throw failure ?? new AppError('internal', 'no encrypted index')
}
