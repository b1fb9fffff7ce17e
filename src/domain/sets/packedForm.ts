import { said } from '../../primitives/said'
import type { MediumKind } from '../media/medium'
import { MAC_ENDINGS } from '../options/recipes/macImage'
import { parseRecipe, type Recipe } from '../options/recipes/recipe'
import type { PlanDocument } from './planDocument'

/**
 * The form of a recipe's files on a volume: files as they are; one archive under a name; many
 * containers below a folder, each with one file or one title; a repository, a folder that only its
 * program reads; or a disk image that is made on a Mac.
 */
export type PackedForm =
  | { readonly kind: 'plain' }
  | { readonly kind: 'archive'; readonly stem: string; readonly ending: string }
  | { readonly kind: 'many'; readonly folder: string }
  | { readonly kind: 'repository'; readonly name: string }
  | { readonly kind: 'macImage'; readonly ending: string }

/** The forms that Stowage makes itself. */
export type MadeForm = Exclude<PackedForm, { kind: 'plain' | 'macImage' }>

/** Many containers at the top of the volumes. */
const MANY: PackedForm = { kind: 'many', folder: '' }

/** The form of a recipe on a kind of medium, or why no plan is made of it, in words. */
export function packedForm(recipe: Recipe, medium: MediumKind): PackedForm | string {
  switch (recipe.family) {
    case 'plain':
      return { kind: 'plain' }
    case 'iso':
      // Volumes that are images are ISO 9660 themselves.
      return medium === 'image' ? { kind: 'plain' } : archive('disc', '.iso')
    case 'apple-image': {
      if (recipe.kind === 'udzo') return archive('disc', '.dmg')
      return medium === 'image'
        ? said`a disk image with a Mac’s file system goes to a folder or a disk, not to discs; choose udzo for discs`
        : { kind: 'macImage', ending: MAC_ENDINGS[recipe.kind] }
    }
    case 'seven-zip-files':
    case 'seven-zip-solid':
    case 'torrent7z':
      return archive('archive', '.7z')
    case 'tar-zst':
      return archive('archive', '.tar.zst')
    case 'squashfs':
      return archive('archive', '.squashfs')
    case 'compressed-files':
    case 'seven-zip-merged':
    case 'torrentzip':
    case 'by-folder':
      return MANY
    case 'seven-zip-blocks':
      return recipe.blockBytes === null ? MANY : said`it is only forecast`
    case 'borg':
      return { kind: 'repository', name: 'borg' }
    case 'restic':
      return { kind: 'repository', name: 'restic' }
    default:
      return 'it is only forecast'
  }
}

/**
 * The form of a packed plan; null for plans of plain files, and for recipes of other versions. The
 * archives of a plan that adds to others are named after its generation, or in a folder that is:
 * theirs have other names.
 */
export function formOfPlan({ packing, medium, addsTo }: PlanPacked): PackedForm | null {
  const form = formOf(packing?.recipe ?? '', medium.kind)
  if (form?.kind === 'many') return { ...form, folder: packing?.folder ?? form.folder }
  if (form?.kind !== 'archive' || !addsTo) return form
  return { ...form, stem: `${form.stem}-${addsTo.length + 1}` }
}

type PlanPacked = Pick<PlanDocument, 'packing' | 'medium'> & Partial<Pick<PlanDocument, 'addsTo'>>

/** The same of a recipe, by its permanent name. */
export function formOf(name: string, medium: MediumKind): PackedForm | null {
  const recipe = parseRecipe(name)
  const form = recipe && packedForm(recipe, medium)
  return typeof form === 'string' ? null : form
}

function archive(stem: string, ending: string): PackedForm {
  return { kind: 'archive', stem, ending }
}
