import { said } from '../../../primitives/said'
import type { Recipe } from './recipe'

const MERGED = {
  titles: said`One 7z per title`,
  groups: said`One 7z per group of similar files`,
  dat: said`One 7z per parent with clones`,
  split: said`One 7z per ROM set`,
  nonmerged: said`One 7z per ROM set`,
  sets: said`One torrent7z archive per ROM set`,
} as const

const ONCE_OF_SETS = {
  files: said`One 7z per ROM set, duplicates once`,
  blocks: said`One 7z per ROM set, blocks stored once`,
} as const

const ONCE = {
  titles: {
    files: said`One 7z per title, duplicates once`,
    blocks: said`One 7z per title, blocks stored once`,
  },
  dat: {
    files: said`One 7z per parent with clones, duplicates once`,
    blocks: said`One 7z per parent with clones, blocks stored once`,
  },
  split: ONCE_OF_SETS,
  nonmerged: ONCE_OF_SETS,
  sets: {
    files: said`One torrent7z archive per ROM set, duplicates once`,
    blocks: said`One torrent7z archive per ROM set, blocks stored once`,
  },
} as const

const ZIPS = {
  titles: said`One TorrentZip per title`,
  dat: said`One TorrentZip per parent with clones`,
  sets: said`One TorrentZip per ROM set`,
} as const

const IMAGES = {
  udrw: said`Read-write disk image (UDRW)`,
  udsp: said`Sparse disk image (UDSP)`,
  udsb: said`Sparse bundle (UDSB)`,
  asif: said`Apple sparse image (ASIF)`,
  udzo: said`Compressed disk image (UDZO)`,
} as const

/** The program without its level: `zstd-3` is zstd to a person who compares kinds. */
function programOf(codec: string): string {
  return codec.replace(/-\d+$/, '')
}

/**
 * A kind of option in two to five words: `SquashFS with zstd`. Variants that differ only in sizes
 * share it.
 */
export function shortNameOf(recipe: Recipe): string {
  switch (recipe.family) {
    case 'plain':
      return recipe.hardLinks ? said`Plain files with hard links` : said`Plain files`
    case 'iso':
      return said`ISO image`
    case 'apple-image':
      return IMAGES[recipe.kind]
    case 'compressed-files':
      return said`Each file with ${recipe.codec === 'zstd-19' ? 'zstd -19' : programOf(recipe.codec)}`
    case 'seven-zip-files':
      return said`7z, each file by itself`
    case 'seven-zip-solid':
      return said`Solid 7z`
    case 'torrent7z':
      return said`torrent7z archive`
    case 'seven-zip-merged':
      return MERGED[recipe.by]
    case 'seven-zip-blocks':
      return ONCE[recipe.by][recipe.blockBytes === null ? 'files' : 'blocks']
    case 'torrentzip':
      return ZIPS[recipe.by]
    case 'by-folder':
      return said`By folder`
    case 'blocks':
      return said`Distinct blocks`
    case 'zfs':
      return 'ZFS'
    case 'borg':
      return recipe.version === 2 ? said`borg 2 repository` : said`borg repository`
    case 'restic':
      return said`restic repository`
    case 'kopia':
      return said`kopia repository`
    case 'tar-zst':
      return 'tar.zst'
    case 'squashfs':
      return said`SquashFS with ${programOf(recipe.codec)}`
  }
}
