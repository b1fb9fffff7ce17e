import type { SetAside } from '../../../../src/contract/dto/job'
import type { Option, OptionEncryption } from '../../../../src/contract/dto/options'
import {
  type Medium,
  type Placement,
  type PlanDocument,
  type ProtectionChoice,
} from '../../../../src/contract/dto/plan'
import { type Estimate, exact } from '../../../../src/primitives/estimate'
import { typedNumbers } from '../../../../src/primitives/figureLanguage'
import { type Earlier, isAnew, isGrownSo } from './growing'
import { type ParityDiscs, parityAsked, parityChosen } from './parity'
import { isSamePlacement, ofOtherDiscs, placementOf } from './placement'
import { protectionAsked, protectionChosen } from './recovery'

/** The archives of a plan; with the form `plain` files stay files, identical ones stored once. */
export interface Packing {
  /** The permanent name. */
  readonly recipe: string
  /** In words; null where only the permanent name is known. */
  readonly name: string | null
  readonly form: Option['plan']['form']
  readonly encryption: OptionEncryption
  /** One archive over all volumes. */
  readonly joined: boolean
  /** The forecast of all archives together, and the survey that it is of. */
  readonly bytes: Estimate
  readonly surveyId: string
}

/** Fields of the Plan step that keep what is typed until it is a value. */
export type TypedField = 'copies' | 'share' | 'reserve'

export interface PlanState {
  /** A plan was asked for that needs the forecasts of the running survey. */
  readonly isWaiting: boolean
  readonly media: readonly Medium[]
  readonly mediumId: string
  /** The typed custom size, kept while another medium is chosen. */
  readonly customSize: string
  readonly customKind: 'custom' | 'folder'
  /** Null until the person types: the engine then derives one from the source. */
  readonly labelPrefix: string | null
  /** Null where every file is stored as it is. */
  readonly packing: Packing | null
  /** The recovery data of the next plan, where any can be made. */
  readonly protection: ProtectionChoice
  /** Its parity discs, where any can be made. */
  readonly parityDiscs: ParityDiscs
  /** The copies of each disc that are wanted; null where no number is. */
  readonly copies: number | null
  /** Fields on the screen whose text is no value: no plan is made until it is one. */
  readonly wrong: readonly TypedField[]
  /** The plan that the next one of the open project adds to; null where there is none. */
  readonly earlier: Earlier | null
  /** The next plan holds everything, also what is on discs of an earlier one. */
  readonly anew: boolean
  /** One disc with the list alone where only names are new. */
  readonly recordNames: boolean
  /** The wishes for the discs of the next plan; paths as they are on the discs. */
  readonly placement: Placement
  /** The wishes before each change of them, the last ones at the end. */
  readonly before: readonly Placement[]
  readonly document: PlanDocument | null
  /** The folder that a plan goes to if the person says nothing else; null until it is known. */
  readonly place: { readonly planId: string; readonly directory: string } | null
  /** Where the shown plan was exported to, null if nowhere yet. */
  readonly exportedTo: string | null
  /** The plan folder that this export replaced, under its new name. */
  readonly setAside: SetAside | null
  /** An export that was refused because the folder is not empty. */
  readonly refusedDirectory: string | null
  readonly selectedVolume: number | null
  /** The page shows everything about the plan, not the figures that decide alone. */
  readonly isDetailed: boolean
}

export type PlanAction =
  | { type: 'media'; media: readonly Medium[] }
  | { type: 'medium'; mediumId: string }
  | { type: 'custom'; size: string; kind: 'custom' | 'folder' }
  | { type: 'prefix'; prefix: string | null }
  | { type: 'packing'; packing: Packing | null }
  | { type: 'joined'; joined: boolean }
  | { type: 'protection'; protection: ProtectionChoice }
  | { type: 'parity'; parityDiscs: ParityDiscs }
  | { type: 'copies'; copies: number | null }
  | { type: 'typed'; field: TypedField; isWrong: boolean }
  | { type: 'earlier'; earlier: Earlier | null }
  | { type: 'anew'; anew: boolean }
  | { type: 'recordNames'; recordNames: boolean }
  /** `isBack`: the last change is taken back. */
  | { type: 'placed'; placement: Placement; isBack?: boolean }
  /** No plan was made of what is wanted: the last change is taken back. */
  | { type: 'notPlanned' }
  /** The plan is made once the running survey has its forecasts. */
  | { type: 'waiting'; isWaiting: boolean }
  | { type: 'loaded'; document: PlanDocument; exportedTo: string | null }
  | { type: 'place'; planId: string; directory: string }
  | { type: 'exported'; planId: string; directory: string; setAside?: SetAside | undefined }
  | { type: 'refused'; directory: string | null }
  | { type: 'volume'; index: number | null }
  | { type: 'detailed'; isDetailed: boolean }
  /** Another archive: its plan and settings begin anew, on the usual medium. */
  | { type: 'emptied'; mediumId: string }

