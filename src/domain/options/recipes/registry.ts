import type { OptionFacts } from '../facts'
import { appleImageFamily } from '../families/appleImage'
import { blocksFamily } from '../families/blocks'
import { borgFamily } from '../families/borg'
import { compressedFilesFamily } from '../families/compressedFiles'
import { isoFamily } from '../families/iso'
import { kopiaFamily } from '../families/kopia'
import { plainFamily } from '../families/plain'
import { resticFamily } from '../families/restic'
import { sevenZipBlocksFamily } from '../families/sevenZipBlocks'
import { sevenZipFilesFamily } from '../families/sevenZipFiles'
import { sevenZipMergedFamily } from '../families/sevenZipMerged'
import { sevenZipSolidFamily } from '../families/sevenZipSolid'
import { squashfsFamily } from '../families/squashfs'
import { tarZstFamily } from '../families/tarZst'
import { torrent7zFamily } from '../families/torrent7z'
import { zfsFamily } from '../families/zfs'
import type { RecipeFamily } from './recipe'
import type { OptionFamily, Variant } from './variant'

/** Every family of recipes with its forecast. */
export const OPTION_FAMILIES: Readonly<Record<RecipeFamily, OptionFamily>> = {
  plain: plainFamily,
  iso: isoFamily,
  'apple-image': appleImageFamily,
  'compressed-files': compressedFilesFamily,
  'seven-zip-files': sevenZipFilesFamily,
  'seven-zip-solid': sevenZipSolidFamily,
  torrent7z: torrent7zFamily,
  'seven-zip-merged': sevenZipMergedFamily,
  'seven-zip-blocks': sevenZipBlocksFamily,
  blocks: blocksFamily,
  zfs: zfsFamily,
  borg: borgFamily,
  restic: resticFamily,
  kopia: kopiaFamily,
  'tar-zst': tarZstFamily,
  squashfs: squashfsFamily,
}

/** All variants of all families that this survey can forecast. */
export function allVariants(facts: OptionFacts): Variant[] {
  return Object.values(OPTION_FAMILIES).flatMap((family) => family.variants(facts))
}
