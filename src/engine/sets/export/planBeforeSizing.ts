import type { PlanDocument } from '../../../contract/dto/plan'

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
> & {
  readonly mastering: Pick<PlanDocument['mastering'], 'tool' | 'volumeDateWallMs'>
}
