import { createHash } from 'node:crypto'
import type { WriteTarget } from '../../../contract/dto/run'
import { AppError } from '../../../primitives/appError'
import { said } from '../../../primitives/said'
import { joinPath } from '../../files/fileSystem'
import { type Lease, takeLease } from '../../files/lease'

/**
 * The state that runs of this process share when they write the same volumes to the same kind of
 * place.
 */
interface Pool {
  runs: number
  /** Volumes that one of them has begun. */
  readonly begun: Set<number>
  readonly held: Set<number>
}

const POOLS = new Map<string, Pool>()

/** Who has a volume: this run, another one of this process, or another process. */
type Claim = 'mine' | 'here' | 'elsewhere'

/**
 * Shares the volumes of a plan among the runs that write them to discs (or into the same folder):
 * each volume is claimed by one run only, also across processes. A claim is held until the next
 * one, so that what was written is on record before it is released.
 */
export class WritePool {
  readonly #directory: string
  readonly #place: string
  readonly #key: string
  readonly #pool: Pool
  #held: { readonly index: number; readonly lease: Lease } | null = null

  constructor(directory: string, target: Pick<WriteTarget, 'kind' | 'path'>) {
    this.#directory = directory
    this.#place = target.kind === 'folder' ? shortDigest(target.path) : 'disc'
    this.#key = `${this.#place} ${directory}`
    this.#pool = POOLS.get(this.#key) ?? { runs: 0, begun: new Set(), held: new Set() }
    this.#pool.runs += 1
    POOLS.set(this.#key, this.#pool)
  }

  /**
   * Claims a volume, after releasing the one before.
   * @throws AppError for a folder that cannot be written to
   */
  async claim(index: number): Promise<Claim> {
    this.release()
    if (this.#pool.held.has(index)) return 'here'
    this.#pool.held.add(index)
    try {
      const lease = await takeLease(joinPath(this.#directory, 'runs'), () => TAKEN, this.#lockOf(index))
      this.#held = { index, lease }
      this.#pool.begun.add(index)
      return 'mine'
    } catch (thrown) {
      this.#pool.held.delete(index)
      if (thrown === TAKEN) return 'elsewhere'
      throw thrown
    }
  }

  release(): void {
    if (this.#held === null) return
    this.#held.lease.release()
    this.#pool.held.delete(this.#held.index)
    this.#held = null
  }

  /**
   * How much of these amounts (bytes, files), of volumes that no run has begun, is likely to be
   * this run's.
   */
  shareOf(volumes: readonly { readonly index: number; readonly amount: number }[]): number {
    const free = volumes.filter(({ index }) => !this.#pool.begun.has(index))
    return free.reduce((sum, { amount }) => sum + amount, 0) / this.#pool.runs
  }

  leave(): void {
    this.release()
    this.#pool.runs -= 1
    if (this.#pool.runs === 0) POOLS.delete(this.#key)
  }

  #lockOf(index: number): string {
    return `.write-${this.#place}-${index}.lock`
  }
}

const TAKEN = new AppError('refused', said`another run has it`)

function shortDigest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8)
}