export const initialPlan: PlanState = {
  isWaiting: false,
  media: [],
  mediumId: '',
  customSize: '',
  customKind: 'custom',
  labelPrefix: null,
  packing: null,
  protection: 'fill',
  parityDiscs: 0,
  copies: null,
  wrong: [],
  earlier: null,
  anew: false,
  recordNames: false,
  placement: {},
  before: [],
  document: null,
  place: null,
  exportedTo: null,
  setAside: null,
  refusedDirectory: null,
  selectedVolume: null,
  isDetailed: false,
}

export function reducePlan(state: PlanState, action: PlanAction): PlanState {
  switch (action.type) {
    case 'media':
      return { ...state, media: action.media }
    case 'medium':
      return { ...state, ...mediumOf(action.mediumId), ...otherDiscs(state, action.mediumId) }
    case 'custom': {
      const mediumId = `${action.kind}:${typedNumbers(action.size).replace(/\s+/g, '')}`
      return {
        ...state,
        ...otherDiscs(state, mediumId),
        customSize: action.size,
        customKind: action.kind,
        mediumId,
      }
    }
    case 'prefix':
      return { ...state, labelPrefix: action.prefix }
    case 'packing':
      return { ...state, packing: action.packing }
    case 'joined':
      return state.packing === null
        ? state
        : { ...state, packing: { ...state.packing, joined: action.joined } }
    case 'protection':
      return { ...state, protection: action.protection }
    case 'parity':
      return { ...state, parityDiscs: action.parityDiscs }
    case 'copies':
      return { ...state, copies: action.copies }
    case 'typed': {
      const others = state.wrong.filter((field) => field !== action.field)
      return { ...state, wrong: action.isWrong ? [...others, action.field] : others }
    }
    case 'earlier':
      return {
        ...state,
        earlier: action.earlier,
        anew: isAnew(state.document, action.earlier, action.earlier === null ? false : state.anew),
        recordNames: false,
      }
    case 'anew':
      return { ...state, anew: action.anew }
    case 'recordNames':
      return { ...state, recordNames: action.recordNames }
    case 'placed':
      return {
        ...state,
        placement: action.placement,
        before: action.isBack ? state.before.slice(0, -1) : [...state.before, state.placement],
      }
    case 'notPlanned': {
      // Without a plan, or for other settings than its own, there is nothing to go back to.
      const made = state.document && isMadeFor(state) ? placementOf(state.document) : state.placement
      if (isSamePlacement(made, state.placement)) return state
      return { ...state, placement: made, before: state.before.slice(0, -1) }
    }
    case 'loaded': {
      const placement = placementOf(action.document)
      const isAsked = isSamePlacement(placement, state.placement)
      return {
        ...state,
        ...mediumOf(action.document.medium.id),
        packing: packingOf(action.document, state.packing),
        protection: protectionChosen(action.document, state.protection),
        parityDiscs: parityChosen(action.document, state.parityDiscs),
        copies: action.document.copies ?? null,
        anew: isAnew(action.document, state.earlier, state.anew),
        placement,
        before: isAsked ? state.before : [],
        document: action.document,
        exportedTo: action.exportedTo,
        setAside: null,
        refusedDirectory: null,
        selectedVolume: selectedOf(action.document, state),
      }
    }
    case 'place':
      return { ...state, place: { planId: action.planId, directory: action.directory } }
    case 'exported':
      return state.document?.id === action.planId
        ? {
            ...state,
            exportedTo: action.directory,
            setAside: action.setAside ?? null,
            refusedDirectory: null,
          }
        : state
    case 'refused':
      return { ...state, refusedDirectory: action.directory }
    case 'volume':
      return { ...state, selectedVolume: action.index }
    case 'detailed':
      return { ...state, isDetailed: action.isDetailed }
    case 'waiting':
      return { ...state, isWaiting: action.isWaiting }
    case 'emptied':
      return { ...initialPlan, media: state.media, mediumId: action.mediumId }
  }
}

