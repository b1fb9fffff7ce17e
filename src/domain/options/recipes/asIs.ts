import { pathToBytes } from '../../../primitives/pathText'
import { said } from '../../../primitives/said'
import { MOST_NAMED, NAMEABLE } from '../../survey/typeCompression'
import { extensionOf } from '../../survey/typeTable'
import type { Recipe, RecipeFamily } from './recipe'

/** Why files of some types cannot be stored as they are; the other families can. */
const REFUSALS: { readonly [Family in RecipeFamily]?: string } = {
  torrent7z: said`torrent7z packs all files by one method; choose 7z-files`,
  'seven-zip-merged': said`its archives pack all files of a title or group by one method; choose 7z-files`,
  'seven-zip-blocks': said`its archives pack all files of a title by one method; choose 7z-files`,
  torrentzip: said`a TorrentZip packs all files by one method; choose 7z-files`,
  'by-folder': said`name them in its rules, as in *.jpg=files-zstd-3+as-is.jpg`,
  blocks: said`blocks know no file types`,
  zfs: said`ZFS compresses by dataset, not by file type`,
  borg: said`borg compresses chunks, not files by type`,
  restic: said`restic compresses chunks, not files by type`,
  kopia: said`Stowage was not tested with the policies of kopia, which do that`,
}

/** The type that compressed files of a codec have, as their names end. */
const OWN_TYPES = { gzip: 'gz', zstd: 'zst', lz4: 'lz4' } as const

/**
 * Types without that of a recipe's own compressed files: files of that type are compressed, since
 * their names would be those of compressed files.
 */
export function othersThanOwn(recipe: Recipe, types: readonly string[]): readonly string[] {
  if (recipe.family !== 'compressed-files') return types
  return types.filter((type) => type !== ownType(recipe.codec))
}

/** The ending of the name of a compressed file, without the dot. */
function ownType(codec: string): string {
  return OWN_TYPES[codec.replace(/-\d+$/, '') as keyof typeof OWN_TYPES]
}

/**
 * The recipe that stores files of some types as they are, in addition to those that it names; the
 * same recipe where nothing is compressed anyway. Else why there is none, in words.
 * @param types extensions in lower case, without dot
 */
export function withTypesAsIs(
  recipe: Recipe,
  types: readonly string[],
): Recipe | { readonly refusal: string } {
  const odd = types.find((type) => !NAMEABLE.test(type))
  if (odd !== undefined) return { refusal: said`"${odd}" is not a file type of letters, digits, _ and -` }
  if (types.length === 0 || recipe.family === 'plain' || recipe.family === 'iso') return recipe
  const refused = (because: string) => ({
    refusal: said`it cannot store file types as they are: ${because}`,
  })
  switch (recipe.family) {
    case 'apple-image':
      return recipe.kind === 'udzo' ? refused(said`it is compressed in pieces that know no files`) : recipe
    case 'compressed-files':
    case 'seven-zip-files':
    case 'seven-zip-solid':
    case 'tar-zst':
    case 'squashfs': {
      const all = [...new Set([...(recipe.asIs ?? []), ...types])].toSorted()
      if (all.length > MOST_NAMED) return refused(said`at most ${MOST_NAMED} types can be named`)
      if (recipe.family === 'compressed-files' && all.includes(ownType(recipe.codec))) {
        const own = ownType(recipe.codec)
        return refused(said`the names of its compressed files end in .${own} too; leave out ${own}`)
      }
      if (recipe.family === 'seven-zip-solid' && recipe.order === 'content')
        return refused(said`in this order all files are in one tar; choose the order path or type`)
      return { ...recipe, asIs: all }
    }
    default:
      return refused(REFUSALS[recipe.family] ?? said`it has one method for all files`)
  }
}

/** The types that a recipe stores as they are. */
export function typesAsIs(recipe: Recipe): readonly string[] {
  return 'asIs' in recipe ? (recipe.asIs ?? []) : []
}

/** For the path of a file: true when the recipe stores it as it is. */
export function storesAsIs(recipe: Recipe): (path: string) => boolean {
  const types = new Set(typesAsIs(recipe))
  return types.size === 0 ? () => false : (path) => types.has(extensionOf(pathToBytes(path)))
}
