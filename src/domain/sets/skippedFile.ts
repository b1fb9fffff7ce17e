import { z } from 'zod'
import type { AppErrorCode } from '../../primitives/appError'
import { said } from '../../primitives/said'
import { pathSchema } from '../scalars'

/** Why a file of the source is not on the volume that was planned for it. */
export const SKIP_CAUSES = ['changed', 'vanished', 'unreadable'] as const
export type SkipCause = (typeof SKIP_CAUSES)[number]

/** A file that was left out of its volume while that was built; `path` is the one on the volume. */
export const skippedFileSchema = z.object({ path: pathSchema, cause: z.enum(SKIP_CAUSES) })
export type SkippedFile = z.infer<typeof skippedFileSchema>

/** The way in which a build treats a file of the source that is not as planned. */
export const changedPolicySchema = z.enum(['fail', 'ask', 'skip'])
export type ChangedPolicy = z.infer<typeof changedPolicySchema>

export function skipCause(code: AppErrorCode): SkipCause {
  if (code === 'changed') return 'changed'
  return code === 'vanished' || code === 'not-found' ? 'vanished' : 'unreadable'
}

/** The words for such a file wherever its absence is noticed. */
export function skippedWords(cause: SkipCause): string {
  return said`left out while building: ${cause}`
}

/** A run as far as it says what was left out of volumes. */
type SkippingRun = {
  readonly volumes: readonly {
    readonly index: number
    readonly state: string
    readonly skipped?: readonly SkippedFile[] | undefined
  }[]
}

/**
 * The files that were left out of a volume, by their paths there: as the last run says that built
 * it, or looked at what is on it.
 * @param runs newest first
 */
export function skippedBy(runs: readonly SkippingRun[], index: number): ReadonlyMap<string, SkipCause> {
  for (const { volumes } of runs) {
    const volume = volumes.find((one) => one.index === index)
    // A volume that is kept is not looked at while it is built.
    if (!volume || !(volume.state === 'done' || (volume.state === 'kept' && volume.skipped))) continue
    return new Map(volume.skipped?.map(({ path, cause }) => [path, cause]))
  }
  return new Map()
}
