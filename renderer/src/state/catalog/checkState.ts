import type { CheckDocument, VolumeDue } from '../../../../src/contract/dto/check'
import type { RepairDocument } from '../../../../src/contract/dto/repair'

export interface CheckState {
  /** True when the panel that verifies a disc is shown. */
  readonly open: boolean
  /** Which copy it is, as typed; empty where that is known. */
  readonly copy: string
  /** The last check of it. */
  readonly document: CheckDocument | null
  /** The last image that was made whole from a damaged one. */
  readonly repair: RepairDocument | null
  /** Every volume that was built or checked, those first that should be checked first. */
  readonly volumes: readonly VolumeDue[]
  /** When they were asked for. */
  readonly askedWallMs: number
}

export type CheckAction =
  | { type: 'opened' }
  | { type: 'closed' }
  | { type: 'copy'; copy: string }
  | { type: 'checked'; document: CheckDocument }
  | { type: 'repaired'; repair: RepairDocument }
  | { type: 'volumes'; volumes: readonly VolumeDue[]; askedWallMs: number }

export const initialCheck: CheckState = {
  open: false,
  copy: '',
  document: null,
  repair: null,
  volumes: [],
  askedWallMs: 0,
}

export function reduceCheck(state: CheckState, action: CheckAction): CheckState {
  switch (action.type) {
    case 'opened':
      return { ...state, open: true }
    case 'closed':
      return { ...state, open: false, copy: '', document: null, repair: null }
    case 'copy':
      return { ...state, copy: action.copy }
    case 'checked':
      return { ...state, open: true, document: action.document, repair: null }
    case 'repaired':
      return { ...state, open: true, repair: action.repair }
    case 'volumes':
      return { ...state, volumes: action.volumes, askedWallMs: action.askedWallMs }
  }
}

/** Those that should be checked by now. */
export function dueOf({ volumes, askedWallMs }: CheckState): readonly VolumeDue[] {
  return volumes.filter(({ checkByWallMs }) => checkByWallMs <= askedWallMs)
}
