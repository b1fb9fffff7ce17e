import type { OptionFacts } from '../facts'
import type { RecipeFamily } from '../recipes/recipe'
import type { OptionFamily, Variant } from '../recipes/variant'
import { appleImageFamily } from './appleImage'
import { blocksFamily } from './blocks'
import { borgFamily } from './borg'
import { byFolderVariants } from './byFolder'
import { compressedFilesFamily } from './compressedFiles'
import { isoFamily } from './iso'
import { kopiaFamily } from './kopia'
import { plainFamily } from './plain'
import { resticFamily } from './restic'
import { sevenZipBlocksFamily } from './sevenZipBlocks'
import { sevenZipFilesFamily } from './sevenZipFiles'
import { sevenZipMergedFamily } from './sevenZipMerged'
import { sevenZipSolidFamily } from './sevenZipSolid'
import { squashfsFamily } from './squashfs'
import { tarZstFamily } from './tarZst'
import { torrent7zFamily } from './torrent7z'
import { torrentZipFamily } from './torrentZip'
import { zfsFamily } from './zfs'

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
  torrentzip: torrentZipFamily,
  // Made of the others' variants, below.
  'by-folder': { variants: () => [] },
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
  const own = Object.values(OPTION_FAMILIES).flatMap((family) => family.variants(facts))
  return [...own, ...byFolderVariants(facts, own)]
}
