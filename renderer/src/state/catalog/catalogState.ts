import type { ArchivesDocument } from '../../../../src/contract/dto/archive'
import type { FoundFile, PlanListItem } from '../../../../src/contract/dto/plan'
import type { SurveyListItem } from '../../../../src/contract/dto/survey'

export interface CatalogState {
  /** True once plans are known, or cannot be. */
  readonly isLoaded: boolean
  /** The catalog could not be read: what is not listed may be there. */
  readonly isUnlisted: boolean
  readonly surveys: readonly SurveyListItem[]
  readonly plans: readonly PlanListItem[]
  /** Archives and the sets of none, in the order of what was added last. */
  readonly archives: Pick<ArchivesDocument, 'archives' | 'sets'>
  readonly pattern: string
  /** The files found for `searched`; null before the first search. */
  readonly found: readonly FoundFile[] | null
  readonly searched: string
  readonly searching: boolean
  /** The entry that the person is asked about before it is removed. */
  readonly removing: Kept | null
}

/** A plan or a survey that the catalog keeps. */
export interface Kept {
  readonly kind: 'plan' | 'survey'
  readonly id: string
  readonly roots: readonly string[]
  readonly createdWallMs: number
}

export type CatalogAction =
  | { type: 'surveys'; surveys: readonly SurveyListItem[] }
  | { type: 'unlisted' }
  | { type: 'plans'; plans: readonly PlanListItem[] }
  | { type: 'archives'; archives: ArchivesDocument }
  | { type: 'typed'; pattern: string }
  | { type: 'searching' }
  | { type: 'found'; pattern: string; files: readonly FoundFile[] }
  | { type: 'searchFailed' }
  | { type: 'removing'; kept: Kept | null }

export const initialCatalog: CatalogState = {
  isLoaded: false,
  isUnlisted: false,
  surveys: [],
  plans: [],
  archives: { archives: [], sets: [] },
  pattern: '',
  found: null,
  searched: '',
  searching: false,
  removing: null,
}

export function reduceCatalog(state: CatalogState, action: CatalogAction): CatalogState {
  switch (action.type) {
    case 'surveys':
      return { ...state, surveys: newestFirst(action.surveys) }
    case 'plans':
      return { ...state, isLoaded: true, isUnlisted: false, plans: newestFirst(action.plans) }
    case 'archives':
      return { ...state, archives: action.archives }
    case 'unlisted':
      return { ...state, isLoaded: true, isUnlisted: true }
    case 'typed':
      return {
        ...state,
        pattern: action.pattern,
        ...(action.pattern === '' ? { found: null, searched: '', searching: false } : {}),
      }
    case 'searching':
      return { ...state, searching: true }
    case 'found':
      return { ...state, searching: false, searched: action.pattern, found: action.files }
    case 'searchFailed':
      return { ...state, searching: false }
    case 'removing':
      return { ...state, removing: action.kept }
  }
}

function newestFirst<T extends { readonly createdWallMs: number }>(items: readonly T[]): T[] {
  return [...items].sort((one, other) => other.createdWallMs - one.createdWallMs)
}
