import {
  type CompareDocument,
  folderLines,
  folderRecipe,
  type Goal,
  type GoalWeights,
  type Impossible,
  type MediumCandidates,
  type Option,
  type OptionBuild,
  type OptionEncryption,
  type OptionsDocument,
  type OptionsRequest,
  type System,
} from '../../../../src/contract/dto/options'
import type { WireError } from '../../../../src/primitives/appError'
import { typedSize } from '../../components/typedSize'
import { countIn, durationIn, durationText, limitText } from './preferences/typedLimits'

/** The person's settings; limits as they are typed. */
export interface OptionsForm {
  readonly mediumIds: readonly string[]
  readonly goal: Goal
  readonly weights: GoalWeights
  readonly encryption: OptionEncryption
  /** Share of redundancy, 0.1 is 10 %. */
  readonly protection: number
  readonly bytes: string
  readonly volumes: string
  readonly seconds: string
  readonly ram: string
  readonly readableOn: readonly System[]
  readonly inPlace: boolean
  /** Types of files that are stored as they are, by extension. */
  readonly storeAsIs: readonly string[]
  /** Lines `GLOB=OPTION`: the first whose pattern matches a file packs it. */
  readonly folderRules: readonly string[]
  /** The option of files without a rule; null: none was chosen, and such files are refused. */
  readonly otherFiles: string | null
  readonly container: string | null
  readonly tableEntry: string
  /** Null: the newest plausible profile. */
  readonly measurementId: string | null
}

/** A build that is being prepared, runs or has ended: one at a time. */
export interface OptionInHand {
  readonly optionId: string
  readonly surveyId: string
  readonly path: string
  /** The person agreed to replace what is there. */
  readonly replaces: boolean
  /** Those of the list that it was taken from: later settings change nothing about it. */
  readonly demands: Pick<OptionsRequest, 'encryption' | 'protection'>
  /** Only its figures are wanted. */
  readonly discard: boolean
  readonly state: 'ready' | 'running' | 'built'
  readonly built: OptionBuild | null
}

export const VIEWS = ['candidates', 'options', 'accuracy'] as const
export type ChooseView = (typeof VIEWS)[number]

export interface OptionsState {
  /** The view of the Choose step. */
  readonly view: ChooseView
  /** The medium that is looked at; null: the one of the best option of all. */
  readonly medium: string | null
  readonly form: OptionsForm
  /** The last answer; it stays until the next one is there. */
  readonly document: OptionsDocument | null
  /** The candidates of the last answer for each medium, while they are shown. */
  readonly candidates: readonly MediumCandidates[] | null
  readonly waiting: boolean
  /** The last answer is of other settings than those of the form. */
  readonly isOutdated: boolean
  readonly problem: WireError | null
  /** Options to be seen next to the chosen one, in the order they were picked. */
  readonly picked: readonly string[]
  readonly inHand: OptionInHand | null
  readonly compare: CompareDocument | null
}

export type OptionsAction =
  | { type: 'view'; view: OptionsState['view'] }
  | { type: 'medium'; medium: string }
  | { type: 'set'; form: Partial<OptionsForm> }
  | { type: 'asking' }
  | { type: 'listed'; document: OptionsDocument; candidates: readonly MediumCandidates[] | null }
  | { type: 'problem'; problem: WireError }
  | { type: 'lost' }
  | { type: 'picked'; id: string }
  | ({ type: 'placed' } & Pick<OptionInHand, 'optionId' | 'surveyId' | 'path' | 'replaces' | 'demands'>)
  | { type: 'discard'; discard: boolean }
  | { type: 'started' }
  | { type: 'built'; built: OptionBuild }
  | { type: 'ended' }
  | { type: 'putAway' }
  | { type: 'compared'; compare: CompareDocument }
  /** Another archive: its preferences and options begin anew. */
  | { type: 'emptied' }

export const WEIGHTS = [
  'bytes',
  'buildSeconds',
  'restoreSeconds',
  'ramBytes',
  'volumes',
  'portability',
] as const satisfies readonly (keyof GoalWeights)[]

