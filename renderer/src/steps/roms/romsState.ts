import type { RomLayout, RomSetState, RomsDocument, RomsRequest } from '../../../../src/contract/dto/roms'
import { samePaths } from '../../state/source/sourcesState'

export const ROMS_VIEWS = ['sets', 'missing', 'files', 'dats'] as const
export type RomsView = (typeof ROMS_VIEWS)[number]

/** The files and DATs that are compared. */
export interface RomsForm {
  readonly paths: readonly string[]
  readonly dats: readonly string[]
  /** Null: as each DAT asks for. */
  readonly layout: RomLayout | null
}

/** The rows of the result that are shown. */
export interface RomsFilter {
  readonly state: RomSetState | 'all'
  readonly file: FileFilter
  /** The place of a DAT in the document; null for all. */
  readonly dat: number | null
  readonly pattern: string
}

/** `other`: all but those in their place. */
export type FileFilter = 'all' | 'other' | RomsDocument['files'][number]['state']

export interface RomsState {
  readonly form: RomsForm
  readonly document: RomsDocument | null
  /** The form that the document was asked with. */
  readonly compared: RomsForm | null
  /** The form of the running comparison. */
  readonly asked: RomsForm | null
  readonly view: RomsView
  readonly filter: RomsFilter
  /** The place of the ROM set that is unfolded. */
  readonly unfolded: number | null
}

type RomsAction =
  | { type: 'form'; form: Partial<RomsForm> }
  | { type: 'asked'; form: RomsForm }
  | { type: 'compared'; document: RomsDocument }
  | { type: 'ended' }
  | { type: 'view'; view: RomsView }
  | { type: 'filter'; filter: Partial<RomsFilter> }
  | { type: 'unfold'; at: number | null }

const WHOLE: RomsFilter = { state: 'all', file: 'other', dat: null, pattern: '' }

export const initialRoms: RomsState = {
  form: { paths: [], dats: [], layout: null },
  document: null,
  compared: null,
  asked: null,
  view: 'sets',
  filter: WHOLE,
  unfolded: null,
}

/** The last result stays until the next one is there. */
export function reduceRoms(state: RomsState, action: RomsAction): RomsState {
  switch (action.type) {
    case 'form': {
      const { paths, dats, layout } = { ...state.form, ...action.form }
      return { ...state, form: { paths: [...new Set(paths)], dats: [...new Set(dats)], layout } }
    }
    case 'asked':
      return { ...state, asked: action.form }
    case 'compared':
      return {
        ...state,
        document: action.document,
        compared: state.asked ?? state.form,
        asked: null,
        filter: { ...WHOLE, state: state.filter.state },
        unfolded: null,
      }
    case 'ended':
      return { ...state, asked: null }
    case 'view':
      return { ...state, view: action.view }
    case 'filter':
      return { ...state, filter: { ...state.filter, ...action.filter }, unfolded: null }
    case 'unfold':
      return { ...state, unfolded: action.at }
  }
}

/** The request of a form; null while folders or DATs are missing. */
export function romsRequestOf({
  paths,
  dats,
  layout,
}: RomsForm): Pick<RomsRequest, 'paths' | 'dats' | 'layout'> | null {
  if (paths.length === 0 || dats.length === 0) return null
  return { paths: [...paths], dats: [...dats], ...(layout && { layout }) }
}

/** True when the form has changed since the result that is shown. */
export function isOutdated({ document, compared, form }: RomsState): boolean {
  if (document === null || compared === null) return false
  return (
    compared.layout !== form.layout ||
    !samePaths(compared.paths, form.paths) ||
    !samePaths(compared.dats, form.dats)
  )
}

const DAT_ENDING = /\.(?:dat|xml)$/i
/** Packs of DATs as their publishers name them; other zips may be ROM sets. */
const DAT_PACK = /\b(?:dats?|datfiles?|dat[ _-]?pack|love pack)\b.*\.zip$/i

/** True for a file that is a DAT, or a pack of them, by its name. */
export function isDatName(name: string): boolean {
  return DAT_ENDING.test(name) || DAT_PACK.test(name)
}
