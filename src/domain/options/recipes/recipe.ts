import type { GroupedBy } from '../../survey/surveyDocument'
import { MOST_NAMED, NAMEABLE } from '../../survey/typeCompression'
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

/** Files that a pattern describes, with the option that packs them. */
export interface FolderRule {
  /** A pattern of gitignore(5), relative to each source, in lossless text. */
  readonly glob: string
  /** The permanent name of a recipe of `MIXED_FAMILIES`. */
  readonly option: string
}

/** The families that can be mixed in one plan: they make many archives or compressed files. */
const MIXED_FAMILIES = ['compressed-files', 'seven-zip-merged', 'torrentzip'] as const
type MixedFamily = (typeof MIXED_FAMILIES)[number]

/** Characters of a pattern that would end it in a name, or an option's name in its ID. */
const ESCAPED = /[%,()@\p{Cc}]/gu

/** Rules in their order: `(Cowering/**=7z-dat,*=7z-t7z-files)`, with `%2C` for a comma. */
const folderRules: Field<'rules', readonly FolderRule[]> = {
  name: 'rules',
  pattern: '\\(.+\\)',
  print: (rules) =>
    `(${rules.map(({ glob, option }) => `${glob.replaceAll(ESCAPED, escaped)}=${option}`).join(',')})`,
  parse(text) {
    const rules = text.slice(1, -1).split(',').map(folderRuleOf)
    const isValid = rules.every(({ glob, option }) => glob !== '' && mixedRecipe(option) !== null)
    return isValid ? rules : undefined
  },
}

function escaped(character: string): string {
  const code = character.codePointAt(0) as number
  return `%${code.toString(16).toUpperCase().padStart(2, '0')}`
}

function folderRuleOf(text: string): FolderRule {
  const at = text.lastIndexOf('=')
  const glob = text.slice(0, Math.max(0, at))
  return {
    glob: glob.replaceAll(/%([0-9A-F]{2})/g, (_, code: string) =>
      String.fromCodePoint(Number.parseInt(code, 16)),
    ),
    option: text.slice(at + 1),
  }
}

/**
 * Groups by names and by DATs, by the words for an archive of each. `sets`: of each ROM set by
 * torrent7z's rules; `split`, `nonmerged`: of each ROM set by the best level, where by the DATs
 * none holds what its parent holds, or each all that it needs.
 */
const BY_NAMES = {
  titles: 'titles',
  dat: 'dat',
  'dat-split': 'split',
  'dat-nonmerged': 'nonmerged',
  't7z-files': 'sets',
} as const

/** The layouts of ROM sets that are packed by the best level, by the words of their recipes. */
export const PACKED_LAYOUTS = { split: 'split', nonmerged: 'non-merged' } as const

/** The layout of the ROM sets that a recipe packs by the best level; null for any other recipe. */
export function packedLayout(recipe: Recipe): (typeof PACKED_LAYOUTS)[keyof typeof PACKED_LAYOUTS] | null {
  return 'by' in recipe && (recipe.by === 'split' || recipe.by === 'nonmerged')
    ? PACKED_LAYOUTS[recipe.by]
    : null
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
  'seven-zip-merged': named`7z-${oneOf('by', { ...BY_NAMES, groups: 'groups' })}`,
  'seven-zip-blocks': named`7z-${oneOf('by', BY_NAMES)}+${archiveBlocks}`,
  torrentzip: named`torrentzip-${word('by', 'titles', 'dat', 'sets')}`,
  'by-folder': named`by-folder${folderRules}`,
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

/** Families that can store files of some types as they are (`withTypesAsIs` says which recipes). */
type StoringFamily = 'compressed-files' | 'seven-zip-files' | 'seven-zip-solid' | 'tar-zst' | 'squashfs'
const STORING: readonly string[] = [
  'compressed-files',
  'seven-zip-files',
  'seven-zip-solid',
  'tar-zst',
  'squashfs',
] satisfies StoringFamily[]

type AsIs = {
  /**
   * Extensions of files that are stored as they are, in lower case, without dot, in order. Absent
   * for none.
   */
  readonly asIs?: readonly string[]
}

/** A name with such types: `files-zstd-3+as-is.jpg.mp4`. */
const NAME_AS_IS = /^(.+)\+as-is\.([a-z0-9_.-]+)$/

/**
 * A container and its reduction with all parameters, discriminated by `family`. Sizes are in bytes.
 */
export type Recipe = {
  [Family in RecipeFamily]: { readonly family: Family } & Values<Family> &
    (Family extends StoringFamily ? AsIs : unknown)
}[RecipeFamily]

/** The recipes of one family. */
export type RecipeOf<Family extends RecipeFamily> = Extract<Recipe, { readonly family: Family }>

/** The permanent name of a recipe, such as `7z-solid-64m-path`. */
export function printRecipe(recipe: Recipe): string {
  const name: RecipeName = NAMES[recipe.family]
  const types = 'asIs' in recipe ? (recipe.asIs ?? []) : []
  return name.print(recipe) + (types.length > 0 ? `+as-is.${types.join('.')}` : '')
}

/**
 * The recipe of a permanent name; null for a text that is none. `printRecipe` gives the same name
 * back.
 */
export function parseRecipe(name: string): Recipe | null {
  const stored = NAME_AS_IS.exec(name)
  if (stored) return asIsRecipe(stored[1] as string, (stored[2] as string).split('.'))
  for (const [family, names] of Object.entries(NAMES)) {
    const values = names.parse(name)
    if (values) return { family, ...values } as Recipe
  }
  return null
}

/** The recipe of a name that can be mixed with others by folder; null for any other name. */
export function mixedRecipe(name: string): RecipeOf<MixedFamily> | null {
  const recipe = parseRecipe(name)
  return recipe && isMixed(recipe) ? recipe : null
}

/** True for the name of a recipe that can be mixed with others by folder. */
export function canBeMixed(name: string): boolean {
  return mixedRecipe(name) !== null
}

function isMixed(recipe: Recipe): recipe is RecipeOf<MixedFamily> {
  return MIXED_FAMILIES.some((family) => family === recipe.family)
}

/** The recipes that a plan packs files by, each once: those of its rules, or the recipe itself. */
export function partsOf(recipe: Recipe): readonly Recipe[] {
  if (recipe.family !== 'by-folder') return [recipe]
  const names = new Set(recipe.rules.map(({ option }) => option))
  return [...names].flatMap((name) => mixedRecipe(name) ?? [])
}

/** The groups that a recipe makes an archive of each; null for one that packs by no groups. */
export function groupedBy(recipe: Recipe): GroupedBy | null {
  if (!('by' in recipe)) return null
  return recipe.by === 'split' || recipe.by === 'nonmerged' ? 'sets' : recipe.by
}

/** The ways in which a recipe packs files by the DATs of their survey; none for another one. */
export function datGroupings(recipe: Recipe): readonly ('dat' | 'sets')[] {
  const ways = partsOf(recipe).flatMap((part) => {
    const by = groupedBy(part)
    return by === 'dat' || by === 'sets' ? [by] : []
  })
  return [...new Set(ways)]
}

function asIsRecipe(base: string, types: readonly string[]): Recipe | null {
  const recipe = parseRecipe(base)
  const isInOrder = types.every((type, at) => at === 0 || (types[at - 1] as string) < type)
  const isKnown = types.length <= MOST_NAMED && types.every((type) => NAMEABLE.test(type))
  if (!recipe || !STORING.includes(recipe.family) || 'asIs' in recipe || !isInOrder || !isKnown) return null
  return { ...recipe, asIs: types } as Recipe
}
