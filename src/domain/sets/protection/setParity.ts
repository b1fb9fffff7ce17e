import { z } from 'zod'
import { AppError } from '../../../primitives/appError'
import { said } from '../../../primitives/said'
import { countSchema } from '../../scalars'
import { VOLUME_LABEL } from '../placement'

/** How many discs of a set may be lost: as many parity discs are made. */
export const setProtectionSchema = z.union([z.literal(1), z.literal(2)])
export type SetProtection = z.infer<typeof setProtectionSchema>

/**
 * The two kinds of parity of RAID-6. P is the exclusive-or of all images. Q is the sum of all
 * images, that of volume n multiplied by 2^(n - 1), in the field of 256 elements with the
 * polynomial 0x11D.
 */
export const PARITY_KINDS = ['P', 'Q'] as const
export type ParityKind = (typeof PARITY_KINDS)[number]

/** A disc with the parity of the images of a plan, numbered after its volumes. */
export const parityDiscSchema = z.object({
  index: countSchema.min(1),
  kind: z.enum(PARITY_KINDS),
  label: z.string().regex(VOLUME_LABEL),
  sectors: countSchema,
})
export type ParityDisc = z.infer<typeof parityDiscSchema>

/** The powers of 2 in the field repeat after so many, and images must differ in theirs. */
const MOST_WITH_Q = 255

/**
 * Refuses parity across discs where none can be made.
 * @throws AppError `refused`
 */
export function requireSetProtection(plan: {
  readonly mediumKind: 'image' | 'folder'
  /** True for a plan of several media. */
  readonly isMixed: boolean
  readonly isPacked: boolean
}): void {
  const refused = (because: string): AppError =>
    new AppError('refused', said`cannot make parity across volumes: ${because}`)
  if (plan.mediumKind === 'folder')
    throw refused(said`it is made of disc images, and this plan has folders; plan for discs`)
  if (plan.isMixed) throw refused(said`a parity disc must hold the largest image; plan for one medium`)
  if (plan.isPacked)
    throw refused(said`archives may move to other volumes until the plan is built; plan plain files`)
}

/**
 * Refuses two parity discs for more images than Q tells apart: two lost ones would not come back.
 * @throws AppError `cannot-fit`
 */
export function requireRebuildable(protectSet: SetProtection, images: number): void {
  if (protectSet < 2 || images <= MOST_WITH_Q) return
  throw new AppError(
    'cannot-fit',
    said`two lost discs of ${images} cannot be made again: two parity discs serve at most ${MOST_WITH_Q}; plan larger discs, or --protect-set 1`,
  )
}

/**
 * The labels of parity discs: PREFIX_P and PREFIX_Q, in an archive that grows with the number of
 * the generation.
 * @throws AppError `refused` where a volume has that label
 */
export function parityLabels(
  prefix: string,
  generation: number,
  kinds: readonly ParityKind[],
  taken: readonly string[],
): string[] {
  return kinds.map((kind) => {
    const label = generation === 1 ? `${prefix}_${kind}` : `${prefix}_${generation}_${kind}`
    if (!taken.includes(label)) return label
    throw new AppError('refused', said`cannot label two volumes ${label}: it is the label of a parity disc`)
  })
}
