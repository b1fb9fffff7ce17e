import type { JobContext } from '../../jobs/jobContext'
import { packingWeight, workAfterPacking } from '../runs/buildWork'
import type { PlanFolder } from '../volume/planned/planFolder'

/**
 * The progress of packing a set before its volumes are built. What is packed again, because an
 * archive did not fit or left its volume too empty, is work too; the bytes that are shown never
 * fall.
 */
export class PackProgress {
  readonly #context: Pick<JobContext, 'progress'>
  readonly #plan: Pick<PlanFolder['plan'], 'medium' | 'mastering' | 'volumes' | 'times'>
  readonly #total: number
  /** Bytes of the source in containers that are kept. */
  #kept = 0
  /** Kept from an earlier run, which took no time now. */
  #earlier = 0
  #again = 0
  #current = 0
  #shown = 0

  constructor(
    context: Pick<JobContext, 'progress'>,
    plan: Pick<PlanFolder['plan'], 'medium' | 'mastering' | 'volumes' | 'times'>,
    total: number,
  ) {
    this.#context = context
    this.#plan = plan
    this.#total = total
  }

  /** Containers of an earlier run with so many bytes of the source. */
  begin(keptBytes: number): void {
    this.#kept = keptBytes
    this.#earlier = keptBytes
  }

  /** Takes the bytes of the source that have gone into the container that is being made. */
  packing(bytes: number): void {
    this.#current = bytes
    this.#tell()
  }

  /** A container was made. It may be made again with other files. */
  made(): void {
    this.#again += this.#current
    this.#current = 0
  }

  /** A container is kept, with so many bytes of the source. */
  accepted(bytes: number): void {
    this.#kept += bytes
    this.#again -= bytes
  }

  #tell(): void {
    this.#shown = Math.max(this.#shown, Math.min(this.#total, this.#kept + this.#current))
    const again = Math.max(0, this.#again)
    const done = this.#kept - this.#earlier + again + this.#current
    this.#context.progress({
      phase: { index: 1, count: 2, name: 'packing' },
      filesDone: 0,
      filesTotal: null,
      bytesDone: this.#shown,
      bytesTotal: this.#total,
      current: null,
      work: [
        {
          kind: 'packing',
          unit: 'bytes',
          done,
          total: Math.max(done, this.#total - this.#earlier + again),
          weight: packingWeight(this.#plan, this.#total),
        },
        ...workAfterPacking(this.#plan),
      ],
    })
  }
}
