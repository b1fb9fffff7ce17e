import { appleImage } from './appleImage'
import { blocks } from './blocks'
import { borgRepository } from './borgRepository'
import { compressedFiles } from './compressedFiles'
import { isoImage } from './isoImage'
import type { OptionBuilder } from './optionBuilder'
import { plainFolder } from './plainFolder'
import { erofs, kopia, zfs } from './refusedBuilders'
import { resticRepository } from './resticRepository'
import { sevenZipBlocks } from './sevenZipBlocks'
import { sevenZipFiles } from './sevenZipFiles'
import { sevenZipMerged } from './sevenZipMerged'
import { sevenZipSolid } from './sevenZipSolid'
import { squashfs } from './squashfs'
import { tarZst } from './tarZst'
import { torrent7z } from './torrent7z'

/** Which names belong to which family; whether it builds that very one its `refuses` says. */
const BUILDERS: readonly (readonly [names: RegExp, builder: OptionBuilder])[] = [
  [/^plain(-|$)/, plainFolder],
  [/^iso$/, isoImage],
  [/^(udrw|udsp|udsb|asif|udzo)$/, appleImage],
  [/^files-/, compressedFiles],
  [/^7z-files$/, sevenZipFiles],
  [/^7z-solid-/, sevenZipSolid],
  [/^7z-t7z$/, torrent7z],
  [/^7z-(titles|groups)$/, sevenZipMerged],
  [/^7z-titles\+/, sevenZipBlocks],
  [/^blocks-/, blocks],
  [/^zfs-/, zfs],
  [/^borg-/, borgRepository],
  [/^restic-/, resticRepository],
  [/^kopia-/, kopia],
  [/^tar-zst-/, tarZst],
  [/^squashfs-/, squashfs],
  [/^erofs-/, erofs],
]

/** The builder of a variant's family, which may refuse this variant; null for a name of no family. */
export function builderOf(variant: string): OptionBuilder | null {
  return BUILDERS.find(([names]) => names.test(variant))?.[1] ?? null
}
