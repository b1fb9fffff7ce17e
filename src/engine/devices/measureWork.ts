import type { ContainerStep } from '../../domain/devices/containerPlan'
import type { CodecStep } from '../../domain/devices/runPlan'
import type { MeasuredCodec } from '../../domain/devices/testSpec'
import { FILE_WORTH_BYTES } from '../jobs/timeLeft'
import type { Work } from '../jobs/workEstimate'

/**
 * A random access is taken to cost as much as so many bytes in sequence until the first ones were
 * timed: the geometric mean of an SSD (0.1 ms at 500 MB/s: 50 KB) and a hard disk (10 ms at
 * 150 MB/s: 1.5 MB).
 */
const ACCESS_WORTH_BYTES = 274_000

/**
 * The time of a byte that a codec compresses, in bytes in sequence at 250 MB/s, until the first
 * ones were timed: the rates of `assets/rates.json` and a flush.
 */
const CODEC_WORTH: Readonly<Record<MeasuredCodec, number>> = {
  'gzip-1': 7,
  'gzip-6': 17,
  'gzip-9': 36,
  'zstd-1': 2,
  'zstd-3': 3,
  'zstd-9': 10,
  'zstd-19': 110,
  lz4: 2,
}

/** A step of a plan of the disk itself or of containers. */
export type WorkStep = ContainerStep | CodecStep

type StepKind = WorkStep['kind']
interface Amount {
  /** Milliseconds of a rest. */
  readonly units: number
  readonly files: number
}

/**
 * All that is to be timed, by kinds of steps: a random access, a short file and a long one take
 * unlike times for each byte.
 */
export class MeasureWork {
  readonly #total = new Map<StepKind, Amount>()
  readonly #done = new Map<StepKind, Amount>()
  #codec: MeasuredCodec | null = null

  /** Takes a step of the plan. */
  plan(step: WorkStep, bytes: number): void {
    if (step.kind === 'compress') this.#codec = step.codec
    add(this.#total, step.kind, amountOf(step, bytes))
  }

  /** A step was carried out. */
  end(step: WorkStep, bytes: number): void {
    add(this.#done, step.kind, amountOf(step, bytes))
  }

  /**
   * @param current the step that is being carried out, with the share of its bytes that was moved
   */
  rows(current?: { readonly step: WorkStep; readonly bytes: number; readonly share: number }): Work[] {
    return Array.from(this.#total, ([kind, total]) => {
      const done = this.#done.get(kind) ?? { units: 0, files: 0 }
      const begun = current?.step.kind === kind ? amountOf(current.step, current.bytes).units : 0
      const units = Math.min(total.units, done.units + begun * (current?.share ?? 0))
      const row = { kind, done: units, total: total.units }
      if (kind === 'rest') return { ...row, unit: 'ms' as const }
      if (total.files === 0) return { ...row, unit: 'bytes' as const }
      const codec = kind === 'compress' && this.#codec
      const work = codec ? { weight: CODEC_WORTH[codec], isCalculated: true } : {}
      return { ...row, ...work, unit: 'bytes' as const, files: { done: done.files, total: total.files } }
    })
  }
}

function amountOf(step: WorkStep, bytes: number): Amount {
  switch (step.kind) {
    case 'rest':
      return { units: step.ms, files: 0 }
    case 'create':
    case 'remove':
      return { units: FILE_WORTH_BYTES, files: 0 }
    case 'randomRead':
    case 'randomWrite':
      return { units: bytes + step.accesses * ACCESS_WORTH_BYTES, files: 0 }
    default:
      return { units: bytes, files: 1 }
  }
}

function add(sums: Map<StepKind, Amount>, kind: StepKind, { units, files }: Amount): void {
  const sum = sums.get(kind) ?? { units: 0, files: 0 }
  sums.set(kind, { units: sum.units + units, files: sum.files + files })
}
