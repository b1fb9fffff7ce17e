import type { DrillDocument, DrillPreview } from '../../../../../src/contract/dto/drill'
import type { WireError } from '../../../../../src/primitives/appError'

export interface DrillState {
  /** A restore is tried of the set that is open, or of the next one that is opened. */
  readonly isOpen: boolean
  /** The copy that the person says the volumes are; null where that is known or not asked. */
  readonly copy: number | null
  /** The sample that was drawn; null while one is drawn, and once it was restored. */
  readonly preview: DrillPreview | null
  /** Why no sample could be drawn. */
  readonly error: WireError | null
  /** The drill that ended last, while its result is shown. */
  readonly document: DrillDocument | null
  /** Every drill that the catalog keeps, the last one first. */
  readonly drills: readonly DrillDocument[]
}

export type DrillAction =
  | { type: 'opened' }
  | { type: 'closed' }
  | { type: 'copy'; copy: number }
  | { type: 'drawing' }
  | { type: 'drawn'; preview: DrillPreview }
  | { type: 'failed'; error: WireError }
  | { type: 'ended'; document: DrillDocument }
  | { type: 'drills'; drills: readonly DrillDocument[] }

export const initialDrill: DrillState = {
  isOpen: false,
  copy: null,
  preview: null,
  error: null,
  document: null,
  drills: [],
}

export function reduceDrill(state: DrillState, action: DrillAction): DrillState {
  switch (action.type) {
    case 'opened':
      return { ...initialDrill, drills: state.drills, isOpen: true }
    case 'closed':
      return { ...initialDrill, drills: state.drills }
    case 'copy':
      return { ...state, copy: action.copy }
    case 'drawing':
      return { ...state, preview: null, error: null, document: null }
    case 'drawn':
      return { ...state, preview: action.preview }
    case 'failed':
      return { ...state, error: action.error }
    case 'ended':
      return { ...state, preview: null, error: null, document: action.document }
    case 'drills':
      return { ...state, drills: action.drills }
  }
}
