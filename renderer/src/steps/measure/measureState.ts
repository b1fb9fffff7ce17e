import type { BandEncryption, BandKind } from '../../../../src/contract/dto/bands'
import {
  MEASURE_PRESETS,
  type MeasureComparison,
  type MeasuredCodec,
  type MeasureLive,
  type MeasurementDocument,
  type MeasurementListItem,
  type MeasurePreset,
  type MeasurePreview,
  type MeasureRequest,
  type MeasureSample,
  type MixedOperation,
  measureRequestSchema,
  ownTestSchema,
  sizeEnds,
} from '../../../../src/contract/dto/measure'
import { typedSize } from '../../components/typedSize'
import { initialTimed, type MeasurePlace, reduceTimed, type TimedAction, type TimedState } from './timedState'

export type SpecKind = MeasurePreset | 'survey' | 'again' | 'own'

/** The settings of a measurement. */
export interface MeasureForm {
  readonly place: MeasurePlace | null
  readonly spec: SpecKind
  /** A test of one's own: sizes and numbers as they are typed. */
  readonly size: string
  readonly count: string
  readonly mix: readonly MixedOperation[]
  readonly depth: string
  /** The codec between reading and writing. */
  readonly codec: MeasuredCodec | null
  /** The measurement whose specification is used again. */
  readonly again: { readonly id: string; readonly name: string } | null
  readonly budget: string
  readonly cache: 'spec' | 'uncached' | 'buffered'
  readonly readOnly: boolean
  /** The subject of the measurement: the disk itself, or a container on it. */
  readonly inside: 'disk' | BandKind | 'all'
  readonly encryption: BandEncryption
}

/** The known part of a running measurement. */
export interface RunningMeasurement extends Omit<MeasureLive, 'jobId' | 'samples'> {
  readonly samples: readonly MeasureSample[]
}

export interface MeasureTypes {
  readonly form: MeasureForm
  readonly request: MeasureRequest
  readonly preview: MeasurePreview
  readonly live: RunningMeasurement
  readonly document: MeasurementDocument
  readonly item: MeasurementListItem
}

export interface MeasureState extends TimedState<MeasureTypes> {
  /** The measurement under the shown one. */
  readonly other: { readonly document: MeasurementDocument; readonly comparison: MeasureComparison } | null
}

export type MeasureAction =
  | TimedAction<MeasureTypes>
  | { type: 'live'; live: MeasureLive }
  | { type: 'compared'; other: MeasureState['other'] }

export const initialMeasure: MeasureState = {
  ...initialTimed<MeasureTypes>({
    place: null,
    spec: 'quick',
    size: '',
    count: '',
    mix: ['write', 'read'],
    depth: '',
    codec: null,
    again: null,
    budget: '',
    cache: 'spec',
    readOnly: false,
    inside: 'disk',
    encryption: null,
  }),
  other: null,
}

/** Samples kept while a measurement runs; the whole of them comes with its document. */
const MOST_LIVE = 6000

export function reduceMeasure(state: MeasureState, action: MeasureAction): MeasureState {
  switch (action.type) {
    case 'set': {
      const place = action.form.place === undefined ? state.form.place : action.form.place
      const asked = action.form.readOnly
      // A place that may not be written to can only be read from; leaving it takes that back.
      const left = state.form.place?.mayWrite === false && action.form.place !== undefined
      const readOnly = place?.mayWrite === false || (left ? (asked ?? false) : (asked ?? state.form.readOnly))
      return reduceTimed<MeasureTypes, MeasureState>(state, {
        type: 'set',
        form: { ...action.form, readOnly },
      })
    }
    case 'started':
      return { ...reduceTimed(state, action), other: null }
    case 'live': {
      const { jobId: _, samples, ...figures } = action.live
      return {
        ...state,
        live: { ...figures, samples: thinned([...(state.live?.samples ?? []), ...samples]) },
      }
    }
    case 'loaded': {
      const other = state.other?.document.id === action.document.id ? null : state.other
      return { ...reduceTimed(state, action), other }
    }
    case 'compared':
      return { ...state, other: action.other }
    default:
      return reduceTimed(state, action)
  }
}

/** Above the limit every second sample goes, but for outliers. */
function thinned(samples: readonly MeasureSample[]): readonly MeasureSample[] {
  if (samples.length <= MOST_LIVE) return samples
  return samples.filter(({ mark }, index) => mark !== null || index % 2 === 0)
}

/** The request of the form; null while something is missing or wrong. */
export function requestOf(form: MeasureForm, surveyId: string | null): MeasureRequest | null {
  const spec = specOf(form, surveyId)
  const budgetBytes = typedSize(form.budget)
  if (form.place === null || spec === null || budgetBytes === undefined) return null
  const asked = {
    directory: form.place.path,
    spec,
    budgetBytes,
    cache: form.cache === 'spec' ? null : form.cache,
    depth: typedNumber(form.depth) ?? null,
    codec: form.readOnly || form.inside !== 'disk' ? null : form.codec,
    readOnly: form.readOnly,
    container: containerOf(form),
  }
  return measureRequestSchema.safeParse(asked).data ?? null
}

/** A typed whole number: undefined for nothing, NaN where it is none. */
function typedNumber(text: string): number | undefined {
  const typed = text.trim()
  if (typed === '') return undefined
  return /^\d+$/.test(typed) ? Number(typed) : Number.NaN
}

/** The fields of a test of one's own that are wrong. */
export function wrongFields(form: MeasureForm): ReadonlySet<'size' | 'count' | 'mix'> {
  const { error } = ownTestSchema.safeParse(testOf(form))
  const fields = { from: 'size', to: 'size', count: 'count', mix: 'mix' } as const
  return new Set(error?.issues.flatMap(({ path }) => fields[path[0] as keyof typeof fields] ?? []))
}

export function isDepth(text: string): boolean {
  return measureRequestSchema.shape.depth.safeParse(typedNumber(text) ?? null).success
}

function testOf({ size, count, mix }: MeasureForm): object {
  const [from, to] = size.trim() === '' ? [] : sizeEnds(size).map((end) => typedSize(end) ?? 0)
  return { from, to, count: typedNumber(count), mix }
}

/** The containers of the form; read-only measurements are of the disk itself. */
function containerOf({ inside, encryption, readOnly }: MeasureForm): MeasureRequest['container'] {
  if (inside === 'disk' || readOnly) return null
  return inside === 'all' ? { kind: inside, encryption: encryption ?? 256 } : { kind: inside, encryption }
}

function specOf(form: MeasureForm, surveyId: string | null): object | null {
  const { spec, again } = form
  switch (spec) {
    case 'survey':
      return surveyId === null ? null : { kind: 'survey', surveyId }
    case 'again':
      return again === null ? null : { kind: 'again', measurementId: again.id }
    case 'own':
      return { kind: 'own', test: testOf(form) }
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
