import type { AskedRestore } from '../../../../src/contract/dto/askedRestore'
import type { OpenedSet, SetNeeds, SetRows } from '../../../../src/contract/dto/openedSet'
import { type ChoiceMarks, marksOf, type RestoreDocument } from '../../../../src/contract/dto/restore'
import type { WireError } from '../../../../src/primitives/appError'
import type { AskedDiscs } from './queueState'
import { type SetFolder, unfoldedAtFirst } from './setLines'

/** The rows that were found for a pattern. */
export interface FoundRows extends SetRows {
  readonly pattern: string
}

export interface RestoreState {
  /** Folders of plans, images and mounted discs, as they were chosen; none until a set is. */
  readonly volumes: readonly string[]
  /** The person asked for another set: none is chosen for them. */
  readonly hasLeft: boolean
  /** `locked`: the set is encrypted, and waits for its password. */
  readonly status: 'none' | 'opening' | 'locked' | 'failed' | 'open'
  /** Why the set could not be opened. */
  readonly error: WireError | null
  /** The password that was given last is not the set's. */
  readonly isWrongPassword: boolean
  readonly set: OpenedSet | null
  /** The generation that the person chose; null for the newest. */
  readonly asOf: number | null
  /** The folders of the set that were asked for, by path. */
  readonly folders: ReadonlyMap<string, SetFolder>
  /** Paths of the folders that are open in the tree. */
  readonly open: ReadonlySet<string>
  readonly picked: string | null
  readonly marks: ChoiceMarks
  /** As typed; nothing typed shows the tree. */
  readonly pattern: string
  readonly found: FoundRows | null
  /** The sums of the marks; those of the marks before while they are asked for, null for none. */
  readonly needs: SetNeeds | null
  readonly to: string | null
  readonly force: boolean
  /** Put setuid, setgid and capabilities of files back. */
  readonly trust: boolean
  /** The tree shows the number of files and the volumes of each row. */
  readonly isDetailed: boolean
  /** The restore that goes on once the set is open: another day it asked for discs. */
  readonly resuming: AskedRestore | null
  /** Those that wait for more discs, the newest first. */
  readonly waiting: readonly AskedRestore[]
  /** Null while no disc is asked for. */
  readonly asked: AskedDiscs | null
  /** The last restore of this set. */
  readonly document: RestoreDocument | null
}

export type RestoreAction =
  | { type: 'chosen'; volumes: readonly string[]; marks: ChoiceMarks }
  | { type: 'left' }
  | { type: 'resuming'; asked: AskedRestore }
  | { type: 'waiting'; waiting: readonly AskedRestore[] }
  | { type: 'opening'; volumes: readonly string[] }
  | { type: 'asOf'; generation: number | null }
  | { type: 'locked'; isWrong: boolean }
  | { type: 'failed'; error: WireError }
  | { type: 'opened'; set: OpenedSet }
  | { type: 'page'; state: string; folder: string; offset: number; page: SetRows }
  | { type: 'fold'; path: string; isOpen: boolean }
  | { type: 'picked'; path: string }
  | { type: 'marked'; marks: ChoiceMarks }
  | { type: 'typed'; pattern: string }
  | { type: 'found'; found: FoundRows | null }
  | { type: 'needs'; needs: SetNeeds | null }
  | { type: 'set'; form: Partial<Pick<RestoreState, 'to' | 'force' | 'trust' | 'isDetailed'>> }
  | { type: 'asked'; asked: AskedDiscs | null }
  | { type: 'restored'; document: RestoreDocument | null }

export const initialRestore: RestoreState = {
  volumes: [],
  hasLeft: false,
  status: 'none',
  error: null,
  isWrongPassword: false,
  set: null,
  asOf: null,
  folders: new Map(),
  open: new Set(),
  picked: null,
  marks: new Map(),
  pattern: '',
  found: null,
  needs: null,
  to: null,
  force: false,
  trust: false,
  isDetailed: false,
  resuming: null,
  waiting: [],
  asked: null,
  document: null,
}

