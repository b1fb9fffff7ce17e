import {
  NO_RULES,
  type Rules,
  type SourceFolder,
  type SourceRow,
  type WalkDocument,
} from '../../../../src/contract/dto/survey'
import type { WireError } from '../../../../src/primitives/appError'
import { foldersAbove, isLeftOut, placeOf } from './leaveOut'

/** The folders of a walk that were asked for, by path; null is above the sources. */
export type Folders = ReadonlyMap<string | null, SourceFolder>

/** The reason why a press on a check box kept nothing. */
export interface Ineffective {
  readonly path: string
  /** The folder above that is left out; null where it is another rule. */
  readonly folder: string | null
}

/** How the tree of the sources is shown, and the meaning of a colour in the map. */
export const KEPT_VIEWS = ['tree', 'map'] as const
export const MAP_COLOURS = ['folders', 'type', 'year'] as const
export type KeptView = (typeof KEPT_VIEWS)[number]
export type MapColours = (typeof MAP_COLOURS)[number]

export interface KeptState {
  readonly rules: Rules
  /** The last finished walk. It stays until the next one has ended. */
  readonly document: WalkDocument | null
  readonly folders: Folders
  /** `walking`: the walk of the sources and rules at hand has not ended. */
  readonly status: 'idle' | 'walking' | 'stopped' | 'failed'
  readonly error: WireError | null
  /** Paths of the folders that are open in the tree. */
  readonly open: ReadonlySet<string>
  /** The folder that the map shows; null for the sources. */
  readonly at: string | null
  readonly picked: string | null
  readonly ineffective: Ineffective | null
  readonly view: KeptView
  readonly colours: MapColours
}

export type KeptAction =
  | { type: 'rules'; rules: Rules }
  | { type: 'walking' }
  | { type: 'stopped' }
  | { type: 'failed'; error: WireError }
  | { type: 'walked'; document: WalkDocument; folders: Folders; open: ReadonlySet<string> }
  | { type: 'folder'; walkId: string; path: string; folder: SourceFolder }
  | { type: 'open'; path: string; isOpen: boolean }
  | { type: 'at'; path: string | null }
  | { type: 'picked'; path: string | null }
  | { type: 'ineffective'; ineffective: Ineffective | null }
  | { type: 'view'; view: KeptView }
  | { type: 'colours'; colours: MapColours }
  | { type: 'cleared' }

export const initialKept: KeptState = {
  rules: NO_RULES,
  document: null,
  folders: new Map(),
  status: 'idle',
  error: null,
  open: new Set(),
  at: null,
  picked: null,
  ineffective: null,
  view: 'tree',
  colours: 'folders',
}

export function reduceKept(state: KeptState, action: KeptAction): KeptState {
  switch (action.type) {
    case 'rules':
      return { ...state, rules: action.rules, ineffective: null }
    case 'walking':
      return { ...state, status: 'walking', error: null }
    case 'stopped':
      return { ...state, status: 'stopped' }
    case 'failed':
      return { ...state, status: 'failed', error: action.error }
    case 'walked': {
      const { document, folders, open } = action
      const sole = document.roots.length === 1 ? (document.roots[0] ?? null) : null
      return {
        ...state,
        document,
        folders,
        open,
        status: 'idle',
        error: null,
        at:
          state.at !== null && folders.has(state.at)
            ? state.at
            : sole !== null && folders.has(sole)
              ? sole
              : null,
        picked: rowOf(folders, state.picked) ? state.picked : null,
      }
    }
    case 'folder':
      if (state.document?.id !== action.walkId) return state
      return { ...state, folders: new Map([...state.folders, [action.path, action.folder]]) }
    case 'open': {
      const open = new Set(state.open)
      if (action.isOpen) open.add(action.path)
      else open.delete(action.path)
      return { ...state, open }
    }
    case 'at':
      return { ...state, at: action.path, picked: null }
    case 'picked':
      return { ...state, picked: action.path, ineffective: null }
    case 'ineffective':
      return { ...state, ineffective: action.ineffective }
    case 'view':
      return { ...state, view: action.view }
    case 'colours':
      return { ...state, colours: action.colours }
    case 'cleared':
      return { ...initialKept, rules: state.rules, view: state.view, colours: state.colours }
  }
}

/** The row of a path among the folders that are there. */
export function rowOf(folders: Folders, path: string | null): SourceRow | null {
  if (path === null) return null
  for (const { rows } of folders.values()) {
    const found = rows.find((row) => row.path === path)
    if (found) return found
  }
  return null
}

/** True when the rules at hand leave this row out as a whole, by itself. */
export function isOut(state: KeptState, row: Pick<SourceRow, 'path' | 'isFolder' | 'rule'>): boolean {
  const { document, rules } = state
  if (document === null) return false
  return isLeftOut(placeOf(row.path, row.isFolder, document.roots), row.rule !== null, document.rules, rules)
}

/** The outermost folder above a path that is left out as a whole; null for none. */
export function leftOutAbove(state: KeptState, path: string): string | null {
  const { document, folders } = state
  if (document === null) return null
  const found = foldersAbove(path, document.roots).find((folder) =>
    isOut(state, { path: folder, isFolder: true, rule: rowOf(folders, folder)?.rule ?? null }),
  )
  return found ?? null
}

/** Files and bytes of the sources, with what was left out. */
export function wholeOf({ totals, excluded }: WalkDocument): { files: number; bytes: number } {
  return { files: totals.files + (excluded?.files ?? 0), bytes: totals.bytes + (excluded?.bytes ?? 0) }
}
