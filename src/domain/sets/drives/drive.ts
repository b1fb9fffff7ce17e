/** Kinds of optical discs that drives report; `file` is a file that stands in for a disc. */
export type DiscKind =
  | 'cd-rom'
  | 'cd-r'
  | 'cd-rw'
  | 'dvd-rom'
  | 'dvd-r'
  | 'dvd-r-dl'
  | 'dvd-rw'
  | 'dvd-ram'
  | 'dvd+r'
  | 'dvd+r-dl'
  | 'dvd+rw'
  | 'dvd+rw-dl'
  | 'bd-rom'
  | 'bd-r'
  | 'bd-re'
  | 'file'
  | 'unknown'

/** The disc in a drive, as the drive reports it. */
export interface DriveMedium {
  kind: DiscKind
  /** The drive's own words: `BD-R sequential recording`. */
  name: string
  /** Nothing is on it: all of it can be written. */
  blank: boolean
  /** It can be written many times. */
  rewritable: boolean
  /** Sectors of 2,048 bytes that can be written to it now; null when the drive does not report them. */
  capacitySectors: number | null
  /** Sectors that are on it; null when the drive does not report them. */
  usedSectors: number | null
  /** Writing speeds that the drive offers for it, as multiples of 1x, the slowest first. */
  speeds: number[]
}

/** An optical drive and what is in it. */
export interface Drive {
  device: string
  vendor: string | null
  model: string | null
  /** Null without a disc, or when it could not be asked. */
  medium: DriveMedium | null
  /** Why the drive could not be asked, in one line. */
  problem: string | null
}