export const initialOptions: OptionsState = {
  view: 'candidates',
  medium: null,
  form: {
    mediumIds: [],
    goal: 'balanced',
    weights: {
      bytes: 0.5,
      buildSeconds: 0.5,
      restoreSeconds: 0.5,
      ramBytes: 0.5,
      volumes: 0.5,
      portability: 0.5,
    },
    encryption: 'none',
    protection: 0,
    bytes: '',
    volumes: '',
    seconds: '',
    ram: '',
    readableOn: [],
    inPlace: false,
    storeAsIs: [],
    folderRules: [],
    otherFiles: null,
    container: null,
    tableEntry: '',
    measurementId: null,
  },
  document: null,
  candidates: null,
  waiting: false,
  isOutdated: false,
  problem: null,
  picked: [],
  inHand: null,
  compare: null,
}

/** True where something was built that forecasts can be compared with. */
export function hasActual(compare: CompareDocument | null): boolean {
  return compare !== null && compare.builds.length + compare.runs.length > 0
}

/** At most this many options are compared with the chosen one. */
export const MOST_PICKED = 2

export function reduceOptions(state: OptionsState, action: OptionsAction): OptionsState {
  switch (action.type) {
    case 'view':
      return { ...state, view: action.view }
    case 'medium':
      return { ...state, medium: action.medium }
    case 'set':
      return { ...state, form: { ...state.form, ...action.form }, isOutdated: true }
    case 'asking':
      return { ...state, waiting: true }
    case 'listed':
      return {
        ...state,
        document: action.document,
        candidates: action.candidates,
        waiting: false,
        isOutdated: false,
        problem: null,
        inHand: isOfOther(state.inHand, action.document) ? null : state.inHand,
      }
    case 'problem':
      return { ...state, waiting: false, problem: action.problem }
    case 'lost':
      return { ...state, waiting: false }
    case 'picked': {
      const others = state.picked.filter((id) => id !== action.id)
      // The newest pick takes the place of the oldest: nothing is refused.
      return {
        ...state,
        picked: others.length < state.picked.length ? others : [...others, action.id].slice(-MOST_PICKED),
      }
    }
    case 'placed': {
      const { type: _, ...place } = action
      return { ...state, inHand: { ...place, discard: false, state: 'ready', built: null } }
    }
    case 'discard':
      return inHand(state, { discard: action.discard })
    case 'started':
      return inHand(state, { state: 'running', built: null })
    case 'built':
      return inHand(state, { state: 'built', built: action.built })
    case 'ended':
      return state.inHand?.state === 'running' ? inHand(state, { state: 'ready' }) : state
    case 'putAway':
      return state.inHand === null ? state : { ...state, inHand: null }
    case 'compared':
      return { ...state, compare: action.compare }
    case 'emptied':
      return { ...initialOptions, view: state.view, compare: state.compare }
  }
}

/**
 * True when a build was prepared for files that are not shown any more: nothing is begun with
 * others.
 */
function isOfOther(hand: OptionInHand | null, { surveyId }: OptionsDocument): boolean {
  return hand?.state === 'ready' && hand.surveyId !== surveyId
}

function inHand(state: OptionsState, change: Partial<OptionInHand>): OptionsState {
  return state.inHand === null ? state : { ...state, inHand: { ...state.inHand, ...change } }
}

const LEAST_ENTRY = 16
const MOST_ENTRY = 4096

/**
 * Reads a typed number of bytes of a table's entry: null for the usual, undefined where it cannot
 * be.
 */
export function entryBytesIn(text: string): number | null | undefined {
  const bytes = countIn(text)
  return bytes == null || (bytes >= LEAST_ENTRY && bytes <= MOST_ENTRY) ? bytes : undefined
}