export function reduceRestore(state: RestoreState, action: RestoreAction): RestoreState {
  switch (action.type) {
    case 'chosen':
      return {
        ...initialRestore,
        to: state.to,
        waiting: state.waiting,
        volumes: action.volumes,
        marks: action.marks,
      }
    case 'left':
      return { ...initialRestore, to: state.to, waiting: state.waiting, hasLeft: true }
    case 'resuming': {
      const { volumes, chosen, asOf, to, force, trust } = action.asked
      return {
        ...initialRestore,
        volumes,
        marks: marksOf(chosen),
        asOf: asOf === undefined ? null : Number(asOf),
        to,
        force,
        trust,
        waiting: state.waiting,
        resuming: action.asked,
      }
    }
    case 'waiting':
      return { ...state, waiting: action.waiting }
    case 'opening':
      return { ...state, volumes: action.volumes, status: 'opening', error: null }
    case 'asOf': {
      // Other paths may have been there then.
      const isAll = state.marks.size === 1 && state.marks.get('') === true
      return {
        ...state,
        asOf: action.generation,
        marks: isAll ? state.marks : new Map(),
        needs: null,
        pattern: '',
        found: null,
        document: null,
        asked: null,
      }
    }
    case 'locked':
      return { ...state, status: 'locked', isWrongPassword: action.isWrong, set: null }
    case 'failed':
      return { ...state, status: 'failed', error: action.error, set: null }
    case 'opened': {
      // More discs of the same set change nothing that a person has done.
      const isSame =
        state.folders.size > 0 && state.set !== null && stateKey(state.set) === stateKey(action.set)
      return {
        ...state,
        set: action.set,
        status: 'open',
        isWrongPassword: false,
        ...(isSame ? {} : { folders: new Map(), open: foldersAbove(state.marks), picked: '' }),
      }
    }
    case 'page': {
      const { folder, offset, page } = action
      if (state.set === null || stateKey(state.set) !== action.state) return state
      const rows = (state.folders.get(folder)?.rows ?? []).slice()
      rows.length = page.total
      page.rows.forEach((row, index) => {
        rows[offset + index] = row
      })
      // A person who asks for a journey of one year sees it without opening the year.
      const open = state.folders.size === 0 && state.open.size === 0 ? unfoldedAtFirst(rows) : state.open
      return { ...state, open, folders: new Map([...state.folders, [folder, { total: page.total, rows }]]) }
    }
    case 'fold': {
      const open = new Set(state.open)
      if (action.isOpen) open.add(action.path)
      else open.delete(action.path)
      return { ...state, open }
    }
    case 'picked':
      return { ...state, picked: action.path }
    case 'marked':
      return { ...state, marks: action.marks, document: null, asked: null }
    case 'typed':
      return { ...state, pattern: action.pattern, ...(action.pattern.trim() === '' ? { found: null } : {}) }
    case 'found':
      return { ...state, found: action.found }
    case 'needs':
      return { ...state, needs: action.needs }
    case 'set':
      return { ...state, ...action.form }
    case 'asked':
      return { ...state, asked: action.asked, resuming: null }
    case 'restored':
      return { ...state, document: action.document }
  }
}

/** Names a set, and of an archive that grows the generation that is open. */
export function stateKey({ setId, generation }: OpenedSet): string {
  return generation === undefined ? setId : `${setId} ${generation}`
}

/** Folders that are opened so that what is chosen is seen. */
const MOST_OPENED = 50

function foldersAbove(marks: ChoiceMarks): ReadonlySet<string> {
  const open = new Set<string>()
  for (const path of marks.keys())
    for (let slash = path.indexOf('/'); slash > 0; slash = path.indexOf('/', slash + 1))
      if (open.size < MOST_OPENED) open.add(path.slice(0, slash))
  return open
}

/** The needed volumes that are not among those that were given. */
export function missingVolumes({ needs }: RestoreState): SetNeeds['volumes'] {
  return needs?.volumes.filter(({ atHand }) => !atHand) ?? []
}

/** True when something is chosen, and at least some of it can be restored now. */
export function canRestore({ set, needs }: RestoreState): boolean {
  if (set === null || needs === null || needs.folders + needs.files + needs.links === 0) return false
  return needs.volumes.length === 0 || needs.volumes.some(({ atHand }) => atHand)
}
