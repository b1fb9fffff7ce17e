import type { WireError } from '../../primitives/appError'
import type { Estimate } from '../../primitives/estimate'

export interface RunVolume {
  index: number
  label: string
  state: 'pending' | 'done' | 'kept' | 'failed' | 'cancelled'
  /** Forecast and actual, side by side; actual is null until there is one. */
  forecastSectors: number
  actualSectors: number | null
  files: number
  bytes: number
  elapsedMs: number | null
  errors: WireError[]
  /** Only of a `write` run, and there of a volume that was written. */
  written?: VolumeWrite | undefined
}

/** How a volume's bytes got to its medium. */
export interface VolumeWrite {
  /** Of everything that was written: the image, or `SHA256SUMS` of a folder. */
  sha256: string
  bytes: number
  /** When it was written, and read back where it was. */
  endedWallMs: number
  writeMs: number
  /** Whether it was read back from the medium, by direct reads where the system can, and matched. */
  verified: boolean
  verifyMs: number | null
  /** Null where no ring buffer lay between source and writer. */
  pipe: WritePipe | null
}

/** Statistics of the ring buffer between source and writer. A stall is a wait of more than 10 ms. */
export interface WritePipe {
  bufferBytes: number
  bytes: number
  seconds: number
  /** From the first write until the input ended. */
  leastFilledBytes: number
  mostFilledBytes: number
  /** The source waited because the buffer was full. */
  inputWaitedMs: number
  inputStalls: number
  /** The writer waited because the buffer was empty: the medium starved. */
  outputWaitedMs: number
  outputStalls: number
  locked: boolean
}

/** Where a `write` run writes to, and how. */
export interface WriteTarget {
  /** `file`: a file that stands in for the discs. `folder`: images or folders are copied there. */
  kind: 'drive' | 'file' | 'folder'
  path: string
  /** The program that burns; null where Stowage copies itself. */
  tool: string | null
  /** As multiples of the medium's 1x; null for the drive's own choice. */
  speed: number | null
  onTheFly: boolean
}

/** Forecast vs. actual of one step of a run, over the volumes that it was carried out for. */
export interface StepTime {
  /** Where each volume is packed and built in one go, `build` is both. */
  step: 'pack' | 'build' | 'write' | 'verify'
  /** By the plan, in seconds. */
  forecast: Estimate
  actualSeconds: number
  volumes: number
}

export interface RunDocument {
  schema: 'stowage.run/1'
  id: string
  kind: 'build' | 'verify' | 'write'
  planId: string
  directory: string
  /** SHA-256 of the index that all volumes carry; unknown in older runs and before a plan is packed. */
  setId?: string | undefined
  startedWallMs: number
  elapsedMs: number
  /** `interrupted`: a `write` run is saved after every volume, as one that ended there until its real end is saved. */
  outcome: 'done' | 'failed' | 'cancelled' | 'interrupted'
  volumes: RunVolume[]
  /** Of plans that have times, and runs since they are kept. */
  times?: StepTime[] | undefined
  /** Only of a `write` run. */
  target?: WriteTarget | undefined
  /** What the run could not check, in words. */
  notes?: string[] | undefined
}