/** The request of the form; null while something in it is missing or wrong. */
export function optionsRequestOf(surveyId: string, form: OptionsForm): OptionsRequest | null {
  const [bytes, ramBytes] = [typedSize(form.bytes), typedSize(form.ram)]
  const [volumes, seconds] = [countIn(form.volumes), durationIn(form.seconds)]
  const entry = entryBytesIn(form.tableEntry)
  if (bytes === undefined || ramBytes === undefined || volumes === undefined || seconds === undefined)
    return null
  if (entry === undefined || form.mediumIds.length === 0) return null
  return {
    surveyId,
    mediumIds: [...form.mediumIds],
    goal: form.goal,
    weights: form.goal === 'own' ? form.weights : null,
    encryption: form.encryption,
    protection: form.protection,
    limits: {
      bytes,
      volumes,
      seconds,
      ramBytes,
      readableOn: [...form.readableOn],
      inPlace: form.inPlace,
      container: form.container,
    },
    ...(form.storeAsIs.length > 0 && { storeAsIs: [...form.storeAsIs] }),
    ...byFolderOf(form),
    tableEntryBytes: entry ?? 320,
    measurementId: form.measurementId,
    calibrate: false,
  }
}

function byFolderOf({ folderRules, otherFiles }: OptionsForm): Pick<OptionsRequest, 'byFolder'> {
  const found = folderRules.length > 0 ? folderRecipe(folderRules, otherFiles ?? undefined) : null
  return found && 'name' in found ? { byFolder: found.name } : {}
}

/** The rules of an option by folder as the form has them; none for other options. */
export function folderRulesOf(option: string | null): Pick<OptionsForm, 'folderRules' | 'otherFiles'> {
  const lines = folderLines(option ?? '')
  const last = lines.at(-1)
  return last?.startsWith('*=')
    ? { folderRules: lines.slice(0, -1), otherFiles: last.slice(2) }
    : { folderRules: lines, otherFiles: null }
}

/** The change of the form that relaxes a limit; null where no button can do it. */
export function relaxed({ limit, to }: Impossible['relax'][number]): Partial<OptionsForm> | null {
  switch (limit) {
    case 'bytes':
      return { bytes: to === null ? '' : limitText(to) }
    case 'ramBytes':
      return { ram: to === null ? '' : limitText(to) }
    case 'volumes':
      return { volumes: to === null ? '' : String(Math.ceil(to)) }
    case 'seconds':
      return { seconds: to === null ? '' : durationText(to) }
    case 'readableOn':
      return { readableOn: [] }
    case 'inPlace':
      return { inPlace: false }
    case 'container':
      return { container: null }
    case 'encryption':
      return { encryption: 'none' }
    case 'protection':
      return { protection: to ?? 0 }
    default:
      return null
  }
}

/** The last answer, and the medium that is looked at: the figures of the step are about them. */
export type Advised = Pick<OptionsState, 'document' | 'medium'>

/** An option that is recommended, with the reason; null where no option meets the limits. */
export interface AdvisedOption {
  readonly option: Option
  readonly because: string | null
}

/**
 * The one option that the rail, the cards, the table and the sentence are about: recommended for
 * the goal on the medium that is looked at, or the nearest where nothing meets the limits.
 */
export function adviceOf({ document, medium }: Advised): AdvisedOption | null {
  if (document === null) return null
  const { chosen, impossible, options, recommended, request } = document
  const optionOf = (id: string | undefined): Option | undefined => options.find((each) => each.id === id)
  if (chosen === null) {
    const nearest = optionOf(impossible?.nearest ?? undefined)
    return nearest ? { option: nearest, because: null } : null
  }
  const here = recommended.find((each) => each.goal === request.goal && each.medium === medium) ?? chosen
  const option = optionOf(here.id)
  return option ? { option, because: here.because } : null
}

/**
 * The options side by side: the recommended one, then the picked; those that the last answer does
 * not have are left out.
 */
export function sideBySide(advised: Advised, picked: readonly string[]): Option[] {
  const first = adviceOf(advised)?.option
  const others = picked.flatMap((id) => advised.document?.options.find((option) => option.id === id) ?? [])
  return [...(first ? [first] : []), ...others.filter((option) => option !== first)]
}
