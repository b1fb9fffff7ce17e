import type { JobKind } from '../../../src/contract/dto/job'
import { DEFAULT_SETTINGS, type Settings } from '../../../src/contract/dto/settings'
import type { EngineState, Help } from '../../../src/contract/rendererSchema'
import type { WireError } from '../../../src/primitives/appError'
import type { Spoken } from '../copy'

export const STEPS = [
  'source',
  'survey',
  'choose',
  'plan',
  'build',
  'catalog',
  'restore',
  'measure',
  'images',
  'roms',
] as const
export type Step = (typeof STEPS)[number]
/** A page of the window: Home, one of its archives, a step of the work, or the settings. */
export type Page = Step | 'home' | 'archive' | 'settings'

/**
 * `failed`: the last work of the step failed or is incomplete. `stale`: there is a result, but what
 * it was made from has changed since. `asks`: it goes on once a person has decided.
 */
export type StepState = 'empty' | 'running' | 'done' | 'failed' | 'stale' | 'asks'

/** A removal or note that can be undone. */
export interface Undoable {
  /** Says what was done, as a sentence in the language of the window. */
  readonly said: () => string
  readonly undo: () => void
}

/** One failure on the screen; `step` is where it belongs, null for everywhere. */
export interface Notice {
  readonly id: number
  readonly error: WireError
  readonly step: Page | null
  /** The kind of job that failed; null where no job did. */
  readonly job: JobKind | null
}

export interface FrameState {
  readonly step: Page
  readonly version: string
  /** The versions of what the window runs on. */
  readonly runtime: string
  readonly settings: Settings
  /** The file that keeps them; empty until main has answered. */
  readonly settingsFile: string
  readonly engine: EngineState
  /** The language that is on the screen. */
  readonly language: Spoken
  readonly notices: readonly Notice[]
  readonly nextNotice: number
  /** The help that is open. */
  readonly help: Help | null
  /** The last of them, while it can be undone. */
  readonly undoable: Undoable | null
}

export type FrameAction =
  | {
      type: 'opened'
      version: string
      runtime: string
      settings: Settings
      settingsFile: string
      engine: EngineState['state']
    }
  | { type: 'step'; step: Page }
  | { type: 'settings'; settings: Partial<Settings> }
  | { type: 'spoken'; language: Spoken }
  | { type: 'engine'; life: EngineState }
  | { type: 'failed'; error: WireError; step: Page | null; job?: JobKind }
  | { type: 'dismissed'; id: number }
  | { type: 'cleared'; step: Page }
  | { type: 'help'; help: Help | null }
  | { type: 'undoable'; undoable: Undoable | null }

export const initialFrame: FrameState = {
  step: 'home',
  version: '',
  runtime: '',
  settings: DEFAULT_SETTINGS,
  settingsFile: '',
  engine: { state: 'starting', reason: null, restarting: false },
  language: 'en',
  notices: [],
  nextNotice: 1,
  help: null,
  undoable: null,
}

/** At most this many failures are on the screen; older ones give way. */
const MOST_NOTICES = 3

export function reduceFrame(state: FrameState, action: FrameAction): FrameState {
  switch (action.type) {
    case 'opened':
      return {
        ...state,
        version: action.version,
        runtime: action.runtime,
        settings: action.settings,
        settingsFile: action.settingsFile,
        engine: { state: action.engine, reason: null, restarting: false },
      }
    case 'step':
      return state.step === action.step ? state : { ...state, step: action.step }
    case 'settings':
      return { ...state, settings: { ...state.settings, ...action.settings } }
    case 'spoken':
      return { ...state, language: action.language }
    case 'engine':
      return { ...state, engine: action.life }
    case 'failed': {
      const same = (notice: Notice) =>
        notice.error.code === action.error.code &&
        notice.error.message === action.error.message &&
        notice.step === action.step
      const others = state.notices.filter((notice) => !same(notice))
      const added = { id: state.nextNotice, error: action.error, step: action.step, job: action.job ?? null }
      return {
        ...state,
        notices: [...others, added].slice(-MOST_NOTICES),
        nextNotice: state.nextNotice + 1,
      }
    }
    case 'dismissed':
      return { ...state, notices: state.notices.filter((notice) => notice.id !== action.id) }
    case 'help':
      return { ...state, help: action.help }
    case 'undoable':
      return { ...state, undoable: action.undoable }
    case 'cleared':
      return { ...state, notices: state.notices.filter((notice) => notice.step !== action.step) }
  }
}
