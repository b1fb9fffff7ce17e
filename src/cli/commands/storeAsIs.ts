import type { SurveyDocument } from '../../contract/dto/survey'
import { othersThanOwn, withTypesAsIs } from '../../domain/options/recipes/asIs'
import { parseRecipe, printRecipe } from '../../domain/options/recipes/recipe'
import { NAMEABLE, typesNotWorthCompressing } from '../../domain/survey/typeCompression'
import { AppError } from '../../primitives/appError'
import type { Terminal } from '../terminal'

/** The types that a command line stores as they are: named, or those that the survey finds. */
export type StoreAsIs = 'auto' | readonly string[]

/** `jpg,mp4` or `auto`; none without it. @throws AppError `usage` naming what is no type */
export function storeAsIsOf(text: string | undefined): StoreAsIs {
  if (text === undefined) return []
  if (text === 'auto') return 'auto'
  return text.split(',').map((word) => {
    const type = word.trim().replace(/^\./, '').toLowerCase()
    if (NAMEABLE.test(type)) return type
    const takes = 'takes auto or file types of letters, digits, _ and -, such as jpg,mp4'
    throw new AppError('usage', `--store-as-is ${takes}, not "${word.trim()}"`)
  })
}

/** Types that stand for those of a command line until the survey is there. */
export function typesForCheck(wanted: StoreAsIs): readonly string[] {
  return wanted === 'auto' ? ['jpg'] : wanted
}

/**
 * The types that are stored as they are, by a survey; notes which `auto` found, and named ones that
 * no file has.
 * @throws AppError `refused` for `auto` with a survey that has no samples
 */
export function typesToStore(
  wanted: StoreAsIs,
  { types, id }: Pick<SurveyDocument, 'types' | 'id'>,
  out: Pick<Terminal, 'note'>,
): readonly string[] {
  if (wanted !== 'auto') {
    const isComplete = types.every(({ extension }) => extension !== null)
    const absent = wanted.filter((type) => !types.some(({ extension }) => extension === type))
    if (isComplete && absent.length > 0) out.note(`--store-as-is: no file is of type ${absent.join(', ')}`)
    return wanted
  }
  if (types.length > 0 && !types.some(({ compression }) => compression)) {
    const message = `cannot find types for --store-as-is auto: survey ${id} has no samples of types; survey again, or name the types`
    throw new AppError('refused', message)
  }
  const found = typesNotWorthCompressing(types)
  out.note(
    found.length > 0
      ? `stored as they are, since not worth compressing: ${found.join(', ')}`
      : '--store-as-is auto: every type may be worth compressing, so all are compressed',
  )
  return found
}

/**
 * The name of a recipe that stores types as they are. A type that `auto` found is compressed where
 * its recipe has that ending itself.
 * @throws AppError `refused` where the recipe cannot do that, or does not exist
 */
export function recipeStoring(name: string, wanted: StoreAsIs, types: readonly string[]): string {
  const recipe = parseRecipe(name)
  if (!recipe || types.length === 0) return name
  const storing = withTypesAsIs(recipe, wanted === 'auto' ? othersThanOwn(recipe, types) : types)
  if ('refusal' in storing) throw new AppError('refused', `cannot use ${name}: ${storing.refusal}`)
  return printRecipe(storing)
}
