import { seededRandom } from '../../primitives/seededRandom'
import { type BandKind, type ContainerFacts, containersOf, type MeasuredIn } from './bandKind'
import { shuffled, sum } from './drawSizes'
import { CONTAINER_STATES, type ContainerState } from './measurement'
import { type PlannedStep, type RunPlan, type Segment, stepBytes } from './runPlan'
import { BLOCK_BYTES, seedOf } from './scaleToBudget'
import type { TestSpec } from './testSpec'

const MIB = 1024 * 1024

/** Apple's defaults; a read-write image has no bands. */
export const BAND_BYTES: Readonly<Record<BandKind, number | null>> = {
  UDSB: 8 * MIB,
  UDSP: MIB,
  UDRW: null,
}

/** The shares in which ranges are deleted: "most", of which something is left. */
const DELETED_SHARE = 0.9

/**
 * The states that a subject is measured in: one container new and rewritten; every kind also after
 * most of it was deleted.
 */
function statesOf({ kind }: MeasuredIn): readonly ContainerState[] {
  return kind === 'all' ? CONTAINER_STATES : ['fresh', 'rewritten']
}

/**
 * How often a measurement writes its files at most: in each state, and once more for deleting, of
 * each container.
 */
export function writtenTimes(measured: MeasuredIn): number {
  const states = statesOf(measured)
  return containersOf(measured).length * (states.length + (states.includes('refilled') ? 1 : 0))
}

/** A step in a container: its files are ranges, deleted by zeros whose space is given back. */
export type ContainerStep = PlannedStep | { readonly kind: 'delete'; readonly files: readonly number[] }

/** The steps that a container is gone through with in one of its states. */
export interface ContainerPass {
  readonly state: ContainerState
  readonly steps: readonly ContainerStep[]
}

/** A range of the container that stands for a file of the test. */
interface PlacedRange {
  readonly offset: number
  readonly bytes: number
  readonly seed: number
}

/** One repeat of one test, or one pass of a sweep, in a container of its own. */
export interface ContainerSegment {
  readonly test: number
  readonly repeat: number
  readonly container: ContainerFacts
  /** By the number of the file that each stands for, one after another in whole blocks. */
  readonly ranges: readonly PlacedRange[]
  /** One after another in the same container; the first one in the new container. */
  readonly passes: readonly ContainerPass[]
  readonly diskBytes: number
}

export interface ContainerPlan {
  readonly segments: readonly ContainerSegment[]
  /** Files that the ranges stand for; 0 where they stand for none. */
  readonly files: number
  readonly writeBytes: number
  readonly readBytes: number
  readonly peakBytes: number
  /** A container that cannot be made here is left out and reported; else it ends the run. */
  readonly mayLeaveOut: boolean
}

/** Why a specification cannot be carried out in a container, for people; null if it can. */
export function containerRefusal(spec: TestSpec): string | null {
  if (spec.cache === 'buffered') return 'buffered I/O is measured on the disk itself only'
  if (spec.flush === 'end') return 'each range is flushed on its own there: leave out "flush: end"'
  if (spec.concurrency > 1) return 'one request at a time moves there: leave out --depth'
  if (spec.preallocate) return 'a container claims its space as it is written: leave out "preallocate"'
  if (spec.tests.some(({ operations }) => operations.includes('stream')))
    return 'reading and writing at once ("stream") is timed by "stowage bands" there'
  if (spec.codec !== undefined) return 'compressing is measured on the disk itself only: leave out --codec'
  return null
}

/**
 * A run's plan in containers: one for each repeat of each test, with a range for each file. Ranges
 * of a test in random order are read in another random order than the one that they lie in.
 */
