import type { PlanEntry } from '../../../../contract/dto/plan'
import { textBytes } from '../../../files/fileSystem'
import {
  ENCRYPTED_INDEX_NAME,
  IMAGE_NAME,
  INDEX_NAME,
  README_NAME,
  REBUILD_NAME,
  RECOVERY_NAME,
  REJOIN_NAME,
  REPAIR_NAME,
  RESTORE_SCRIPT_NAME,
  RESTORE_TEXT_NAME,
  SKIPPED_NAME,
  SUMS_NAME,
} from '../planned/ownNames'
import type { PlannedVolume } from '../planned/plannedVolume'
import { hasImageList } from './imageTsv'
import type { PlanBeforeSizing } from './planBeforeSizing'
import { type Skipped, skippedTsv } from './skippedList'

/** A planned volume, as far as it decides which files Stowage adds to it. */
export interface ListedVolume {
  readonly plan: Pick<PlanBeforeSizing, 'discLists' | 'protectSet'>
  readonly volume: Pick<PlannedVolume, 'entries' | 'protection'>
  /** True for a volume of an encrypted set. */
  readonly isEncrypted: boolean
}

/** A file that Stowage adds to volumes, in its own folder there. */
export interface VolumeFile {
  readonly name: string
  /** True for a volume that is planned with it. */
  isOn(about: ListedVolume): boolean
  /** False for a file without a second copy on images that have copies of the others. */
  readonly hasCopy: boolean
  /**
   * Its content on a volume from which files were left out, given the planned one; absent where
   * that stays. It is given null, and gives null, where there is none.
   */
  readonly without?: (planned: Buffer | null, skipped: Skipped) => Uint8Array | null
}

const everywhere = (): boolean => true
const nowhere = (): boolean => false

/**
 * All files that Stowage adds to volumes, in the order in which the checksums list them; the
 * checksums themselves come last. Their contents are in `export/volumeTexts.ts`. A damaged image is
 * read from its end, where `INDEX.tsv`, the checksums and all names between them in the order of
 * bytes are found without any folder (`listsAtEnd.ts`): a new list should have such a name.
 */
export const VOLUME_FILES: readonly VolumeFile[] = [
  { name: IMAGE_NAME, isOn: ({ plan, volume }) => hasImageList(plan, volume), hasCopy: true },
  { name: INDEX_NAME, isOn: everywhere, hasCopy: true },
  { name: ENCRYPTED_INDEX_NAME, isOn: ({ isEncrypted }) => isEncrypted, hasCopy: true },
  { name: README_NAME, isOn: everywhere, hasCopy: true, without: readmeWithout },
  { name: RESTORE_TEXT_NAME, isOn: everywhere, hasCopy: true },
  { name: RESTORE_SCRIPT_NAME, isOn: everywhere, hasCopy: true },
  { name: REJOIN_NAME, isOn: ({ volume }) => hasParts(volume.entries), hasCopy: true },
  { name: REBUILD_NAME, isOn: ({ plan }) => plan.protectSet !== undefined, hasCopy: true },
  { name: RECOVERY_NAME, isOn: isProtected, hasCopy: true },
  { name: REPAIR_NAME, isOn: isProtected, hasCopy: true },
  {
    name: SKIPPED_NAME,
    isOn: nowhere,
    hasCopy: false,
    without: (_, skipped) => textBytes(skippedTsv(skipped)),
  },
  { name: SUMS_NAME, isOn: everywhere, hasCopy: true },
]

/** The names in Stowage's own folder of a planned volume, in the order of the table. */
export function filesOf(about: ListedVolume): string[] {
  return VOLUME_FILES.filter((file) => file.isOn(about)).map(({ name }) => name)
}

/** False for a file of which no second copy is made. */
export function hasCopy(name: string): boolean {
  return VOLUME_FILES.find((file) => file.name === name)?.hasCopy ?? true
}

/** True when parts of the source's own files are among the entries. */
export function hasParts(entries: readonly PlanEntry[]): boolean {
  return entries.some((entry) => entry.kind === 'part' && entry.method === undefined)
}

function isProtected({ volume }: ListedVolume): boolean {
  return volume.protection !== undefined
}

function readmeWithout(planned: Buffer | null, { size }: Skipped): Uint8Array | null {
  if (planned === null) return null
  const what = size === 1 ? '1 file was' : `${size} files were`
  const line = `\n${what} left out of this volume while it was made: ${SKIPPED_NAME} names what ${INDEX_NAME} has all the same.\n`
  return Buffer.concat([planned, textBytes(line)])
}
