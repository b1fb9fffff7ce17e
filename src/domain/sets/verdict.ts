import { z } from 'zod'
import { bytesSchema, countSchema } from '../scalars'

/**
 * `repairable`: recovery data on the same volume gives it back. `lost`: damaged, and this volume
 * alone does not give it back.
 */
export const verdictSchema = z.enum(['good', 'repairable', 'lost'])
export type Verdict = z.infer<typeof verdictSchema>

/** Blocks of all recovery data on a volume. */
export const recoveryBlocksSchema = z.object({
  /** Undamaged recovery blocks, and blocks of files that are damaged. */
  blocks: countSchema,
  lost: countSchema,
  /** Bytes of a block of the first set. */
  blockBytes: bytesSchema,
})
export type RecoveryBlocks = z.infer<typeof recoveryBlocksSchema>

/** The verdict on a volume as a whole: the worst on what is damaged on it. */
export function worstOf(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.includes('lost')) return 'lost'
  return verdicts.includes('repairable') ? 'repairable' : 'good'
}
