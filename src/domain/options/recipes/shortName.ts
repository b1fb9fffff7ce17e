import type { Recipe } from './recipe'

const IMAGES = {
  udrw: 'Read-write disk image (UDRW)',
  udsp: 'Sparse disk image (UDSP)',
  udsb: 'Sparse bundle (UDSB)',
  asif: 'Apple sparse image (ASIF)',
  udzo: 'Compressed disk image (UDZO)',
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
      return recipe.hardLinks ? 'Plain files with hard links' : 'Plain files'
    case 'iso':
      return 'ISO image'
    case 'apple-image':
      return IMAGES[recipe.kind]
    case 'compressed-files':
      return `Each file with ${recipe.codec === 'zstd-19' ? 'zstd -19' : programOf(recipe.codec)}`
    case 'seven-zip-files':
      return '7z, each file by itself'
    case 'seven-zip-solid':
      return 'Solid 7z'
    case 'torrent7z':
      return 'torrent7z archive'
    case 'seven-zip-merged':
      return recipe.by === 'titles' ? 'One 7z per title' : 'One 7z per group of similar files'
    case 'seven-zip-blocks':
      return recipe.blockBytes === null
        ? 'One 7z per title, duplicates once'
        : 'One 7z per title, blocks stored once'
    case 'blocks':
      return 'Distinct blocks'
    case 'zfs':
      return 'ZFS'
    case 'borg':
      return recipe.version === 2 ? 'borg 2 repository' : 'borg repository'
    case 'restic':
      return 'restic repository'
    case 'kopia':
      return 'kopia repository'
    case 'tar-zst':
      return 'tar.zst'
    case 'squashfs':
      return `SquashFS with ${programOf(recipe.codec)}`
  }
}