/** Pins and labels name discs of one medium. */
function otherDiscs({ mediumId, placement, before }: PlanState, next: string): Partial<PlanState> {
  return next === mediumId ? { placement, before } : { placement: ofOtherDiscs(placement), before: [] }
}

/** True when the shown plan is for the medium and the archives that are chosen. */
function isMadeFor(state: PlanState): boolean {
  const { document, mediumId, packing } = state
  return (
    document !== null &&
    document.medium.id === mediumId &&
    isPackedSo(document, packing) &&
    document.protection === protectionAsked(state) &&
    (document.protectSet ?? 0) === parityAsked(state) &&
    isWantedSo(document, state) &&
    isGrownSo(document, state)
  )
}

/** A plan that was built and is added to keeps its number of copies. */
function isWantedSo({ id, copies }: PlanDocument, state: PlanState): boolean {
  return (copies ?? null) === state.copies || state.earlier?.planId === id
}

/** True when the shown plan is for everything that is chosen. */
export function isAsChosen(state: PlanState): boolean {
  return (
    isMadeFor(state) &&
    state.document !== null &&
    isSamePlacement(placementOf(state.document), state.placement)
  )
}

/** The disc that stays selected when a plan of the same discs is made again; else the first one. */
function selectedOf(document: PlanDocument, { document: before, selectedVolume }: PlanState): number | null {
  const isSame = before?.surveyId === document.surveyId && before.medium.id === document.medium.id
  const kept = isSame ? document.volumes.find(({ index }) => index === selectedVolume) : undefined
  return (kept ?? document.volumes[0])?.index ?? null
}

/** A plan's medium is the chosen one, its own size typed in. */
function mediumOf(mediumId: string): Partial<PlanState> {
  const own = /^(custom|folder):(.+)$/.exec(mediumId)
  return own
    ? { mediumId, customKind: own[1] === 'folder' ? 'folder' : 'custom', customSize: own[2] as string }
    : { mediumId }
}

/** The permanent name of plain files of which identical ones are stored once. */
export const IDENTICAL_ONCE = 'plain-hardlinks'

/** The packing of an option; null where it stores every file as it is. */
export function packingBy(
  { variant, name, encryption, estimate, plan }: Option,
  surveyId: string,
): Packing | null {
  if (plan.form === null || (plan.form === 'plain' && variant !== IDENTICAL_ONCE)) return null
  const { bytes } = estimate
  return { recipe: variant, name, form: plan.form, encryption, joined: false, bytes, surveyId }
}

/** The packing of a plan; its words are those of the option it was made with. */
function packingOf(document: PlanDocument, chosen: Packing | null): Packing | null {
  const { packing, equalFiles, totals, surveyId } = document
  if (equalFiles) {
    const bytes = exact(totals.bytes, '')
    const plain = { name: null, form: 'plain', encryption: 'none', joined: false } as const
    return { recipe: IDENTICAL_ONCE, ...plain, bytes, surveyId }
  }
  if (!packing) return null
  const { recipe, encryption, arrangement, bytes } = packing
  const { name, form } = chosen?.recipe === recipe ? chosen : { name: null, form: null }
  return { recipe, name, form, encryption, joined: arrangement === 'joined', bytes, surveyId }
}

/** True when a plan packs files as chosen. */
export function isPackedSo(document: PlanDocument, chosen: Packing | null): boolean {
  const made = packingOf(document, chosen)
  if (made === null || chosen === null) return made === chosen
  return (
    made.recipe === chosen.recipe && made.encryption === chosen.encryption && made.joined === chosen.joined
  )
}

/**
 * ISO 9660 allows A-Z, 0-9 and _ in a volume's name; with `_01` behind it 24 characters are left.
 */
export const LABEL_PREFIX = /^[A-Z0-9_]{1,24}$/
