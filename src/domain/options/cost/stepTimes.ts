import { type Estimate, exact } from '../../../primitives/estimate'
import { said } from '../../../primitives/said'
import type { MachineFacts, OptionFacts, TargetFacts } from '../facts'
import type { RecipeFamily } from '../recipes/recipe'
import type { Encryption, Variant } from '../recipes/variant'
import { estimateOf, product, quotient, scaled, sum, sumTogether } from './estimateParts'
import { waitTime, workTime } from './rates'

/**
 * A program reads the source alone and in order, where the survey read it with several threads and
 * counted it: as a share of the time of the pass. cat took 1.9 of it for 80,000 files that were not
 * in the cache, on a virtual disk.
 */
const READING = { value: 1, low: 0.05, high: 2.5 }
/**
 * From the cache it took 0.04 to 0.2 of the pass for sets of 19 to 69 MB, and 0.8 for the 80,000
 * files.
 */
const READING_CACHED = { value: 0.25, low: 0.02, high: 0.8 }
/**
 * A source of at most this share of the memory is assumed to be cached since the survey; the range
 * includes that it is not.
 */
const CACHED_SHARE = 0.25
/**
 * Two threads do 1.6 to 1.9 times the work of one (zstd -19 on six sets, two threads of one core
 * each); more are taken to go on so.
 */
const THREAD_WORTH = 0.8

/**
 * The parts of packing with a variant, and of unpacking the result, of which steps consist; in
 * seconds.
 */
export interface PackingWork {
  /** The source, once. */
  readonly reading: Estimate
  /** The time of one core, and the number of cores used. */
  readonly cpu: Estimate
  readonly packThreads: number
  /** In addition, whatever is done at once. */
  readonly wait: Estimate | null
  /** CPU time in that. */
  readonly waitCpu: Estimate | null
  /** The time of one core. */
  readonly unpack: Estimate
  readonly unpackThreads: number
}

export interface PackedParts {
  readonly variant: Variant
  readonly container: Estimate
  readonly encryption: Encryption
  readonly protection: number
}

export function packingWork({ machine, survey }: OptionFacts, parts: PackedParts): PackingWork {
  const { variant, container, encryption, protection } = parts
  const isEncrypting = encryption !== 'none' && variant.encryption?.isWork === true
  const guard = ofContainer(container, workTime('aes', { byte: isEncrypting ? 1 : 0 }, machine))
  // Each byte costs as often as there are recovery blocks.
  const recovery = ofContainer(container, workTime('par2', { byte: protection }, machine))
  const pass = survey.passSeconds * variant.sourceReads
  const share = survey.totals.bytes <= CACHED_SHARE * machine.memoryBytes ? READING_CACHED : READING
  return {
    reading: estimateOf(
      { value: pass * share.value, low: pass * share.low, high: pass * share.high },
      'modelled',
      said`reading the source as fast as the survey did`,
    ),
    cpu: sum([variant.packSeconds, guard, recovery], variant.packSeconds.basis),
    packThreads: threadsWorth(variant.packThreads, machine.cores),
    wait: variant.waitSeconds ?? null,
    waitCpu: variant.waitCpuSeconds ?? null,
    unpack: sum([variant.unpackSeconds, guard], variant.unpackSeconds.basis),
    unpackThreads: threadsWorth(variant.unpackThreads, machine.cores),
  }
}

function ofContainer(container: Estimate, byteSeconds: Estimate): Estimate {
  if (byteSeconds.value === 0) return exact(0, said`nothing to do`)
  return product(container, byteSeconds, byteSeconds.basis)
}

/** The factor by which so many threads are faster than one, on so many cores. */
export function threadsWorth(threads: number, cores: number): number {
  return Math.max(1, Math.min(threads, cores)) ** THREAD_WORTH
}

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

/** Steps whose start goes before their job, and is no part of its duration: loading code. */
const STARTED_BEFORE: ReadonlySet<OwnStep> = new Set(['verify', 'restore'])

/** How long Stowage's own work in a step takes, one thing after the other. */
export function ownSeconds(step: OwnStep, counts: OwnCounts, machine: MachineFacts): Estimate {
  return workOf(step, counts, machine, STARTED_BEFORE.has(step) ? 0 : 1)
}

/** CPU time of Stowage's own work in a step, with the files that the step makes. */
export function ownWork(step: OwnStep, counts: OwnCounts, machine: MachineFacts): Estimate {
  return workOf(step, counts, machine, 1)
}

function workOf(step: OwnStep, counts: OwnCounts, machine: MachineFacts, starts: number): Estimate {
  const { family, files, folders, bytes, containers, stored, volumes } = counts
  const units = {
    // Of files that Stowage packs by itself the start is in their packing.
    start: step === 'pack' && family === 'compressed-files' ? 0 : starts,
    volume: isRepository(family) ? 0 : volumes,
    file: files,
    folder: folders,
    container: containers,
    containerFolder: containers > 0 ? folders : 0,
    byte: bytes,
    tarByte: isTar(family) ? bytes : 0,
    storedByte: stored,
  }
  const own = workTime(`step.${step}`, units, machine)
  const { made, removed } = filesMade(step, counts)
  const parts = [
    own,
    ...(family.startsWith('seven-zip') ? [workTime('7z.run', { container: containers }, machine)] : []),
    ...(made > 0 ? [waitTime('file.make', { file: made })] : []),
    ...(removed > 0 ? [waitTime('file.remove', { file: removed })] : []),
  ]
  return sumTogether(parts, made > 0 ? said`${own.basis}; making files as on Linux` : own.basis)
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
  { writeBytesPerSecond, writeLatencySeconds }: TargetFacts,
): Estimate {
  const waits = files > MOST_FLUSHED ? 1 : files / FLUSHED_AT_ONCE
  return sum(
    [
      quotient(bytes, writeBytesPerSecond, writeBytesPerSecond.basis),
      scaled(writeLatencySeconds, waits),
      scaled(writeLatencySeconds, folders),
    ],
    said`writing to the disk`,
  )
}

/** The files and folders that are restored, to be flushed to the disk. */
export function flushingFiles(
  { bytes, files, folders }: Pick<OwnCounts, 'bytes' | 'files' | 'folders'>,
  target: TargetFacts,
): Estimate {
  return flushing(exact(bytes, said`the files`), files, folders, target)
}

/**
 * The device's latency is that of a file that is on the disk before the next is begun. Programs
 * leave that to the system, which writes many at a time: 8,000 files took 0.2 of it each, and 2,300
 * half.
 */
const WAITED = { value: 0.25, low: 0.03, high: 1 }

/** Files made one after the other. */
export function making(files: Estimate, { writeLatencySeconds }: TargetFacts): Estimate {
  const waited = estimateOf(WAITED, 'assumed', said`how much of a device’s latency files wait for`)
  return product(product(files, writeLatencySeconds, said`files to be made`), waited, said`files to be made`)
}
