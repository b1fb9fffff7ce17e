import type { PlanVolume } from '../../../contract/dto/plan'
import { canSkipChanged } from '../../../domain/sets/ownImages'
import type { ChangedPolicy } from '../../../domain/sets/skippedFile'
import type { AppError } from '../../../primitives/appError'
import { said } from '../../../primitives/said'
import { cannot } from '../../files/fileSystem'
import type { JobContext } from '../../jobs/jobContext'
import type { PlanFolder } from '../volume/planned/planFolder'

/** Who decides about files that are not as planned, over all volumes of a job. */
export class SkipChoice {
  readonly #waitFor: JobContext['waitFor']
  readonly #volumes: number
  #policy: ChangedPolicy

  /** @param volumes of the plan */
  constructor(policy: ChangedPolicy, volumes: number, waitFor: JobContext['waitFor']) {
    this.#policy = policy
    this.#volumes = volumes
    this.#waitFor = waitFor
  }

  /** False where a volume fails with the first source that is not as planned. */
  get mayLeaveOut(): boolean {
    return this.#policy !== 'fail'
  }

  /**
   * Decides about a volume without some files, one after another.
   * @returns true when it is to be made without all of them
   * @throws AppError `cancelled`
   */
  async leavesOut(
    { label, index }: Pick<PlanVolume, 'label' | 'index'>,
    failures: readonly AppError[],
  ): Promise<boolean> {
    for (const [at, { message, path = '' }] of failures.entries()) {
      if (this.#policy === 'skip') return true
      if (this.#policy === 'fail') return false
      const answer = await this.#waitFor({
        kind: 'changed',
        label,
        volume: index,
        volumes: this.#volumes,
        path,
        problem: message,
        more: failures.length - at - 1,
      })
      if (answer === 'all') this.#policy = 'skip'
      else if (answer !== 'yes') return false
    }
    return true
  }
}

/** @throws AppError `refused` for `skip` on a plan whose volumes cannot be made without a file */
export function requireSkippable(
  doing: 'build' | 'write',
  { plan, directory }: PlanFolder,
  { changed }: { readonly changed: ChangedPolicy },
): void {
  if (changed !== 'skip' || canSkipChanged(plan)) return
  const because =
    plan.packing === undefined
      ? said`--skip-changed is for images that Stowage makes itself`
      : said`--skip-changed is for plans that do not pack their files`
  throw cannot('refused', doing, directory, because)
}
