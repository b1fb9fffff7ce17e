import { folderRecipe } from '../../domain/options/recipes/byFolder'
import { parseRecipe } from '../../domain/options/recipes/recipe'
import { type Project, projectOption } from '../../domain/project/project'
import { requireUsableRules } from '../../engine/options/folderRules'
import { AppError } from '../../primitives/appError'
import type { Terminal } from '../terminal'

interface OptionValues {
  readonly option?: string | undefined
  readonly 'option-for'?: readonly string[] | undefined
}

/**
 * The option of a command: by its rules `--option-for`, with `--option` for what they leave; else
 * that of `--option`; else that of its project. It may name a medium behind an `@`.
 * @throws AppError `usage` naming the rule that cannot be used
 */
export function optionGiven(
  { option, 'option-for': rules }: OptionValues,
  project: Project | undefined,
  out: Pick<Terminal, 'note'>,
): string | undefined {
  if (rules === undefined) {
    if (option !== undefined && project?.optionFor !== undefined)
      out.note(
        `--option ${option} comes before the rules of the project (optionFor): all files are packed by it`,
      )
    return option ?? (project && projectOption(project))
  }
  const [rest, medium] = (option ?? project?.option ?? '').split('@')
  const name = folderOption(rules, rest === '' ? undefined : rest)
  return medium === undefined ? name : `${name}@${medium}`
}

/**
 * The option that rules `--option-for` make.
 * @param rest the option of files that no rule is for
 * @throws AppError `usage` naming the rule that cannot be used
 */
export function folderOption(rules: readonly string[], rest?: string): string {
  const found = folderRecipe(rules, rest)
  if ('refusal' in found) throw new AppError('usage', `--option-for: ${found.refusal}`)
  const recipe = parseRecipe(found.name)
  if (recipe?.family === 'by-folder') requireUsableRules(recipe)
  return found.name
}
