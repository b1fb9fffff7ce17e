import type { WireError } from '../../../primitives/appError'
import type { Span } from '../../../primitives/estimate'
import type { BandEncryption, BandKind } from '../bandKind'
import type { DeviceFacts } from '../measurement'

export type { BandEncryption, BandKind }

export interface BandSweepRequest {
  /** The folder on the volume to be timed. A folder of our own is made in it and removed again. */
  directory: string
  /** Rounded to whole pages of 4 KiB. Null: the twelve usual sizes from 2 MiB to 973 MiB. */
  bandSizes: number[] | null
  kinds: BandKind[]
  encryptions: BandEncryption[]
  /** How large the planned bundle may become: its bands are counted at that size. */
  fullBytes: number
  /** Most bytes to write altogether; as many are read. The default takes some three minutes at 500 MB/s. */
  budgetBytes: number
  /** How often each point is timed; null: as the budget gives. */
  repeats: number | null
  /** Bytes of one request. */
  requestBytes: number
  /** Draws the orders of the rounds and the data. */
  seed: number
  /** `native`: in our own containers. `mounted`: in images that macOS makes and mounts. */
  through: 'native' | 'mounted'
}

/** Containers go through the system's cache: what was done so that the device and not the cache is timed. */
export interface SweepCache {
  /** Before every read the system was asked to forget the files' pages; what it then still held, null if it does not tell. */
  droppedBytes: number
  residentBytes: number | null
  /** Bytes that passes without writing read, and what the device itself counted meanwhile; null where nothing counts. */
  readBytes: number
  deviceReadBytes: number | null
  /** False: the cache answered, or may have. */
  plausible: boolean
}

export interface SweepPointFacts {
  kind: BandKind
  encryption: BandEncryption
  /** Null where there are no bands. */
  bandSize: number | null
  /** Of the planned bundle when it is full; null where there are no bands. */
  bands: number | null
}

/** Bytes per second: the median of the repeats and its range, which is null below three repeats. Measured. */
export interface SweepRate {
  value: number
  low: number | null
  high: number | null
  /** Of the range: 0.95 or more from six repeats on, what the extremes give below. */
  confidence: number | null
  repeats: number
  /** Robust standard deviation of the repeats, null for one. */
  spread: number | null
}

/** `stream` is the rate of a copy: a container is read while another one is written. */
export interface BandSweepPoint extends SweepPointFacts {
  /** How many of its bands a pass went over; null without bands. */
  bandsInPass: number | null
  write: SweepRate | null
  read: SweepRate | null
  stream: SweepRate | null
  /** Shares of the raw file's rates in the same rounds. */
  ofReference: {
    write: Span | null
    read: Span | null
    stream: Span | null
  }
}

export interface BandRecommendation {
  /** Null where no size can be recommended; `because` says why. */
  bandSize: number | null
  bands: number | null
  because: string
  encryption: BandEncryption
  /** True when other sizes are as fast as far as was seen. */
  isNoise: boolean
  /** Sizes not shown to be slower than the fastest, the recommended one among them. */
  asFast: number[]
  fastest: number | null
  /** Sizes shown to be slower, and how many times as long they took. */
  slower: {
    bandSize: number
    ratio: Span
  }[]
  rule: {
    limit: number
    from: number
    to: number
    place: 'local' | 'network' | 'fat'
  }
  /** What the recommended size is expected to give here: rates of its own passes. */
  expected: {
    write: SweepRate
    read: SweepRate
    stream: SweepRate
  } | null
}

/** Whoever shows it has the words for the code; the figures fill them in. */
export interface SweepWarning {
  code:
    | 'memoryFileSystem'
    | 'cacheSuspected'
    | 'cacheUnknown'
    | 'cancelled'
    | 'shortOfSpace'
    | 'partOfBand'
    | 'fewRepeats'
    | 'shortPass'
    | 'neverRunHere'
  figures: Record<string, number>
}

export type SweepOperation = 'write' | 'read' | 'stream'

export interface SweepSample {
  point: number
  round: number
  op: SweepOperation
  bytes: number
  ns: number
}

/** A band sweep with all its samples, as `stowage bands --json` prints it. */
export interface BandSweepDocument {
  schema: 'stowage.bandSweep/1'
  id: string
  createdWallMs: number
  directory: string
  device: DeviceFacts
  request: Omit<BandSweepRequest, 'directory'>
  /** What was asked for of the cache and what came of it. */
  cache: SweepCache
  /** Written data is forced to the medium at the end of every pass, within its time. */
  flush: 'end'
  passBytes: number
  /** Whole rounds that were gone through. */
  repeats: number
  /** Without the reference. */
  points: BandSweepPoint[]
  /** The raw file in the same rounds. */
  reference: BandSweepPoint
  recommended: BandRecommendation
  warnings: SweepWarning[]
  /** `point` 0 is the reference, the others follow in the order of `points`. */
  samples: SweepSample[]
  writtenBytes: number
  readBytes: number
  elapsedMs: number
  partial: boolean
  /** Why it ended early, null for a whole or a cancelled one. */
  error: WireError | null
}
