import { basename } from 'node:path'
import type { RecipeOf } from '../../domain/options/recipes/recipe'
import { AppError } from '../../primitives/appError'
import { isBelow } from '../../primitives/isBelow'
import { pathForDisplay, pathToBytes } from '../../primitives/pathText'
import { formatCounted } from '../../primitives/quantity'
import { said } from '../../primitives/said'
import { loadAddon } from '../native/loadAddon'
import { ruleFaults } from '../survey/rules/nativeRules'

type FolderRecipe = RecipeOf<'by-folder'>

/** Files by the rules of a recipe by folder. */
export interface RuledFiles {
  /** The permanent name of the option of each file, in their order. */
  readonly options: readonly string[]
  /** The patterns that no file is left for. */
  readonly unused: readonly string[]
}

/** @throws AppError `usage` naming the first pattern that cannot be understood, and the column */
export function requireUsableRules({ rules }: FolderRecipe): void {
  const [fault] = ruleFaults({ patterns: rules.map(({ glob }) => glob) })
  if (fault) throw new AppError('usage', fault.message)
}

/**
 * The option of each file: that of the first rule that describes the file or a folder above it, as
 * rules for leaving out do.
 * @param files paths below their sources
 * @throws AppError `refused` for files that no rule describes
 */
export function ruledFiles({ rules }: FolderRecipe, files: readonly string[]): RuledFiles {
  const ends = Buffer.alloc(1)
  const found = loadAddon().firstRules(
    rules.map(({ glob }) => pathToBytes(glob)),
    Buffer.concat(files.flatMap((path) => [pathToBytes(path), ends])),
  )
  requireRuled(files, found)
  const used = new Set(found)
  return {
    options: Array.from(found, (rule) => rules[rule]?.option ?? ''),
    unused: rules.filter((_, at) => !used.has(at)).map(({ glob }) => glob),
  }
}

function requireRuled(files: readonly string[], found: Int32Array): void {
  const others = files.filter((_, at) => found[at] === -1)
  const [first] = others
  if (first === undefined) return
  const rest = formatCounted(others.length - 1, 'other file')
  const named = pathForDisplay(first)
  throw new AppError(
    'refused',
    others.length === 1
      ? said`cannot pack by folder: no rule is for ${named}; a last rule "*=OPTION" is for all that is left`
      : said`cannot pack by folder: no rule is for ${named} and ${rest}; a last rule "*=OPTION" is for all that is left`,
  )
}

/** The path that rules know a file by: below its source, or its name where it is the source. */
export function ruledPath(source: string, roots: readonly string[]): string {
  const root = roots.find((one) => isBelow(source, one))
  return root === undefined ? basename(source) : source.slice(root.length).replace(/^\/+/, '')
}
