import { type Estimate, exact } from '../../../primitives/estimate'
import type { MachineFacts, TargetFacts } from '../facts'
import type { RecipeFamily } from '../recipes/recipe'
import { estimateOf, quotient, scaled, sum, sumTogether } from './estimateParts'
import { atPace } from './machinePace'

export type OwnStep = 'pack' | 'build' | 'verify' | 'restore'

/** The counts that the work besides packing and unpacking depends on. */
export interface OwnCounts {
  readonly family: RecipeFamily
  /** The files of the source. */
  readonly files: number
  readonly folders: number
  readonly bytes: number
  /**
   * Files that are packed by themselves, or archives of titles; 0 where all is in one container for
   * each volume or for all.
   */
  readonly containers: number
  /** Bytes of what is made of it. */
  readonly stored: number
  readonly volumes: number
}

/**
 * CPU seconds that Stowage and the programs for images take in a step, besides packing and
 * unpacking, and making files.
 */
interface OwnCost {
  /** For each command, and for each image. */
  readonly start: number
  readonly volume: number
  /** For each file of the source, folder and container. */
  readonly file: number
  readonly folder: number
  readonly container: number
  /** For each folder that containers lie in. */
  readonly containerFolder: number
  /**
   * For each byte of the source, where it comes as a tar, in addition; and for each that is stored.
   */
  readonly byte: number
  readonly tarByte: number
  readonly storedByte: number
}

/**
 * Fitted to 36 runs of seven options on six sources of 35 to 15,000 files, 9 to 84 MB, on ext4 with
 * a journal, at the speed that the machine had meanwhile (tests/bench/speed/packedTimes.ts). Of
 * files that Stowage packs by itself the start is in their packing.
 */
const OWN: Readonly<Record<OwnStep, OwnCost>> = {
  pack: ownCost({
    start: 0.13,
    volume: 0.05,
    file: 0.08e-3,
    container: 0.12e-3,
    containerFolder: 0.45e-3,
    storedByte: 1.5e-9,
  }),
  build: ownCost({
    start: 0.05,
    volume: 0.03,
    container: 0.13e-3,
    containerFolder: 0.45e-3,
    storedByte: 2.5e-9,
  }),
  verify: ownCost({
    start: 0.13,
    volume: 0.03,
    file: 0.05e-3,
    container: 0.1e-3,
    byte: 2e-9,
    tarByte: 1e-9,
    storedByte: 3.5e-9,
  }),
  restore: ownCost({
    start: 0.11,
    volume: 0.02,
    file: 0.125e-3,
    folder: 0.28e-3,
    container: 0.03e-3,
    byte: 2.8e-9,
    tarByte: 1.5e-9,
  }),
}

function ownCost(some: Partial<OwnCost>): OwnCost {
  const nothing = { start: 0, volume: 0, file: 0, folder: 0, container: 0, containerFolder: 0 }
  return { ...nothing, byte: 0, tarByte: 0, storedByte: 0, ...some }
}

/**
 * How far runs were from the constants, with the machine's pace and the time of making files known:
 * 10 % in the median.
 */
const OWN_SPREAD = 1.2
/** In seconds: starting programs and compiling code varied by so much between runs. */
const START_ERROR = 0.06
/** The same without Stowage's own start. */
const PROGRAM_ERROR = 0.03
/** 7-Zip, from its start to its end without anything to do; assumed. */
const PROGRAM_START = 15e-3

/** Steps whose start goes before their job, and is no part of its duration: loading code. */
const STARTED_BEFORE: ReadonlySet<OwnStep> = new Set(['verify', 'restore'])

/** How long Stowage's own work in a step takes, one thing after the other. */
export function ownSeconds(step: OwnStep, counts: OwnCounts, on: Place): Estimate {
  return workOf(step, counts, on, STARTED_BEFORE.has(step) ? 0 : OWN[step].start)
}

/** CPU time of Stowage's own work in a step, with the files that the step makes. */
export function ownWork(step: OwnStep, counts: OwnCounts, on: Place): Estimate {
  return workOf(step, counts, on, OWN[step].start)
}

interface Place {
  readonly machine: MachineFacts
}

