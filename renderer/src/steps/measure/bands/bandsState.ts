import {
  type BandEncryption,
  type BandKind,
  type BandSweepDocument,
  type BandSweepListItem,
  type BandSweepLive,
  type BandSweepPoint,
  type BandSweepPreview,
  type BandSweepRequest,
  bandSweepRequestSchema,
  type SweepOperation,
} from '../../../../../src/contract/dto/bands'
import { typedSize } from '../../../components/typedSize'
import {
  initialTimed,
  type MeasurePlace,
  reduceTimed,
  type TimedAction,
  type TimedState,
} from '../timedState'

/** The settings of a sweep. */
export interface BandsForm {
  /** A folder chosen to be written in. */
  readonly place: MeasurePlace | null
  readonly sizes: string
  readonly kinds: readonly BandKind[]
  readonly encryptions: readonly BandEncryption[]
  readonly fullSize: string
  readonly budget: string
}

export interface BandsTypes {
  readonly form: BandsForm
  readonly request: BandSweepRequest
  readonly preview: BandSweepPreview
  readonly live: BandSweepLive
  readonly document: BandSweepDocument
  readonly item: BandSweepListItem
}

export interface BandsState extends TimedState<BandsTypes> {
  /** The view of the Measure step: the disk or the band sizes. */
  readonly view: 'disk' | 'bands'
}

type BandsAction =
  | TimedAction<BandsTypes>
  | { type: 'view'; view: BandsState['view'] }
  | { type: 'live'; live: BandSweepLive }

export const initialBands: BandsState = {
  ...initialTimed<BandsTypes>({
    place: null,
    sizes: '',
    kinds: ['UDSB'],
    encryptions: [null],
    fullSize: '',
    budget: '',
  }),
  view: 'disk',
}

export function reduceBands(state: BandsState, action: BandsAction): BandsState {
  if (action.type === 'view') return { ...state, view: action.view }
  if (action.type === 'live') return { ...state, live: action.live }
  return reduceTimed(state, action)
}

/**
 * Reads a typed list of band sizes: null for the usual ones, undefined where it is no such list.
 */
export function bandSizesOf(text: string): number[] | null | undefined {
  const words = text.split(/[,;\s]+(?=[0-9])|,/).filter((word) => word.trim() !== '')
  const sizes = words.length === 0 ? null : words.map((word) => typedSize(word) ?? 0)
  return bandSweepRequestSchema.shape.bandSizes.safeParse(sizes).success ? sizes : undefined
}

/** The request of the form; null while something is missing or wrong. */
export function sweepRequestOf({ place, ...form }: BandsForm): BandSweepRequest | null {
  const [full, budget] = [typedSize(form.fullSize), typedSize(form.budget)]
  const bandSizes = bandSizesOf(form.sizes)
  if (place === null || bandSizes === undefined || full === undefined || budget === undefined) return null
  const { kinds, encryptions } = form
  const asked = { directory: place.path, bandSizes, kinds, encryptions }
  const sizes = { ...(full && { fullBytes: full }), ...(budget && { budgetBytes: budget }) }
  return bandSweepRequestSchema.safeParse({ ...asked, ...sizes }).data ?? null
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
