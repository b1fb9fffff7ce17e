import type { OptionFacts } from './facts'
import { appleImageFamily } from './families/appleImage'
import { blocksFamily } from './families/blocks'
import { borgFamily } from './families/borg'
import { compressedFilesFamily } from './families/compressedFiles'
import { isoFamily } from './families/iso'
import { kopiaFamily } from './families/kopia'
import { plainFamily } from './families/plain'
import { resticFamily } from './families/restic'
import { sevenZipBlocksFamily } from './families/sevenZipBlocks'
import { sevenZipFilesFamily } from './families/sevenZipFiles'
import { sevenZipMergedFamily } from './families/sevenZipMerged'
import { sevenZipSolidFamily } from './families/sevenZipSolid'
import { squashfsFamily } from './families/squashfs'
import { tarZstFamily } from './families/tarZst'
import { torrent7zFamily } from './families/torrent7z'
import { zfsFamily } from './families/zfs'
import type { OptionFamily, Variant } from './variant'

/** Every kind of container with its reductions. */
export const OPTION_FAMILIES: readonly OptionFamily[] = [
  plainFamily,
  isoFamily,
  appleImageFamily,
  compressedFilesFamily,
  sevenZipFilesFamily,
  sevenZipSolidFamily,
  torrent7zFamily,
  sevenZipMergedFamily,
  sevenZipBlocksFamily,
  blocksFamily,
  zfsFamily,
  borgFamily,
  resticFamily,
  kopiaFamily,
  tarZstFamily,
  squashfsFamily,
]

/** All variants of all families that this survey can tell of. */
export function allVariants(facts: OptionFacts): Variant[] {
  return OPTION_FAMILIES.flatMap((family) => family.variants(facts))
}