export function planInContainer(plan: RunPlan, spec: TestSpec, measured: MeasuredIn): ContainerPlan {
  const states = statesOf(measured)
  const containers = containersOf(measured).map(({ kind, encryption }) => ({
    kind,
    encryption,
    bandBytes: BAND_BYTES[kind],
  }))
  const segments = containers.flatMap((container, place) =>
    plan.segments.map((segment) => inContainer(segment, spec, container, { states, isFirst: place === 0 })),
  )
  const largestBand = Math.max(...containers.map(({ bandBytes }) => bandBytes ?? 0))
  const again = segments.map((segment) => movedAgain(segment))
  return {
    segments,
    files: containers.length * plan.files,
    writeBytes: containers.length * 2 * plan.writeBytes + sum(again.map(({ written }) => written)),
    readBytes: containers.length * 2 * plan.readBytes + sum(again.map(({ read }) => read)),
    peakBytes: Math.max(...segments.map(({ diskBytes }) => diskBytes)) + largestBand + MIB,
    mayLeaveOut: measured.kind === 'all',
  }
}

function inContainer(
  { test, repeat, files, steps }: Segment,
  spec: TestSpec,
  container: ContainerFacts,
  { states, isFirst }: { readonly states: readonly ContainerState[]; readonly isFirst: boolean },
): ContainerSegment {
  let offset = 0
  const ranges = files.map(({ bytes, seed }): PlacedRange => {
    const range = { offset, bytes: Math.ceil(bytes / BLOCK_BYTES) * BLOCK_BYTES, seed }
    offset += range.bytes
    return range
  })
  const kept = steps.filter(({ kind }) => kind !== 'create' && kind !== 'remove')
  const seed = seedOf(spec, test) + repeat
  const ordered = spec.tests[test]?.order === 'random' ? readInRandomOrder(kept, seed) : kept
  // The rate of the cache is that of a plain container, and needed once.
  const timed = ordered.filter(({ kind }) => kind !== 'cachedRead')
  const stepsIn: Readonly<Record<ContainerState, () => readonly ContainerStep[]>> = {
    fresh: () => (isFirst ? ordered : timed),
    rewritten: () => timed,
    refilled: () => refilling(timed, ranges.length, seed),
  }
  return {
    test,
    repeat,
    container,
    ranges,
    passes: states.map((state) => ({ state, steps: stepsIn[state]() })),
    diskBytes: sum(ranges.map(({ bytes }) => bytes)),
  }
}

/** Most files, drawn from the seed, are deleted; then the steps of these alone follow. */
function refilling(timed: readonly PlannedStep[], files: number, seed: number): ContainerStep[] {
  const drawn = shuffled(
    Array.from({ length: files }, (_, file) => file),
    seededRandom(seed + 1),
  )
  const deleted = drawn.slice(0, Math.max(1, Math.round(files * DELETED_SHARE)))
  const again = timed.filter((step) => !('file' in step) || deleted.includes(step.file))
  return [{ kind: 'delete', files: deleted }, ...again]
}

/** The bytes that refilling a container writes, those of deleting among them, and reads. */
function movedAgain({ ranges, passes }: ContainerSegment): { written: number; read: number } {
  const steps = passes.flatMap(({ state, steps: own }) => (state === 'refilled' ? own : []))
  const bytesOf = (kinds: readonly ContainerStep['kind'][]): number =>
    sum(
      steps.map((step) =>
        kinds.includes(step.kind) ? containerStepBytes(step, (file) => ranges[file]?.bytes ?? 0) : 0,
      ),
    )
  return { written: bytesOf(['delete', 'write', 'randomWrite']), read: bytesOf(['read', 'randomRead']) }
}

/** Bytes that a step in a container moves. */
export function containerStepBytes(step: ContainerStep, sizeOf: (file: number) => number): number {
  return step.kind === 'delete' ? sum(step.files.map(sizeOf)) : stepBytes(step, sizeOf)
}

/** Reads that follow one another get a random order. */
function readInRandomOrder(steps: readonly PlannedStep[], seed: number): PlannedStep[] {
  const random = seededRandom(seed)
  const result: PlannedStep[] = []
  let reads: PlannedStep[] = []
  for (const step of steps) {
    if (step.kind === 'read') {
      reads.push(step)
      continue
    }
    result.push(...shuffled(reads, random), step)
    reads = []
  }
  return [...result, ...shuffled(reads, random)]
}
