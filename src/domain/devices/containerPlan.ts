import { seededRandom } from '../../primitives/seededRandom'
import type { BandKind, ContainerChoice, ContainerFacts } from './bandKind'
import { shuffled, sum } from './drawSizes'
import type { PlannedStep, RunPlan, Segment } from './runPlan'
import { BLOCK_BYTES, seedOf } from './scaleToBudget'
import type { TestSpec } from './testSpec'

const MIB = 1024 * 1024

/** Apple's defaults; a read-write image has no bands. */
export const BAND_BYTES: Readonly<Record<BandKind, number | null>> = {
  UDSB: 8 * MIB,
  UDSP: MIB,
  UDRW: null,
}

/** Every range is written when the container is new, and again. */
export const WRITTEN_TIMES = 2

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
  readonly steps: readonly PlannedStep[]
  /** The steps are gone through twice: in the new container, and once more over what is there. */
  readonly isRewritten: boolean
  readonly diskBytes: number
}

export interface ContainerPlan {
  readonly segments: readonly ContainerSegment[]
  /** Files that the ranges stand for; 0 where they stand for none. */
  readonly files: number
  readonly writeBytes: number
  readonly readBytes: number
  readonly peakBytes: number
}

/** Why a specification cannot be carried out in a container, for people; null if it can. */
export function containerRefusal(spec: TestSpec): string | null {
  if (spec.cache === 'buffered') return 'buffered I/O is measured on the disk itself only'
  if (spec.flush === 'end') return 'each range is flushed on its own there: leave out "flush: end"'
  if (spec.concurrency > 1) return 'one request at a time moves there: leave out --depth'
  if (spec.preallocate) return 'a container claims its space as it is written: leave out "preallocate"'
  if (spec.tests.some(({ operations }) => operations.includes('stream')))
    return 'reading and writing at once ("stream") is timed by "stowage bands" there'
  return null
}

/**
 * A run's plan in containers: one for each repeat of each test, with a range for each file. Ranges
 * of a test in random order are read in another random order than the one that they lie in.
 */
export function planInContainer(plan: RunPlan, spec: TestSpec, choice: ContainerChoice): ContainerPlan {
  const container = { ...choice, bandBytes: BAND_BYTES[choice.kind] }
  const segments = plan.segments.map((segment) => inContainer(segment, spec, container))
  return {
    segments,
    files: plan.files,
    writeBytes: WRITTEN_TIMES * plan.writeBytes,
    readBytes: WRITTEN_TIMES * plan.readBytes,
    peakBytes: Math.max(...segments.map(({ diskBytes }) => diskBytes)) + (container.bandBytes ?? 0) + MIB,
  }
}

function inContainer(
  { test, repeat, files, steps }: Segment,
  spec: TestSpec,
  container: ContainerFacts,
): ContainerSegment {
  let offset = 0
  const ranges = files.map(({ bytes, seed }): PlacedRange => {
    const range = { offset, bytes: Math.ceil(bytes / BLOCK_BYTES) * BLOCK_BYTES, seed }
    offset += range.bytes
    return range
  })
  const kept = steps.filter(({ kind }) => kind !== 'create' && kind !== 'remove')
  return {
    test,
    repeat,
    container,
    isRewritten: true,
    ranges,
    steps: spec.tests[test]?.order === 'random' ? readInRandomOrder(kept, seedOf(spec, test) + repeat) : kept,
    diskBytes: sum(ranges.map(({ bytes }) => bytes)),
  }
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
