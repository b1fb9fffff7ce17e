import type { PlanDocument } from '../../../contract/dto/plan'
import type { History } from '../volume/historyLines'

/**
 * The facts of a plan that are needed to write its volumes' files; none depends on the size of the
 * images.
 */
export type PlanBeforeSizing = Pick<
  PlanDocument,
  | 'id'
  | 'createdWallMs'
  | 'roots'
  | 'medium'
  | 'packing'
  | 'equalFiles'
  | 'excluded'
  | 'project'
  | 'placement'
  | 'protection'
  | 'language'
  | 'addsTo'
> & {
  readonly mastering: Pick<PlanDocument['mastering'], 'tool' | 'volumeDateWallMs'>
  /** Of a plan that adds to earlier ones: what its index says of these. */
  readonly history?: History | undefined
}
