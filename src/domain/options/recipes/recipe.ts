import { type Field, named, oneOf, powerOfTwo, type RecipeName, size, word } from './recipeName'

const KIB = 1024
const MIB = 1024 * KIB

const blockBytes = powerOfTwo('blockBytes', 512, MIB)

/** Deduplication of archives: in blocks of this many bytes, or null for whole archives. */
const archiveBlocks: Field<'blockBytes', number | null> = {
  name: 'blockBytes',
  pattern: `files|blocks-${blockBytes.pattern}`,
  print: (bytes) => (bytes === null ? 'files' : `blocks-${blockBytes.print(bytes)}`),
  parse: (text) => (text === 'files' ? null : blockBytes.parse(text.slice('blocks-'.length))),
}

/**
 * Every family with the permanent names of its recipes and the parameters in them. Families and
 * names are in documents, scripts and catalogs: they may be added to, never changed.
 */
const NAMES = {
  plain: named`plain${oneOf('hardLinks', { '': false, '-hardlinks': true })}`,
  iso: named`iso`,
  'apple-image': named`${word('kind', 'udrw', 'udsp', 'udsb', 'asif', 'udzo')}`,
  'compressed-files': named`files-${word('codec', 'gzip-6', 'gzip-9', 'zstd-3', 'zstd-19', 'lz4')}`,
  'seven-zip-files': named`7z-files`,
  'seven-zip-solid': named`7z-solid-${size('dictionaryBytes')}-${word('order', 'path', 'type', 'content')}`,
  torrent7z: named`7z-t7z`,
  'seven-zip-merged': named`7z-${word('by', 'titles', 'groups')}`,
  'seven-zip-blocks': named`7z-titles+${archiveBlocks}`,
  blocks: named`blocks-${size('blockBytes', (bytes) => bytes >= 512 && bytes <= 16 * MIB)}`,
  zfs: named`zfs-${powerOfTwo('recordBytes', 512, 16 * MIB)}-${oneOf('codec', {
    off: null,
    lz4: 'lz4',
    'zstd-3': 'zstd-3',
    'gzip-6': 'gzip-6',
    'gzip-9': 'gzip-9',
  })}-${oneOf('deduplicates', { dedup: true, nodedup: false })}`,
  borg: named`borg-${oneOf('version', { 1: 1, 2: 2 })}-${word('codec', 'none', 'lz4', 'zstd-3')}`,
  restic: named`restic-${word('compression', 'off', 'auto')}`,
  kopia: named`kopia-${word('codec', 'none', 'zstd-3')}`,
  'tar-zst': named`tar-zst-19-${powerOfTwo('windowBytes', KIB, 2048 * MIB)}-${word('order', 'path', 'content')}`,
  squashfs: named`squashfs-${word('codec', 'gzip', 'lz4', 'zstd-3')}-${oneOf('blockBytes', {
    '128k': 128 * KIB,
    '1m': MIB,
  })}`,
}

export type RecipeFamily = keyof typeof NAMES

type Values<Family extends RecipeFamily> =
  (typeof NAMES)[Family] extends RecipeName<infer Parameters> ? Parameters : never

/**
 * A container and its reduction with all parameters, discriminated by `family`. Sizes are in bytes.
 */
export type Recipe = {
  [Family in RecipeFamily]: { readonly family: Family } & Values<Family>
}[RecipeFamily]

/** The recipes of one family. */
export type RecipeOf<Family extends RecipeFamily> = Extract<Recipe, { readonly family: Family }>

/** The permanent name of a recipe, such as `7z-solid-64m-path`. */
export function printRecipe(recipe: Recipe): string {
  const name: RecipeName = NAMES[recipe.family]
  return name.print(recipe)
}

/**
 * The recipe of a permanent name; null for a text that is none. `printRecipe` gives the same name
 * back.
 */
export function parseRecipe(name: string): Recipe | null {
  for (const [family, names] of Object.entries(NAMES)) {
    const values = names.parse(name)
    if (values) return { family, ...values } as Recipe
  }
  return null
}