/**
 * A file that is made, written, named and given its permissions and times, apart from its bytes, in
 * seconds; a folder takes about as long. On Linux it took 30 µs on tmpfs, 60 µs on ext4 with a
 * journal and up to 1.3 ms on ext4 without one, for minutes after thousands were removed: the value
 * is the geometric middle of those on disks. Removing one took 6 to 15 µs. Other systems are taken
 * to lie between.
 */
const MAKE_FILE = estimateOf(
  { value: 280e-6, low: 25e-6, high: 1.3e-3 },
  'assumed',
  'making files as on Linux, where file systems differ 40-fold',
)
const REMOVE_FILE = estimateOf({ value: 20e-6, low: 5e-6, high: 100e-6 }, 'assumed', MAKE_FILE.basis)

function workOf(step: OwnStep, counts: OwnCounts, { machine }: Place, start: number): Estimate {
  const { family, files, folders, bytes, containers, stored, volumes } = counts
  const own = OWN[step]
  const value =
    (step === 'pack' && family === 'compressed-files' ? 0 : start) +
    (isRepository(family) ? 0 : volumes * own.volume) +
    files * own.file +
    folders * own.folder +
    (containers > 0 ? folders * own.containerFolder : 0) +
    containers * (own.container + (family.startsWith('seven-zip') ? PROGRAM_START : 0)) +
    bytes * (own.byte + (isTar(family) ? own.tarByte : 0)) +
    stored * own.storedByte
  const startError = start > 0 ? START_ERROR : PROGRAM_ERROR
  const range = {
    value,
    low: value - Math.hypot(value * (1 - 1 / OWN_SPREAD), startError),
    high: value + Math.hypot(value * (OWN_SPREAD - 1), startError),
  }
  const code = atPace(estimateOf(range, 'modelled', 'Stowage’s own work as measured on Linux'), machine)
  const { made, removed } = filesMade(step, counts)
  const parts = [
    ...(made > 0 ? [scaled(MAKE_FILE, made)] : []),
    ...(removed > 0 ? [scaled(REMOVE_FILE, removed)] : []),
  ]
  return parts.length === 0 ? code : sumTogether([code, ...parts], `${code.basis}; ${MAKE_FILE.basis}`)
}

/** How many files and folders a step makes, and removes in the end. */
function filesMade(
  step: OwnStep,
  { family, files, folders, containers }: OwnCounts,
): { readonly made: number; readonly removed: number } {
  switch (step) {
    case 'pack':
    case 'build':
      return { made: containers, removed: 0 }
    case 'verify': {
      const unpacked = isUnpackedByProgram(family) ? files + (containers > 0 ? 0 : folders) : 0
      return { made: unpacked, removed: unpacked }
    }
    case 'restore':
      return { made: files + folders, removed: 0 }
  }
}

/**
 * The others are streams, or images in which files are read where they lie: to be checked, they
 * need not be unpacked to files.
 */
function isUnpackedByProgram(family: RecipeFamily): boolean {
  return family === 'squashfs' || family.startsWith('seven-zip') || family === 'torrent7z'
}

/** Programs give a tar of everything, which Stowage takes apart. */
function isTar(family: RecipeFamily): boolean {
  return family === 'tar-zst' || isRepository(family)
}

export function isRepository(family: RecipeFamily): boolean {
  return family === 'borg' || family === 'restic'
}

/**
 * Files are flushed so many at once, and folders one after the other; more files than this are
 * flushed with their whole file system.
 */
const FLUSHED_AT_ONCE = 8
const MOST_FLUSHED = 512

/** Until what was written is on the disk. */
export function flushing(
  bytes: Estimate,
  files: number,
  folders: number,
  { target }: { readonly target: TargetFacts },
): Estimate {
  const waits = files > MOST_FLUSHED ? 1 : files / FLUSHED_AT_ONCE
  return sum(
    [
      quotient(bytes, target.writeBytesPerSecond, target.writeBytesPerSecond.basis),
      scaled(target.writeLatencySeconds, waits),
      scaled(target.writeLatencySeconds, folders),
    ],
    'writing to the disk',
  )
}

/** The files and folders that are restored, to be flushed to the disk. */
export function flushingFiles(
  { bytes, files, folders }: Pick<OwnCounts, 'bytes' | 'files' | 'folders'>,
  on: Parameters<typeof flushing>[3],
): Estimate {
  return flushing(exact(bytes, 'the files'), files, folders, on)
}
