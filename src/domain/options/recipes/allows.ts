import type { MediumFacts } from '../facts'
import type { OptionAllows } from '../optionsDocument'
import type { RecipeFamily } from './recipe'
import type { Variant } from './variant'

/** The uses that a container allows after it was built, by its own documentation. */
interface Uses {
  readonly addLater: boolean
  readonly history: boolean
  /**
   * True when the volumes of a plan hold archives or files of their own. A repository is one whole.
   */
  readonly volumesAlone: boolean
}

const CLOSED: Uses = { addLater: false, history: false, volumesAlone: true }
const OPEN: Uses = { ...CLOSED, addLater: true }
const REPOSITORY: Uses = { addLater: true, history: true, volumesAlone: false }

const USES: Readonly<Record<RecipeFamily, Uses>> = {
  plain: OPEN,
  iso: CLOSED,
  'apple-image': OPEN,
  'compressed-files': OPEN,
  'seven-zip-files': OPEN,
  'seven-zip-solid': CLOSED,
  torrent7z: CLOSED,
  'seven-zip-merged': OPEN,
  'seven-zip-blocks': OPEN,
  torrentzip: OPEN,
  'by-folder': OPEN,
  blocks: { ...CLOSED, volumesAlone: false },
  zfs: REPOSITORY,
  borg: REPOSITORY,
  restic: REPOSITORY,
  kopia: REPOSITORY,
  'tar-zst': CLOSED,
  // mksquashfs appends to an image.
  squashfs: OPEN,
}

/**
 * The uses that a variant on a medium allows. Discs are write-once: nothing is added to one that
 * was written.
 */
export function allowsOf({ recipe, readers, encryption }: Variant, medium: MediumFacts): OptionAllows {
  const { addLater, history, volumesAlone } = USES[recipe.family]
  const isReadOnly = recipe.family === 'apple-image' && recipe.kind === 'udzo'
  return {
    addLater: addLater && !isReadOnly && medium.kind !== 'image',
    history,
    mount: readers.some(({ task }) => task !== 'unpack'),
    encrypt: (encryption?.kinds ?? []).filter((kind) => kind !== 'none'),
    volumesAlone,
  }
}
