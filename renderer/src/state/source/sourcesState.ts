import type { RomLayout } from '../../../../src/contract/dto/survey'
import type { Source } from '../../../../src/contract/rendererSchema'

export interface SourcesState {
  readonly list: readonly Source[]
  /** DATs by which a survey groups files. */
  readonly dats: readonly string[]
  /** How their ROM sets are laid out; null: as each asks for. */
  readonly layout: RomLayout | null
}

/** DATs by which a survey groups files, and the layout of their ROM sets. */
export type GivenDats = Pick<SourcesState, 'dats' | 'layout'>

export type SourcesAction =
  | { type: 'added'; sources: readonly Source[] }
  | { type: 'removed'; path: string }
  | { type: 'replaced'; sources: readonly Source[] }
  | { type: 'dats'; dats: readonly string[]; layout?: RomLayout | null }

export const initialSources: SourcesState = { list: [], dats: [], layout: null }

/** Sources and DATs keep the person's order; each path is listed once. */
export function reduceSources(state: SourcesState, action: SourcesAction): SourcesState {
  switch (action.type) {
    case 'added': {
      const known = new Set(state.list.map((source) => source.path))
      const fresh: Source[] = []
      for (const source of action.sources) {
        if (known.has(source.path)) continue
        known.add(source.path)
        fresh.push(source)
      }
      return fresh.length === 0 ? state : { ...state, list: [...state.list, ...fresh] }
    }
    case 'removed':
      return { ...state, list: state.list.filter((source) => source.path !== action.path) }
    case 'replaced':
      return reduceSources({ ...state, list: [] }, { type: 'added', sources: action.sources })
    case 'dats':
      return {
        ...state,
        dats: [...new Set(action.dats)],
        ...(action.layout !== undefined && { layout: action.layout }),
      }
  }
}

/** True when two lists name the same paths in any order. */
export function samePaths(one: readonly string[], other: readonly string[]): boolean {
  const set = new Set(one)
  return set.size === new Set(other).size && other.every((path) => set.has(path))
}
