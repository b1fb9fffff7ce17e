import type { DevicePreview } from '../../../../src/contract/dto/measure'
import type { WireError } from '../../../../src/primitives/appError'

/** A folder that can be measured. What was only handed over to be read is never written to. */
export interface MeasurePlace {
  readonly path: string
  readonly mayWrite: boolean
}

/** The types of a thing that is timed: the disk, or band sizes on it. */
export interface Timed {
  readonly form: { readonly place: MeasurePlace | null }
  readonly request: object
  readonly preview: DevicePreview & { readonly readOnly?: boolean }
  readonly live: unknown
  readonly document: { readonly id: string }
  readonly item: unknown
}

/** The state that a measurement and a sweep share. */
export interface TimedState<T extends Timed> {
  readonly form: T['form']
  /** The preview of the current form; null while it is not known. */
  readonly preview: T['preview'] | null
  /** Why there is no preview, where the form or the folder is to blame. */
  readonly problem: WireError | null
  /** The person agreed to writing a large share of the device. */
  readonly agreed: boolean
  readonly live: T['live'] | null
  readonly document: T['document'] | null
  /** Newest first. */
  readonly list: readonly T['item'][]
}

export type TimedAction<T extends Timed> =
  | { type: 'set'; form: Partial<T['form']> }
  | { type: 'previewed'; preview: T['preview'] }
  | { type: 'problem'; problem: WireError }
  | { type: 'agreed'; agreed: boolean }
  | { type: 'started' }
  | { type: 'ended' }
  | { type: 'loaded'; document: T['document'] }
  | { type: 'listed'; list: readonly T['item'][] }

export function initialTimed<T extends Timed>(form: T['form']): TimedState<T> {
  return { form, preview: null, problem: null, agreed: false, live: null, document: null, list: [] }
}

export function reduceTimed<T extends Timed, S extends TimedState<T>>(state: S, action: TimedAction<T>): S {
  switch (action.type) {
    case 'set':
      return {
        ...state,
        form: { ...state.form, ...action.form },
        preview: null,
        problem: null,
        agreed: false,
      }
    case 'previewed':
      return { ...state, preview: action.preview, problem: null }
    case 'problem':
      return { ...state, preview: null, problem: action.problem }
    case 'agreed':
      return { ...state, agreed: action.agreed }
    case 'started':
    case 'ended':
      return { ...state, live: null }
    case 'loaded':
      return { ...state, document: action.document, live: null, agreed: false }
    case 'listed':
      return { ...state, list: action.list }
  }
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
