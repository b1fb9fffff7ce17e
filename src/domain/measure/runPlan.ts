import { seededRandom } from '../../primitives/seededRandom'
import { shuffled, sum } from './drawSizes'
import { seedOf, sizesOf, writtenBytes } from './scaleToBudget'
import type { Test, TestOperation, TestSpec } from './testSpec'

/** One file that a measurement makes, or (read-only) finds. */
export interface PlannedFile {
  readonly name: string
  readonly bytes: number
  /** Of its content: random, and different for every file. */
  readonly seed: number
}

/** What is done in one go; files are named by their place in the plan's list. */
export type PlannedStep =
  | {
      readonly kind: 'files'
      readonly operation: 'write' | 'read'
      readonly test: number
      readonly repeat: number
      readonly files: readonly number[]
    }
  | {
      readonly kind: 'stream'
      readonly test: number
      readonly repeat: number
      /** Read and written at once: the file that is read, and the one that is written meanwhile. */
      readonly pairs: readonly (readonly [from: number, to: number])[]
    }
  | {
      readonly kind: 'random'
      readonly operation: 'randomRead' | 'randomWrite'
      readonly test: number
      readonly repeat: number
      readonly files: readonly number[]
      readonly accesses: number
      readonly accessSize: number
      readonly seed: number
    }
  | { readonly kind: 'rest'; readonly ms: number }
  | { readonly kind: 'remove'; readonly files: readonly number[] }

export interface RunPlan {
  readonly files: readonly PlannedFile[]
  readonly steps: readonly PlannedStep[]
  readonly writeBytes: number
  readonly readBytes: number
  /** The most that lies on the device at one time. */
  readonly peakBytes: number
}

/** A specification as steps: each repeat of each test makes its files, works on them and removes them. */
export function planRun(spec: TestSpec): RunPlan {
  const files: PlannedFile[] = []
  const steps: PlannedStep[] = []
  let [writeBytes, readBytes, peakBytes] = [0, 0, 0]
  spec.tests.forEach((test, index) => {
    const random = seededRandom(seedOf(spec, index) + 1)
    const listed = sizesOf(spec, index)
    const sizes = test.order === 'random' ? shuffled(listed, random) : listed
    const once = sum(sizes)
    writeBytes += writtenBytes(test, sizes)
    readBytes += test.repeat * readBytesOnce(test, once)
    const copies = test.operations.filter((operation) => operation === 'stream').length
    peakBytes = Math.max(peakBytes, once * (1 + copies))
    for (let repeat = 0; repeat < test.repeat; repeat++) {
      const add = (bytes: number, letter: string): number =>
        files.push({
          name: `${letter}${files.length}`,
          bytes,
          seed: spec.seed * 2 ** 20 + files.length + 1,
        }) - 1
      const made = sizes.map((bytes) => add(bytes, 'f'))
      const all = [...made]
      test.operations.forEach((operation, place) => {
        if (place > 0 && test.rest > 0 && isReading(operation)) steps.push({ kind: 'rest', ms: test.rest })
        const at = { test: index, repeat }
        if (operation === 'stream') {
          const pairs = made.map((from): [number, number] => [
            from,
            add((files[from] as PlannedFile).bytes, 's'),
          ])
          all.push(...pairs.map(([, to]) => to))
          steps.push({ kind: 'stream', ...at, pairs })
        } else if (operation === 'write' || operation === 'read') {
          steps.push({ kind: 'files', operation, ...at, files: made })
        } else {
          const { accesses, accessSize } = test
          steps.push({
            kind: 'random',
            operation,
            ...at,
            files: made,
            accesses,
            accessSize,
            seed: random.uint32(),
          })
        }
      })
      steps.push({ kind: 'remove', files: all })
    }
  })
  return { files, steps, writeBytes, readBytes, peakBytes }
}

function isReading(operation: TestOperation): boolean {
  return operation === 'read' || operation === 'randomRead' || operation === 'stream'
}

function readBytesOnce(test: Test, once: number): number {
  return sum(
    test.operations.map((operation) =>
      operation === 'read' || operation === 'stream'
        ? once
        : operation === 'randomRead'
          ? test.accesses * test.accessSize
          : 0,
    ),
  )
}

/** Free space that stays: as the specification says, else the smaller of 1 GB and 5 % of the file system. */
export function keepFreeOf(spec: TestSpec, capacityBytes: number | null): number {
  if (spec.keepFree !== undefined) return spec.keepFree
  return Math.min(1e9, Math.floor((capacityBytes ?? Number.POSITIVE_INFINITY) * 0.05))
}
