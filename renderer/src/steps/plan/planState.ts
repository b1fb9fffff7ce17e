import type { Medium, PlanDocument } from '../../../../src/contract/dto/plan'

export interface PlanState {
  readonly media: readonly Medium[]
  readonly mediumId: string
  /** What the person typed for a size of their own, kept while another medium is chosen. */
  readonly customSize: string
  readonly customKind: 'custom' | 'folder'
  /** Null until the person types: the engine then derives one from the source. */
  readonly labelPrefix: string | null
  readonly document: PlanDocument | null
  /** Where the shown plan was exported to, null if nowhere yet. */
  readonly exportedTo: string | null
  /** An export that was refused because something stands there already. */
  readonly refusedDirectory: string | null
  readonly selectedVolume: number | null
}

export type PlanAction =
  | { type: 'media'; media: readonly Medium[] }
  | { type: 'medium'; mediumId: string }
  | { type: 'custom'; size: string; kind: 'custom' | 'folder' }
  | { type: 'prefix'; prefix: string }
  | { type: 'loaded'; document: PlanDocument; exportedTo: string | null }
  | { type: 'exported'; planId: string; directory: string }
  | { type: 'refused'; directory: string | null }
  | { type: 'volume'; index: number | null }

export const initialPlan: PlanState = {
  media: [],
  mediumId: '',
  customSize: '',
  customKind: 'custom',
  labelPrefix: null,
  document: null,
  exportedTo: null,
  refusedDirectory: null,
  selectedVolume: null,
}

export function reducePlan(state: PlanState, action: PlanAction): PlanState {
  switch (action.type) {
    case 'media':
      return { ...state, media: action.media }
    case 'medium':
      return { ...state, mediumId: action.mediumId }
    case 'custom':
      return {
        ...state,
        customSize: action.size,
        customKind: action.kind,
        mediumId: `${action.kind}:${action.size.replace(/\s+/g, '')}`,
      }
    case 'prefix':
      return { ...state, labelPrefix: action.prefix }
    case 'loaded':
      return {
        ...state,
        ...mediumOf(action.document.medium.id),
        document: action.document,
        exportedTo: action.exportedTo,
        refusedDirectory: null,
        selectedVolume: action.document.volumes[0]?.index ?? null,
      }
    case 'exported':
      return state.document?.id === action.planId
        ? { ...state, exportedTo: action.directory, refusedDirectory: null }
        : state
    case 'refused':
      return { ...state, refusedDirectory: action.directory }
    case 'volume':
      return { ...state, selectedVolume: action.index }
  }
}

/** A plan's medium is the chosen one, its own size typed in. */
function mediumOf(mediumId: string): Partial<PlanState> {
  const own = /^(custom|folder):(.+)$/.exec(mediumId)
  return own
    ? { mediumId, customKind: own[1] === 'folder' ? 'folder' : 'custom', customSize: own[2] as string }
    : { mediumId }
}

/** ISO 9660 allows A-Z, 0-9 and _ in a volume's name; with `_01` behind it 24 characters are left. */
export const LABEL_PREFIX = /^[A-Z0-9_]{1,24}$/
