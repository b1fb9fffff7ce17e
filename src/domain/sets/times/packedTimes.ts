import { type Estimate, exact } from '../../../primitives/estimate'
import { estimateOf, largest, product, quotient, scaled, sum } from '../../options/cost/estimateParts'
import { atPace } from '../../options/cost/machinePace'
import type { PackingWork } from '../../options/cost/packingWork'
import type { MachineFacts, TargetFacts } from '../../options/facts'
import type { RecipeFamily } from '../../options/recipes/recipe'
import { AIM, LEAST_FULL } from '../packing/archiveFill'

/** A packed plan, as far as its times depend on it. */
export interface PackedSet {
  readonly work: PackingWork
  readonly family: RecipeFamily
  /** Of the source. */
  readonly files: number
  readonly folders: number
  readonly bytes: number
  /** Files that are packed by themselves, or archives of titles; 0 where all is in one container for each volume or for all. */
  readonly containers: number
  /** What is made of it, with all lists of its volumes. */
  readonly stored: Estimate
  readonly volumes: number
  /** Whether each volume has one archive of its own, whose size decides which files it gets. */
  readonly isTried: boolean
  readonly target: TargetFacts
  readonly machine: MachineFacts
}

/** CPU time of a step, of all its programs, and how long the step takes. */
export interface StepWork {
  readonly cpu: Estimate
  readonly seconds: Estimate
}

export type PackedTimes = Readonly<Record<'pack' | 'build' | 'verify' | 'restore', StepWork>>

/** CPU seconds that Stowage and the programs for images take in a step, besides packing and unpacking. */
interface OwnCost {
  /** For each command, and for each image. */
  readonly start: number
  readonly volume: number
  /** For each file of the source, folder and container; where files are unpacked into files of their own, in addition. */
  readonly file: number
  readonly unpackedFile: number
  readonly folder: number
  readonly container: number
  /** For each byte of the source, where it comes as a tar, in addition; and for each that is stored. */
  readonly byte: number
  readonly tarByte: number
  readonly storedByte: number
}

/**
 * Fitted to 33 runs of seven options on five sources of 2 to 8,000 files in 2 to 2,700 folders, 19 to 68 MB
 * (tests/bench/speed/packedTimes.ts), at the speed that the machine had meanwhile. Making and flushing files costs most.
 */
const OWN: Readonly<Record<keyof PackedTimes, OwnCost>> = {
  pack: ownCost({ start: 0.35, file: 0.1e-3, container: 0.45e-3, storedByte: 1e-9 }),
  build: ownCost({ start: 0.05, volume: 0.03, container: 0.15e-3, storedByte: 1.8e-9 }),
  verify: ownCost({
    volume: 0.046,
    file: 0.18e-3,
    unpackedFile: 0.6e-3,
    folder: 0.4e-3,
    container: 0.8e-3,
    byte: 2.2e-9,
    tarByte: 3.7e-9,
    storedByte: 4.7e-9,
  }),
  restore: ownCost({
    start: 0.1,
    file: 1.3e-3,
    folder: 0.8e-3,
    container: 1.1e-3,
    byte: 1.5e-9,
    tarByte: 3.8e-9,
    storedByte: 2e-9,
  }),
}

function ownCost(some: Partial<OwnCost>): OwnCost {
  const nothing = { start: 0, volume: 0, file: 0, unpackedFile: 0, folder: 0, container: 0 }
  return { ...nothing, byte: 0, tarByte: 0, storedByte: 0, ...some }
}

/**
 * Off by 8 to 20 % in the median of each step, and by a factor of 1.6 to 1.9 where file systems are slow to make files, as ext4 is for minutes
 * after thousands were removed.
 */
const OWN_SPREAD = 1.8
/** 7-Zip, from its start to its end without anything to do; assumed. */
const PROGRAM_START = 15e-3

