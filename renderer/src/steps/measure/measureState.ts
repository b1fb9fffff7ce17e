import type { BandEncryption, BandKind } from '../../../../src/contract/dto/bands'
import {
  MEASURE_PRESETS,
  type MeasureComparison,
  type MeasureLive,
  type MeasurementDocument,
  type MeasurementListItem,
  type MeasurePreset,
  type MeasurePreview,
  type MeasureRequest,
  type MeasureSample,
  type SpecSource,
} from '../../../../src/contract/dto/measure'
import type { WireError } from '../../../../src/primitives/appError'
import { typedSize } from '../../components/typedSize'

/** A folder that can be measured. What was only handed over to be read is never written to. */
export interface MeasurePlace {
  readonly path: string
  readonly mayWrite: boolean
}

export type SpecKind = MeasurePreset | 'survey' | 'again' | 'own'

/** The settings of a measurement. */
export interface MeasureForm {
  readonly place: MeasurePlace | null
  readonly spec: SpecKind
  readonly ownText: string
  /** The measurement whose specification is used again. */
  readonly again: { readonly id: string; readonly name: string } | null
  readonly budget: string
  readonly cache: 'spec' | 'uncached' | 'buffered'
  readonly readOnly: boolean
  /** The subject of the measurement: the disk itself, or a container on it. */
  readonly inside: 'disk' | BandKind
  readonly encryption: BandEncryption
}

/** The known part of a running measurement. */
export interface RunningMeasurement extends Omit<MeasureLive, 'jobId' | 'samples'> {
  readonly samples: readonly MeasureSample[]
}

export interface MeasureState {
  readonly form: MeasureForm
  /** The preview of the current form; null while it is not known. */
  readonly preview: MeasurePreview | null
  /** Why there is no preview, where the specification or the folder is to blame. */
  readonly problem: WireError | null
  /** The person agreed to writing a large share of the device. */
  readonly agreed: boolean
  readonly live: RunningMeasurement | null
  readonly document: MeasurementDocument | null
  /** The measurement under the shown one. */
  readonly other: { readonly document: MeasurementDocument; readonly comparison: MeasureComparison } | null
  /** Newest first. */
  readonly list: readonly MeasurementListItem[]
}

export type MeasureAction =
  | { type: 'set'; form: Partial<MeasureForm> }
  | { type: 'previewed'; preview: MeasurePreview }
  | { type: 'problem'; problem: WireError }
  | { type: 'agreed'; agreed: boolean }
  | { type: 'started' }
  | { type: 'live'; live: MeasureLive }
  | { type: 'ended' }
  | { type: 'loaded'; document: MeasurementDocument }
  | { type: 'compared'; other: MeasureState['other'] }
  | { type: 'listed'; list: readonly MeasurementListItem[] }

export const initialMeasure: MeasureState = {
  form: {
    place: null,
    spec: 'quick',
    ownText: '',
    again: null,
    budget: '',
    cache: 'spec',
    readOnly: false,
    inside: 'disk',
    encryption: null,
  },
  preview: null,
  problem: null,
  agreed: false,
  live: null,
  document: null,
  other: null,
  list: [],
}

/** Samples kept while a measurement runs; the whole of them comes with its document. */
const MOST_LIVE = 6000

export function reduceMeasure(state: MeasureState, action: MeasureAction): MeasureState {
  switch (action.type) {
    case 'set': {
      const form = { ...state.form, ...action.form }
      // A place that may not be written to can only be read from; leaving it takes that back.
      const left = state.form.place?.mayWrite === false && action.form.place !== undefined
      const readOnly =
        form.place?.mayWrite === false || (left ? (action.form.readOnly ?? false) : form.readOnly)
      return { ...state, form: { ...form, readOnly }, preview: null, problem: null, agreed: false }
    }
    case 'previewed':
      return { ...state, preview: action.preview, problem: null }
    case 'problem':
      return { ...state, preview: null, problem: action.problem }
    case 'agreed':
      return { ...state, agreed: action.agreed }
    case 'started':
      return { ...state, live: null, other: null }
    case 'live': {
      const { jobId: _, samples, ...figures } = action.live
      return {
        ...state,
        live: { ...figures, samples: thinned([...(state.live?.samples ?? []), ...samples]) },
      }
    }
    case 'ended':
      return { ...state, live: null }
    case 'loaded': {
      const other = state.other?.document.id === action.document.id ? null : state.other
      return { ...state, document: action.document, live: null, other, agreed: false }
    }
    case 'compared':
      return { ...state, other: action.other }
    case 'listed':
      return { ...state, list: action.list }
  }
}

