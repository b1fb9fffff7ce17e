import { createHash } from 'node:crypto'
import { nameBytes } from '../../../../domain/sets/naming/nameBytes'
import { pathToBytes } from '../../../../primitives/pathText'

/** The longest name that file systems in use can hold. */
const LONGEST_NAME_BYTES = 255
const UNFINISHED = '.joining'

/**
 * Where a split file is joined before it is whole: `NAME.joining` in the folder of the file, or a
 * short name where that would be too long. Its length shows how far the file is, and `RESTORE.sh`
 * uses the same place, so either goes on where the other stopped.
 */
export function unfinishedPath(wholePath: string): string {
  const slash = wholePath.lastIndexOf('/') + 1
  const name = wholePath.slice(slash)
  if (nameBytes(name) + UNFINISHED.length <= LONGEST_NAME_BYTES) return wholePath + UNFINISHED
  const short = createHash('sha256').update(pathToBytes(wholePath)).digest('hex').slice(0, 32)
  return wholePath.slice(0, slash) + short + UNFINISHED
}