export function packedTimes(set: PackedSet): PackedTimes {
  const { work, target, bytes, files, folders, stored } = set
  const rounds = roundsOf(set)
  const packing = product(work.cpu, rounds, work.cpu.basis)
  const own = (step: keyof PackedTimes): Estimate => ownWork(set, step)
  const flushed = flushing(stored, set.containers + set.volumes, 1, target)
  const unpacking = scaled(work.unpack, 1 / work.unpackThreads)
  const packed = largest(
    [scaled(packing, 1 / work.packThreads), product(work.reading, rounds, work.reading.basis)],
    packing.basis,
  )
  const step = (name: keyof PackedTimes, cpu: readonly Estimate[], other: readonly Estimate[]): StepWork => ({
    cpu: sum([own(name), ...cpu], `CPU time to ${name}`),
    seconds: sum([own(name), ...other], BASIS[name]),
  })
  return {
    pack: step(
      'pack',
      [packing],
      [packed, ...(work.wait ? [product(work.wait, rounds, work.wait.basis)] : []), flushed],
    ),
    build: step('build', [], [flushed]),
    verify: step('verify', [work.unpack], [unpacking]),
    restore: step(
      'restore',
      [work.unpack],
      [unpacking, flushing(exact(bytes, 'the files'), files, folders, target)],
    ),
  }
}

const BASIS = {
  pack: 'packing, and reading what was made back for its checksums',
  build: 'writing the volumes, and reading them back with SHA-256',
  verify: 'reading the volumes, unpacking everything, and SHA-256 of every file',
  restore: 'unpacking everything, SHA-256 of every file, and writing it to the disk',
} as const

/**
 * How often the source is packed: archives of volumes are made again with more or fewer files until they fill their volumes. The first
 * one is planned with the upper end of the forecast: where that leaves it too empty, and a volume could be saved, it is made once more,
 * and those after it follow its ratio.
 */
function roundsOf({ isTried, volumes, stored }: PackedSet): Estimate {
  const basis = 'archives made again until they fill their volumes'
  if (!isTried || volumes < 2) return exact(1, basis)
  const filled = stored.high > 0 ? stored.value / stored.high : 1
  const isAgain = filled < LEAST_FULL && Math.ceil((volumes * filled) / AIM) < volumes
  const value = isAgain ? 1 + 1 / volumes : 1
  return estimateOf({ value, low: 1, high: value + 1 / volumes }, 'modelled', basis)
}

function ownWork(set: PackedSet, name: keyof PackedTimes): Estimate {
  const { family, files, folders, bytes, containers, stored, volumes, machine } = set
  const { start, volume, file, unpackedFile, folder, container, byte, tarByte, storedByte } = OWN[name]
  // A file from a container of its own is checked without its folder, and in an image where it lies.
  const isWithoutFolders = name === 'verify' && (containers > 0 || isReadInPlace(family))
  const value =
    start +
    (isRepository(family) ? 0 : volumes * volume) +
    files * (file + (isReadInPlace(family) ? 0 : unpackedFile)) +
    (isWithoutFolders ? 0 : folders * folder) +
    containers * (container + (family.startsWith('seven-zip') ? PROGRAM_START : 0)) +
    bytes * (byte + (isTar(family) ? tarByte : 0)) +
    stored.value * storedByte
  const range = { value, low: value / OWN_SPREAD, high: value * OWN_SPREAD }
  return atPace(estimateOf(range, 'assumed', 'Stowage’s own work as measured on Linux'), machine)
}

/** Files in an ISO 9660 image are read where they lie. */
function isReadInPlace(family: RecipeFamily): boolean {
  return family === 'apple-image' || family === 'iso'
}

/** Programs give a tar of everything, which Stowage takes apart. */
function isTar(family: RecipeFamily): boolean {
  return family === 'tar-zst' || family === 'borg'
}

function isRepository(family: RecipeFamily): boolean {
  return family === 'borg' || family === 'restic'
}

/** Files are flushed so many at once, and folders one after the other; more files than this are flushed with their whole file system. */
const FLUSHED_AT_ONCE = 8
const MOST_FLUSHED = 512

/** Until what was written is on the disk. */
function flushing(bytes: Estimate, files: number, folders: number, target: TargetFacts): Estimate {
  const waits = folders + (files > MOST_FLUSHED ? 1 : files / FLUSHED_AT_ONCE)
  return sum(
    [
      quotient(bytes, target.writeBytesPerSecond, target.writeBytesPerSecond.basis),
      scaled(target.writeLatencySeconds, waits),
    ],
    'writing to the disk',
  )
}
