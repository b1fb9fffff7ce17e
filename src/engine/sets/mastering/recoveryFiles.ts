import {
  descriptionName,
  recoveryName,
  type VolumeProtection,
} from '../../../domain/sets/protection/volumeProtection'
import type { OwnFile } from '../../discImages/imageEntries'
import { haveCopies } from '../volume/lists/recoveryTsv'
import { hasCopy } from '../volume/lists/volumeFiles'
import { COPIES } from '../volume/planned/ownNames'

/** Recovery files follow the lists, which they protect too; copies of these are the last. */
export const RECOVERY_RANK = 2
const COPY_RANK = 3

/**
 * Stowage's own files of a volume with those of its recovery data, of which only the lengths are
 * known, and a second copy of each list behind them, which is found from the end of the image.
 */
export function withRecovery(
  lists: readonly OwnFile[],
  protection: VolumeProtection | undefined,
): readonly OwnFile[] {
  const isCopiedList = haveCopies(new Set(lists.map(({ name }) => name)))
  if (!protection && !isCopiedList) return lists
  const recovery = (protection?.sets ?? []).flatMap((set, at) => [
    recoveryFile(descriptionName(at + 1), set.description.bytes),
    recoveryFile(recoveryName(at + 1, set.recoveryBlocks), set.recovery.bytes),
  ])
  const copies = lists
    .filter(({ name }) => hasCopy(name))
    .map(({ name, bytes, source }) => ({ name: `${COPIES}/${name}`, bytes, source, rank: COPY_RANK }))
  return [...lists, ...recovery, ...copies]
}

function recoveryFile(name: string, bytes: number): OwnFile {
  return { name, bytes, source: null, rank: RECOVERY_RANK }
}

/** A protection of which only the number of sets is known, from which its names follow. */
export function blankProtection(sets: number): VolumeProtection {
  const range = { sector: 0, bytes: 1 }
  const blank = { blocks: 0, recoveryBlocks: 1, description: range, recovery: range }
  return { blockBytes: 0, sets: Array.from({ length: sets }, () => blank), bytes: 0, scratchBytes: 0 }
}
