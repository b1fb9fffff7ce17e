import type {
  BandEncryption,
  BandKind,
  BandSweepDocument,
  BandSweepListItem,
  BandSweepLive,
  BandSweepPoint,
  BandSweepPreview,
  BandSweepRequest,
  SweepOperation,
} from '../../../../../src/contract/dto/bands'
import type { WireError } from '../../../../../src/primitives/appError'
import { typedSize } from '../../../components/typedSize'

/** The settings of a sweep. */
export interface BandsForm {
  /** A folder chosen to be written in. */
  readonly place: string | null
  readonly sizes: string
  readonly kinds: readonly BandKind[]
  readonly encryptions: readonly BandEncryption[]
  readonly fullSize: string
  readonly budget: string
}

export interface BandsState {
  /** The view of the Measure step: the disk or the band sizes. */
  readonly view: 'disk' | 'bands'
  readonly form: BandsForm
  readonly preview: BandSweepPreview | null
  readonly problem: WireError | null
  /** The person agreed to writing a large share of the device. */
  readonly agreed: boolean
  readonly live: BandSweepLive | null
  readonly document: BandSweepDocument | null
  readonly list: readonly BandSweepListItem[]
}

export type BandsAction =
  | { type: 'view'; view: BandsState['view'] }
  | { type: 'set'; form: Partial<BandsForm> }
  | { type: 'previewed'; preview: BandSweepPreview }
  | { type: 'problem'; problem: WireError }
  | { type: 'agreed'; agreed: boolean }
  | { type: 'started' }
  | { type: 'live'; live: BandSweepLive }
  | { type: 'ended' }
  | { type: 'loaded'; document: BandSweepDocument }
  | { type: 'listed'; list: readonly BandSweepListItem[] }

export const initialBands: BandsState = {
  view: 'disk',
  form: { place: null, sizes: '', kinds: ['UDSB'], encryptions: [null], fullSize: '', budget: '' },
  preview: null,
  problem: null,
  agreed: false,
  live: null,
  document: null,
  list: [],
}

export function reduceBands(state: BandsState, action: BandsAction): BandsState {
  switch (action.type) {
    case 'view':
      return { ...state, view: action.view }
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
    case 'live':
      return { ...state, live: action.live }
    case 'loaded':
      return { ...state, document: action.document, live: null }
    case 'listed':
      return { ...state, list: action.list }
  }
}

const DEFAULT_FULL_BYTES = 1e12
const DEFAULT_BUDGET_BYTES = 43e9
const LEAST_BAND_BYTES = 1024 * 1024
const MOST_BAND_BYTES = 8192 * 1024 * 1024

/**
 * Reads a typed list of band sizes: null for the usual ones, undefined where it is no such list.
 */
export function bandSizesOf(text: string): number[] | null | undefined {
  const words = text.split(/[,;\s]+(?=[0-9])|,/).filter((word) => word.trim() !== '')
  if (words.length === 0) return null
  const sizes: number[] = []
  for (const word of words) {
    const bytes = typedSize(word)
    if (bytes == null || bytes < LEAST_BAND_BYTES || bytes > MOST_BAND_BYTES) return undefined
    sizes.push(bytes)
  }
  return sizes.length > 24 ? undefined : sizes
}

/** The request of the form; null while something is missing or wrong. */
export function sweepRequestOf(form: BandsForm): BandSweepRequest | null {
  const { place, kinds, encryptions } = form
  const [bandSizes, full, budget] = [
    bandSizesOf(form.sizes),
    typedSize(form.fullSize),
    typedSize(form.budget),
  ]
  if (place === null || kinds.length === 0 || encryptions.length === 0) return null
  if (bandSizes === undefined || full === undefined || budget === undefined) return null
  if (full !== null && full < LEAST_BAND_BYTES) return null
  return {
    directory: place,
    bandSizes,
    kinds: [...kinds],
    encryptions: [...encryptions],
    fullBytes: full ?? DEFAULT_FULL_BYTES,
    budgetBytes: budget ?? DEFAULT_BUDGET_BYTES,
    repeats: null,
    requestBytes: 1024 * 1024,
    seed: 1,
    through: 'native',
  }
}

/** Points that are drawn together: one kind of container, one encryption, with bands. */
export interface PointGroup {
  readonly key: string
  readonly kind: BandKind
  readonly encryption: BandEncryption
  readonly points: readonly (BandSweepPoint & { readonly bandSize: number })[]
}

export function pointGroups(points: readonly BandSweepPoint[]): PointGroup[] {
  const groups = new Map<string, PointGroup>()
  for (const point of points) {
    const { kind, encryption, bandSize } = point
    if (bandSize === null) continue
    const key = `${kind} ${encryption ?? 'none'}`
    const own = groups.get(key)?.points ?? []
    groups.set(key, { key, kind, encryption, points: [...own, { ...point, bandSize }] })
  }
  return [...groups.values()]
}

export const DRAWN_OPERATIONS: readonly SweepOperation[] = ['write', 'read', 'stream']
