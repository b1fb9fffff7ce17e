import { typesAsIs } from '../../../domain/options/recipes/asIs'
import type { Recipe } from '../../../domain/options/recipes/recipe'

/** `, jpg and mp4 stored as they are`, at the end of a command for people; empty for none. */
export function asIsWords(recipe: Recipe): string {
  const types = typesAsIs(recipe)
  const last = types.at(-1)
  if (last === undefined) return ''
  const rest = types.slice(0, -1)
  return rest.length === 0
    ? `, ${last} stored as it is`
    : `, ${rest.join(', ')} and ${last} stored as they are`
}
