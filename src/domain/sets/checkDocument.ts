import type { WireError } from '../../primitives/appError'

/** How a volume was read: by direct reads; buffered, with the cache emptied before; or perhaps from the cache. */
export type ReadingWay = 'uncached' | 'dropped' | 'cached'

/** Bytes of a file, or of an image or a disc, that could not be read. */
export interface ByteRange {
  offset: number
  bytes: number
}

export interface DamagedFile {
  /** On the volume; of a file in an archive, its path in the set. */
  path: string
  /** `unreadable`: sectors cannot be read. `cut`: the image or file ends before. `differs`: by SHA-256 or size. */
  kind: 'unreadable' | 'cut' | 'differs' | 'missing'
  /** One line without the path. */
  because: string
  /** In the file. */
  unreadable: ByteRange[]
  /** The same on the image or disc, in sectors of 2,048 bytes; null in a folder, which does not know them. */
  sectors: { first: number; count: number }[] | null
}

/** The result of checking one volume. */
export interface CheckedVolume {
  /** Where it was. */
  path: string
  /** SHA-256 of the index of its set; null where neither index nor checksums could be read. */
  setId: string | null
  /** Of the plan that made it, as it says itself. */
  planId: string | null
  index: number | null
  label: string
  /** `unchecked`: it could not be opened as a volume, for the reason in `error`. */
  state: 'good' | 'damaged' | 'unchecked' | 'cancelled'
  /** The least that was obtained for any of its bytes, with how; null where nothing was read. */
  reading: { way: ReadingWay; because: string } | null
  /** What was read and compared: files on the volume, and their bytes without those that share content. */
  files: number
  bytes: number
  /** Files in archives that were unpacked and compared too. */
  contents: number
  elapsedMs: number
  damaged: DamagedFile[]
  error: WireError | null
  /** When it should be checked again; null unless it is good and known by its set. */
  checkByWallMs: number | null
  notes: string[]
}

export interface CheckDocument {
  schema: 'stowage.check/1'
  id: string
  startedWallMs: number
  elapsedMs: number
  outcome: 'done' | 'failed' | 'cancelled'
  volumes: CheckedVolume[]
  /** Volumes of the same sets that were not given. */
  notGiven: { setId: string; index: number; label: string }[]
}
