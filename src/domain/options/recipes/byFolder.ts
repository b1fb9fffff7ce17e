import { pathForDisplay } from '../../../primitives/pathText'
import { said } from '../../../primitives/said'
import { type FolderRule, mixedRecipe, parseRecipe, printRecipe, type Recipe } from './recipe'

/** Rules that one plan can have. */
const MOST_RULES = 50
/** As long as a name of a recipe can be. */
const LONGEST_NAME = 1000

/** Why options of other families cannot be mixed; those without a line make one archive. */
const REFUSALS: { readonly [Family in Recipe['family']]?: string } = {
  plain: said`it packs nothing`,
  'apple-image': said`it makes one disk image of all files`,
  'seven-zip-blocks': said`it compares the archives of all folders`,
  'by-folder': said`it has rules of its own`,
  blocks: said`it is only forecast`,
  zfs: said`it is only forecast`,
  kopia: said`it is only forecast`,
  borg: said`it makes one repository of all files`,
  restic: said`it makes one repository of all files`,
}

/** The options that can be mixed, for people. */
const MIXED_OPTIONS =
  '7z-titles, 7z-groups, 7z-dat, 7z-dat-split, 7z-t7z-files, torrentzip-titles, torrentzip-dat, torrentzip-sets, files-zstd-19'

/**
 * The rule of a line `GLOB=OPTION`; else why it is none, in words that complete "the rule …". The
 * last `=` counts, as no option has one in its name.
 */
function folderRule(text: string): FolderRule | { readonly refusal: string } {
  const at = text.lastIndexOf('=')
  const [glob, option] = [text.slice(0, Math.max(0, at)), text.slice(at + 1)]
  if (at < 0) return { refusal: said`has no "=" between the pattern and the option` }
  if (glob === '') return { refusal: said`has no pattern before "="` }
  if (glob.startsWith('!'))
    return { refusal: said`begins with "!": the first rule that matches a file counts` }
  if (option === '') return { refusal: said`names no option after "="` }
  const recipe = parseRecipe(option)
  if (!recipe)
    return {
      refusal: said`names no option: there is no ${option}`,
    }
  if (mixedRecipe(option)) return { glob, option }
  const because = REFUSALS[recipe.family] ?? said`it makes one archive of all files`
  return { refusal: said`cannot use ${option}: ${because}; ${MIXED_OPTIONS} and the like can be mixed` }
}

/**
 * The permanent name of the recipe that packs files by the first rule that matches each; else why
 * there is none, in words.
 * @param rest the option of files that no rule matches: a last rule `*`
 */
export function folderRecipe(
  lines: readonly string[],
  rest?: string,
): { readonly name: string } | { readonly refusal: string } {
  const rules: FolderRule[] = []
  for (const line of rest === undefined ? lines : [...lines, `*=${rest}`]) {
    const rule = folderRule(line)
    if ('refusal' in rule) return { refusal: said`the rule "${line}" ${rule.refusal}` }
    rules.push(rule)
  }
  if (rules.length > MOST_RULES) return { refusal: said`at most ${MOST_RULES} rules can be given` }
  const name = printRecipe({ family: 'by-folder', rules })
  if (name.length > LONGEST_NAME)
    return { refusal: said`the rules together are longer than ${LONGEST_NAME} characters` }
  return { name }
}

/** The rules of a recipe by folder as a person writes them; none for other recipes. */
export function folderLines(name: string): readonly string[] {
  const recipe = parseRecipe(name)
  if (recipe?.family !== 'by-folder') return []
  return recipe.rules.map(({ glob, option }) => `${glob}=${option}`)
}

/**
 * How files are packed, for people: the rules of a recipe by folder, or the name of another one.
 */
export function recipeText(name: string): string {
  const lines = folderLines(name)
  return lines.length === 0 ? name : lines.map(pathForDisplay).join(', ')
}

/** The same in a column: without the rules. */
export function recipeCode(name: string): string {
  return folderLines(name).length === 0 ? name : 'by-folder'
}
