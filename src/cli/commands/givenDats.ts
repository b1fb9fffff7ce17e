import type { SurveyDocument } from '../../contract/dto/survey'
import { datGroupings, parseRecipe } from '../../domain/options/recipes/recipe'
import { datDigests } from '../../engine/roms/dats/datDigests'
import { absolutePath } from '../../files/absolutePath'
import { AppError } from '../../primitives/appError'
import { pathForDisplay } from '../../primitives/pathText'
import type { GivenProject } from '../project'

interface DatValues {
  readonly dat?: string[] | undefined
}

/**
 * The absolute paths of the DATs of a command: those of its options, else of its project; undefined
 * for none.
 * @throws AppError `usage` for an empty one
 */
export function datsGiven({ dat }: DatValues, project: GivenProject | null): readonly string[] | undefined {
  if (dat?.includes('')) throw new AppError('usage', '--dat is empty')
  return dat?.map((path) => absolutePath(path)) ?? project?.dats
}

/** True for a plan that groups by DATs change: of files as they are, or packed by them. */
export function isPlannedByDats(recipe: string): boolean {
  const parsed = parseRecipe(recipe)
  return parsed !== null && (parsed.family === 'plain' || datGroupings(parsed).length > 0)
}

/**
 * Refuses DATs next to a survey that grouped its files by others or by none.
 * @throws AppError `refused`, `not-found` for a DAT that is not there
 */
export async function requireDatsOf(
  { id, dat }: Pick<SurveyDocument, 'id' | 'dat'>,
  { dat: given = [] }: DatValues,
): Promise<void> {
  if (given.length === 0) return
  const because = (what: string): AppError =>
    new AppError('refused', `survey ${id} was made ${what}: leave out --dat, or survey the folders with it`)
  if (!dat) throw because('without DATs')
  const known = new Set(dat.dats.map(({ sha256 }) => sha256))
  const paths = given.map((path) => absolutePath(path))
  const digests = await datDigests(paths, new AbortController().signal)
  for (const [path, digest] of digests)
    if (!known.has(digest)) throw because(`by other DATs than ${pathForDisplay(path)}`)
  const found = new Set(digests.values()).size
  if (found < known.size) throw because(`by ${known.size} DATs, not by ${found} of them alone`)
}
