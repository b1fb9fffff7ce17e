import type {
  BandChoice,
  ImageCatalogue,
  ImageDocument,
  ImageKind,
  ImagePlan,
  ImageResult,
  ImageSettings,
  ImageVerify,
} from '../../../../src/contract/dto/image'
import { typedSize } from '../../components/typedSize'

export type KeyBits = 128 | 256 | null

/** The actions on an existing image. */
const IMAGE_VERBS = ['verify', 'convert', 'resize', 'compact', 'reband', 'changePassword'] as const
export type ImageVerb = (typeof IMAGE_VERBS)[number]

/** The settings of a new image. Passwords stay in their fields, never here. */
export interface NewImageForm {
  readonly kind: ImageKind
  readonly size: string
  /** Empty for what the preset or the format chooses. */
  readonly band: string
  readonly bandDefault: 'usual' | 'fitted'
  readonly keyBits: KeyBits
}

/** The settings for a change of the open image. */
export interface ChangeForm {
  readonly verb: ImageVerb
  readonly sha256: boolean
  readonly kind: ImageKind
  readonly level: 'fast' | 'small'
  /** `same`: encrypted or not, as it is. */
  readonly encryption: 'same' | 'none' | '128' | '256'
  readonly size: string
  readonly band: string
}

export interface ImagesState {
  readonly catalogue: ImageCatalogue | null
  /** `new`: a new image is set up; `open`: an existing one is shown. */
  readonly mode: 'new' | 'open'
  readonly form: NewImageForm
  /** The plan of the current form; null while it is not known. */
  readonly plan: ImagePlan | null
  readonly change: ChangeForm
  readonly image: ImageDocument | null
  /** A dropped image may only be read; one chosen in a dialog may be changed too. */
  readonly mayChange: boolean
  /** The last verification of the image shown. */
  readonly verify: ImageVerify | null
  /** The last job, for the line below the title. */
  readonly did: 'create' | ImageVerb | null
  /** The running job. */
  readonly doing: 'create' | ImageVerb | null
}

export type ImagesAction =
  | { type: 'catalogue'; catalogue: ImageCatalogue }
  | { type: 'mode'; mode: ImagesState['mode'] }
  | { type: 'set'; form: Partial<NewImageForm> }
  | { type: 'planned'; plan: ImagePlan }
  | { type: 'change'; change: Partial<ChangeForm> }
  | { type: 'opened'; image: ImageDocument; mayChange: boolean }
  | { type: 'unlocked'; image: ImageDocument }
  | { type: 'doing'; doing: ImagesState['doing'] }
  | { type: 'result'; result: ImageResult }
  | { type: 'ended' }

const initialChange: ChangeForm = {
  verb: 'verify',
  sha256: false,
  kind: 'UDZO',
  level: 'fast',
  encryption: 'same',
  size: '',
  band: '',
}

export const initialImages: ImagesState = {
  catalogue: null,
  mode: 'new',
  form: { kind: 'UDSB', size: '100GB', band: '', bandDefault: 'fitted', keyBits: null },
  plan: null,
  change: initialChange,
  image: null,
  mayChange: false,
  verify: null,
  did: null,
  doing: null,
}

export function reduceImages(state: ImagesState, action: ImagesAction): ImagesState {
  switch (action.type) {
    case 'catalogue':
      return { ...state, catalogue: action.catalogue }
    case 'mode':
      return { ...state, mode: action.mode }
    case 'set':
      return { ...state, form: { ...state.form, ...action.form }, plan: null }
    case 'planned':
      return { ...state, plan: action.plan }
    case 'change':
      return { ...state, change: { ...state.change, ...action.change } }
    case 'opened':
      return {
        ...state,
        mode: 'open',
        image: action.image,
        mayChange: action.mayChange,
        verify: null,
        did: null,
        change: { ...initialChange, kind: firstTarget(action.image) },
      }
    case 'unlocked':
      return { ...state, image: action.image }
    case 'doing':
      return { ...state, doing: action.doing }
    case 'result': {
      const { image, verify } = action.result
      const isOther = image.path !== state.image?.path
      return {
        ...state,
        mode: 'open',
        image,
        // The result is where the person chose.
        mayChange: isOther || state.mayChange,
        verify: verify ?? (isOther ? null : state.verify),
        did: state.doing,
        doing: null,
        change: isOther
          ? { ...initialChange, kind: firstTarget(image) }
          : { ...state.change, size: '', band: '' },
      }
    }
    case 'ended':
      return { ...state, doing: null }
  }
}

/** The most likely target of a conversion: an image to hand on, or one to change again. */
function firstTarget({ kind }: ImageDocument): ImageKind {
  return kind === 'UDZO' || kind === 'UDIF' ? 'UDSB' : 'UDZO'
}

/** The settings of the form; null while something is missing or no size. */
export function imageSettings(form: NewImageForm): ImageSettings | null {
  const bytes = typedSize(form.size)
  const typed = typedSize(form.band)
  if (bytes === null || bytes === undefined || typed === undefined) return null
  const band: BandChoice = form.kind === 'UDRW' ? 'usual' : (typed ?? form.bandDefault)
  return { kind: form.kind, bytes, band, keyBits: form.keyBits }
}

/** The preset that is just what is set, or null. */
export function presetOf(form: NewImageForm, catalogue: ImageCatalogue | null): string | null {
  const found = catalogue?.presets.find(
    ({ kind, band, keyBits }) =>
      kind === form.kind &&
      keyBits === form.keyBits &&
      form.band === '' &&
      (kind === 'UDRW' || band === form.bandDefault),
  )
  return found?.id ?? null
}

/** The possible actions on an image, in this order. */
export function verbsFor(image: ImageDocument, mayChange: boolean): ImageVerb[] {
  return IMAGE_VERBS.filter((verb) => {
    if (!mayChange && verb !== 'verify' && verb !== 'convert') return false
    if (verb === 'changePassword') return image.encryption !== null
    if (image.locked || verb === 'verify' || verb === 'convert') return !image.locked
    return verb === 'reband' ? image.kind === 'UDSB' : image.writable
  })
}

/**
 * The one image among what was handed over, by its name; null for anything else, which is a source.
 */
export function droppedImage(paths: readonly string[]): string | null {
  const [only, ...more] = paths
  return only !== undefined && more.length === 0 && /\.(dmg|sparseimage|sparsebundle)$/i.test(only)
    ? only
    : null
}

/** `Photos.sparsebundle`: what is suggested for a new image of a kind. */
export function suggestedName(stem: string, kind: ImageKind, catalogue: ImageCatalogue | null): string {
  return `${stem}${catalogue?.kinds.find((entry) => entry.kind === kind)?.extension ?? '.dmg'}`
}

/** The name of an image without its folders and its ending. */
export function stemOf(path: string): string {
  const name = /[^\\/]+(?=[\\/]*$)/.exec(path)?.[0] ?? ''
  return name.replace(/\.(sparsebundle|sparseimage|dmg|img|iso)$/i, '')
}