/** Above the limit every second sample goes, but for outliers. */
function thinned(samples: readonly MeasureSample[]): readonly MeasureSample[] {
  if (samples.length <= MOST_LIVE) return samples
  return samples.filter(({ mark }, index) => mark !== null || index % 2 === 0)
}

/** In front of the engine's complaints about a specification of one's own. */
export const OWN_SPEC_NAME = 'specification'

/** The request of the form; null while something is missing or wrong. */
export function requestOf(form: MeasureForm, surveyId: string | null): MeasureRequest | null {
  const spec = specOf(form, surveyId)
  const budgetBytes = typedSize(form.budget)
  if (form.place === null || spec === null || budgetBytes === undefined) return null
  return {
    directory: form.place.path,
    spec,
    budgetBytes,
    cache: form.cache === 'spec' ? null : form.cache,
    readOnly: form.readOnly,
    container: containerOf(form),
  }
}

/** The container of the form; read-only measurements are of the disk itself. */
function containerOf({ inside, encryption, readOnly }: MeasureForm): MeasureRequest['container'] {
  return inside === 'disk' || readOnly ? null : { kind: inside, encryption }
}

function specOf({ spec, ownText, again }: MeasureForm, surveyId: string | null): SpecSource | null {
  switch (spec) {
    case 'survey':
      return surveyId === null ? null : { kind: 'survey', surveyId }
    case 'again':
      return again === null ? null : { kind: 'again', measurementId: again.id }
    case 'own':
      return ownText.trim() === '' ? null : { kind: 'text', text: ownText, name: OWN_SPEC_NAME }
    default:
      return { kind: 'preset', preset: spec }
  }
}

/** The specifications that can be chosen now, in this order. */
export function specKinds(form: MeasureForm, hasSurvey: boolean): SpecKind[] {
  return [
    ...MEASURE_PRESETS,
    ...(hasSurvey ? (['survey'] as const) : []),
    ...(form.again === null ? [] : (['again'] as const)),
    'own',
  ]
}

/** One thing wrong with a specification; `line` counts from 1, null where the engine names none. */
export interface SpecProblem {
  readonly line: number | null
  readonly column: number | null
  readonly text: string
}

/**
 * The engine's one line (`specification:2:3: sizes: …; specification:5:1: …`) as one problem a
 * line.
 */
export function specProblems(message: string): SpecProblem[] {
  const parts = message.split(new RegExp(`(?:^|; )(?=${OWN_SPEC_NAME}:\\d+:\\d+: )`))
  return parts
    .filter((part) => part !== '')
    .map((part) => {
      const place = new RegExp(`^${OWN_SPEC_NAME}:(\\d+):(\\d+): (.*)$`, 's').exec(part)
      return place
        ? { line: Number(place[1]), column: Number(place[2]), text: place[3] as string }
        : { line: null, column: null, text: part }
    })
}

/** Above this share of the device's capacity a person is asked first. */
const MUCH_OF_CAPACITY = 0.05

/** True when the preview of a measurement or a sweep needs agreement. */
export function needsAgreement(preview: {
  readonly readOnly?: boolean
  readonly shareOfCapacity: number | null
}): boolean {
  return !preview.readOnly && (preview.shareOfCapacity ?? 0) > MUCH_OF_CAPACITY
}
