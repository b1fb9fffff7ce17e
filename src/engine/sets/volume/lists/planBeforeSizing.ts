import type { PlanDocument } from '../../../../contract/dto/plan'
import type { History } from './historyLines'

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
  | 'protectSet'
  | 'discLists'
  | 'indexVersion'
  | 'language'
  | 'addsTo'
> & {
  readonly mastering: Pick<PlanDocument['mastering'], 'tool' | 'version' | 'volumeDateWallMs'>
  /** The lines on earlier plans in its index, where it adds to any. */
  readonly history?: History | undefined
}
