import { nameBytes } from '../../../domain/sets/naming/nameBytes'
import { pathForDisplay } from '../../../primitives/pathText'
import rebuildScript from '../parity/rebuild.py?raw'
import repairScript from '../recovery/repair.py?raw'
import { imageTsv } from '../volume/lists/imageTsv'
import type { PlanBeforeSizing } from '../volume/lists/planBeforeSizing'
import { recoveryTsv } from '../volume/lists/recoveryTsv'
import { hasParts } from '../volume/lists/volumeFiles'
import {
  IMAGE_NAME,
  README_NAME,
  REBUILD_NAME,
  RECOVERY_NAME,
  REJOIN_NAME,
  REPAIR_NAME,
  RESTORE_SCRIPT_NAME,
  RESTORE_TEXT_NAME,
} from '../volume/planned/ownNames'
import type { PlannedVolume } from '../volume/planned/plannedVolume'
import { volumeReadme } from './readmeText'
import rejoinScript from './rejoin.sh?raw'
import restoreScript from './restore.sh?raw'

/** A volume, with all that the texts on it are made of. */
interface TextVolume {
  readonly plan: PlanBeforeSizing
  readonly volume: PlannedVolume
  /** How many volumes there are. */
  readonly count: number
  /** `RESTORE.txt`, which all volumes share. */
  readonly restoreText: string
}

/** The content of a file that Stowage adds to volumes. */
export interface VolumeText {
  text(of: TextVolume): Iterable<string>
  /**
   * The bytes that packing keeps free for it on every volume, at most; absent for files that few
   * volumes have, which are filled again with their true lengths.
   * @param roots the paths of the source
   */
  readonly reserveBytes?: (roots: readonly string[]) => number
}

const SECTOR = 2048
/** `README.txt` without the paths in it, and `RESTORE.txt` with every method, in two languages. */
const TEXT_BYTES = 8 * 1024

const script = (text: string): VolumeText => ({
  text: () => [text],
  reserveBytes: () => SECTOR * Math.ceil(nameBytes(text) / SECTOR),
})

/**
 * The contents of the files in `VOLUME_FILES` by name; the index and the checksums are made of all
 * volumes and of all other files, by `writeVolumes.ts`.
 */
export const VOLUME_TEXTS: Readonly<Record<string, VolumeText>> = {
  [IMAGE_NAME]: { text: ({ plan, volume }) => imageTsv(plan, volume) },
  [README_NAME]: {
    text: ({ plan, volume, count }) => [
      volumeReadme(plan, { ...volume, volumes: count, hasRejoin: hasParts(volume.entries) }),
    ],
    reserveBytes: (roots) => TEXT_BYTES + 2 * namesBytes(roots),
  },
  [RESTORE_TEXT_NAME]: { text: ({ restoreText }) => [restoreText], reserveBytes: () => TEXT_BYTES },
  [RESTORE_SCRIPT_NAME]: script(restoreScript),
  [REJOIN_NAME]: script(rejoinScript),
  [REBUILD_NAME]: { text: () => [rebuildScript] },
  [RECOVERY_NAME]: { text: ({ volume }) => (volume.protection ? [recoveryTsv(volume.protection)] : []) },
  [REPAIR_NAME]: { text: () => [repairScript] },
}

/**
 * Returns the most bytes that Stowage's own files take on a volume besides the index and the
 * checksums, each file in whole sectors of 2 KiB.
 * @param roots the paths that `README.txt` names, in each of its languages
 */
export function scriptAndTextBytes(roots: readonly string[]): number {
  return Object.values(VOLUME_TEXTS).reduce((sum, text) => sum + (text.reserveBytes?.(roots) ?? 0), 0)
}

function namesBytes(roots: readonly string[]): number {
  return roots.reduce((sum, root) => sum + nameBytes(pathForDisplay(root)) + ', '.length, 0)
}
