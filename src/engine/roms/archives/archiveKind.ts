import type { TarCompression } from './tarArchive'

/** An archive that is opened, by its name. */
export interface ArchiveKind {
  readonly format: 'zip' | '7z' | 'tar'
  /** The compression of a tar; `none` for the others. */
  readonly compression: TarCompression
  /** The name of the file without the ending of the archive. */
  readonly stem: string
}

const ENDING = /\.(?:zip|7z|t(?:ar|gz|zst|xz|bz2?|lz)|tar\.(?:gz|zst|xz|bz2|lzma))$/i
const COMPRESSIONS: Readonly<Record<string, TarCompression>> = {
  gz: 'gzip',
  tgz: 'gzip',
  zst: 'zstd',
  tzst: 'zstd',
  xz: 'xz',
  txz: 'xz',
  bz2: 'bzip2',
  tbz: 'bzip2',
  tbz2: 'bzip2',
  lzma: 'lzma',
  tlz: 'lzma',
}
const OTHERS = /\.(?:7z\.\d{3}|rar|gz|bz2|xz|zst|lzma)$/i

/** How a file of this name is opened; null for what is not opened. */
export function archiveKind(name: string): ArchiveKind | null {
  const at = name.search(ENDING)
  if (at <= 0) return null
  const last = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  const format = last === 'zip' || last === '7z' ? last : 'tar'
  return { format, compression: COMPRESSIONS[last] ?? 'none', stem: name.slice(0, at) }
}

/** True for archives that are not opened: nothing can be said of what they hold. */
export function isUnopenedKind(name: string): boolean {
  return OTHERS.test(name)
}
