import type { WireError } from '../../primitives/appError'
import type { Estimate } from '../../primitives/estimate'
import type { Distribution } from '../statistics/quantiles'
import type { BandEncryption, BandKind } from './bandKind'
import type { TestSpec } from './testSpec'

/** What a drive says of the medium in it. */
export interface OpticalMedium {
  /** As the drive names it: `BD-R`, `DVD+R Double Layer`. */
  profile: string
  state: 'blank' | 'appendable' | 'closed' | 'absent' | 'unknown'
  capacitySectors: number | null
  usedSectors: number | null
  freeSectors: number | null
  sessions: number | null
  /** Writing speeds that drive and medium offer together, fastest first. */
  writeBytesPerSecond: number[]
  manufacturerId: string | null
}

/** The device that a folder lies on, from the system's own sources; null is what they do not tell. */
export interface DeviceFacts {
  /** Names the device in the catalog: the same after a restart and at another mount point. */
  key: string
  /** For people: model, or what else names it. */
  name: string
  model: string | null
  kind: 'ssd' | 'hdd' | 'usb' | 'network' | 'optical' | 'memory' | 'virtual' | 'unknown'
  bus: string | null
  fileSystem: string | null
  mountPoint: string | null
  capacityBytes: number | null
  freeBytes: number | null
  /** What the link to the device can carry; nothing faster can come from the device. */
  linkBytesPerSecond: number | null
  optical: OpticalMedium | null
}

/** What a budget changed in a test: `from` and `to` are counts, bytes of the largest file, or milliseconds of rest. */
export interface SpecChange {
  code: 'fewerFiles' | 'smallerFiles' | 'fewerRepeats' | 'shorterRest' | 'testLeftOut'
  test: string
  from: number
  to: number
}

/** Direct (uncached) or buffered (cached) reading and writing. */
export type CacheMode = 'uncached' | 'buffered'

/** Whether the figures can be the device's own, and how that is known. */
export interface CacheProof {
  requested: CacheMode
  obtained: CacheMode
  /** Why another mode was obtained, null if it was not. */
  because: string | null
  /** False: the cache answered, or may have. Such a run is kept and marked, and goes into no average. */
  plausible: boolean
  /** `holds`: speaks for the device; not: against it. `figure` and `limit` in the unit of the code (bytes, bytes/s). */
  evidence: {
    code: 'resident' | 'deviceReads' | 'deviceWrites' | 'cachedRate' | 'linkRate' | 'memoryFileSystem'
    holds: boolean
    figure: number | null
    limit: number | null
  }[]
}

export type SampleOperation = 'write' | 'read' | 'streamWrite' | 'streamRead' | 'randomRead' | 'randomWrite'

/** One timed operation: a whole file, or one access of a random test. */
export interface MeasureSample {
  op: SampleOperation
  bytes: number
  /** Everything between asking and being done: opening, allocating, transfer, flush where asked for, closing. */
  ns: number
  /** Of it the transfer alone. */
  transferNs: number
  /** Since the first sample began. */
  startMs: number
  /** Place in `spec.tests`, and which repeat of it, from 0. */
  test: number
  repeat: number
  /** Flagged, never left out: much slower than the fit, faster than the device can be, or before it had warmed up. */
  mark: 'stall' | 'cacheSuspect' | 'warmUp' | null
}

/** What one operation was found to be: time = latency + bytes / rate. Null where the samples do not tell. */
export interface OperationFigures {
  samples: number
  bytes: number
  ns: number
  bytesPerSecond: Estimate | null
  latencyNs: Estimate | null
  /** The size at which half of the rate is reached: latency × rate. */
  halfSpeedBytes: Estimate | null
  /** The same fit by another method (bisquare); if it is far off, the samples are of two kinds. */
  check: {
    bytesPerSecond: number
    latencyNs: number
  } | null
  /** Median absolute relative distance from the fitted line; null without one. */
  dispersion: number | null
  /** Bytes per second of the samples. */
  rates: Distribution | null
  /** Times in nanoseconds of the smallest size: what one file costs apart from its bytes. */
  latencies: Distribution | null
  stalls: number
  cacheSuspects: number
  warmUpSamples: number
  /** First fast, then for good slower: a cache in the device that was full after `kneeBytes`. */
  knee: {
    kneeBytes: number
    burstBytesPerSecond: number
    sustainedBytesPerSecond: number
  } | null
  /** From which sample on the rate was steady; null if it never was. */
  steadyFrom: number | null
}

/** One row of the report: one operation of one test. */
export interface TestRow {
  test: number
  name: string
  op: SampleOperation
  samples: number
  bytes: number
  smallestBytes: number
  largestBytes: number
  rates: Distribution
  /** Nanoseconds. */
  times: Distribution
}

/** Whoever shows it has the words for the code; the figures fill them in. */
export interface MeasureWarning {
  code:
    | 'buffered'
    | 'memoryFileSystem'
    | 'cacheSuspected'
    | 'sizeUnexplained'
    | 'slowFirst'
    | 'stalls'
    | 'bimodal'
    | 'cpuBound'
    | 'knee'
    | 'notSteady'
    | 'fewSamples'
    | 'shortOfSpace'
    | 'cancelled'
    | 'subsetOfPairs'
    | 'othersWorking'
  op: SampleOperation | null
  figures: Record<string, number>
}

/** What a container of ours was found to cost. In it each file is a range: there is no file system. */
export interface ContainerMeasurement {
  kind: BandKind
  encryption: BandEncryption
  /** Null where there are no bands. */
  bandSize: number | null
  /** One entry for each repeat of each test, which has a container of its own. Bytes on the disk below. */
  occupied: {
    test: number
    repeat: number
    /** The disk in the container: all ranges one after another. */
    diskBytes: number
    freshBytes: number
    /** After all was written once more; null where it was stopped before. */
    rewrittenBytes: number | null
  }[]
  /** The same ranges written and read a second time. The figures of the document are of a fresh container. */
  rewritten: {
    samples: MeasureSample[]
    tests: TestRow[]
    write: OperationFigures | null
    read: OperationFigures | null
    randomRead: OperationFigures | null
    randomWrite: OperationFigures | null
  }
}

/** A device profile: one measurement with all its samples, as `stowage measure --json` prints it. */
export interface MeasurementDocument {
  schema: 'stowage.measurement/1'
  id: string
  createdWallMs: number
  directory: string
  device: DeviceFacts
  spec: TestSpec
  changes: SpecChange[]
  readOnly: boolean
  cache: CacheProof
  samples: MeasureSample[]
  write: OperationFigures | null
  read: OperationFigures | null
  streamWrite: OperationFigures | null
  streamRead: OperationFigures | null
  randomRead: OperationFigures | null
  randomWrite: OperationFigures | null
  tests: TestRow[]
  warnings: MeasureWarning[]
  /** Absent where the disk itself was measured. */
  container?: ContainerMeasurement | undefined
  writtenBytes: number
  readBytes: number
  /** Flushing after all files of a test, which is in no sample's time; 0 where each was flushed or none. */
  flushMs: number
  elapsedMs: number
  /** True when it ended early: the figures hold for what was done until then. */
  partial: boolean
  /** Why it ended early, null for a whole or a cancelled run. */
  error: WireError | null
}

export type { Distribution }
