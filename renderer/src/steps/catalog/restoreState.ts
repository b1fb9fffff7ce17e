import type { RestoreDocument } from '../../../../src/contract/dto/restore'

export interface RestoreState {
  /** True when the form is shown. */
  readonly open: boolean
  /** How often it was asked for. */
  readonly openings: number
  /** Folders of plans, images and mounted discs, as they were chosen. */
  readonly volumes: readonly string[]
  readonly to: string | null
  /** Patterns as typed, one a line. */
  readonly files: string
  readonly force: boolean
  /** Put setuid, setgid and capabilities of files back. */
  readonly trust: boolean
  /** `needed`: the set turned out to be encrypted; `wrong`: the given password is not its own. */
  readonly password: 'none' | 'needed' | 'wrong'
  /** The last restore of this form. */
  readonly document: RestoreDocument | null
}

export type RestoreAction =
  | { type: 'opened'; volumes: readonly string[] }
  | { type: 'closed' }
  | { type: 'added'; volumes: readonly string[] }
  | { type: 'removed'; volume: string }
  | { type: 'set'; form: Partial<Pick<RestoreState, 'to' | 'files' | 'force' | 'trust'>> }
  | { type: 'locked'; password: 'needed' | 'wrong' }
  | { type: 'restored'; document: RestoreDocument }

export const initialRestore: RestoreState = {
  open: false,
  openings: 0,
  volumes: [],
  to: null,
  files: '',
  force: false,
  trust: false,
  password: 'none',
  document: null,
}

export function reduceRestore(state: RestoreState, action: RestoreAction): RestoreState {
  switch (action.type) {
    case 'opened':
      return {
        ...(action.volumes.length === 0
          ? state
          : { ...initialRestore, volumes: action.volumes, to: state.to }),
        open: true,
        openings: state.openings + 1,
      }
    case 'closed':
      return { ...state, open: false }
    case 'added':
      return { ...state, volumes: [...new Set([...state.volumes, ...action.volumes])] }
    case 'removed': {
      const volumes = state.volumes.filter((volume) => volume !== action.volume)
      return { ...state, volumes, password: volumes.length === 0 ? 'none' : state.password }
    }
    case 'set':
      return { ...state, ...action.form }
    case 'locked':
      return { ...state, open: true, password: action.password }
    case 'restored':
      return { ...state, open: true, password: unlocked(state), document: action.document }
  }
}

/** A password that served is asked for again next time, and is not wrong any more. */
function unlocked({ password }: RestoreState): RestoreState['password'] {
  return password === 'none' ? 'none' : 'needed'
}

/** The patterns of the field: one a line, without blank ones. */
export function patternsOf(files: string): string[] {
  return files.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]))
}
