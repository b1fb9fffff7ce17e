import type { SurveyDocument, SurveyRequest } from '../../contract/dto/survey'
import { lentNote } from '../../domain/options/families/sevenZipMerged'
import { datGroupings, packedLayout, parseRecipe, partsOf } from '../../domain/options/recipes/recipe'
import { ROM_LAYOUTS, type RomLayout } from '../../domain/survey/romLayout'
import { datDigests } from '../../engine/roms/dats/datDigests'
import { absolutePath } from '../../files/absolutePath'
import { AppError } from '../../primitives/appError'
import { pathForDisplay } from '../../primitives/pathText'
import type { GivenProject } from '../project'
import { wrapped } from '../shape/wrapped'
import type { Terminal } from '../terminal'
import { unknownName } from '../unknownName'

interface DatValues {
  readonly dat?: string[] | undefined
  readonly layout?: string | undefined
  /** A survey that there is already. */
  readonly survey?: string | undefined
}

/** The part of a request for a survey that is about DATs. */
export type AskedByDats = Pick<SurveyRequest, 'dats' | 'layout'>

/**
 * The DATs of a request for a survey: the absolute paths of those of the options of a command, else
 * of its project, and the layout of their ROM sets.
 * @throws AppError `usage` for an empty DAT, an unknown layout, and one without a DAT
 */
export function askedByDats(values: DatValues, project: GivenProject | null): AskedByDats {
  const dats = datsGiven(values, project)
  const asked = layoutGiven(values)
  if (asked !== undefined && !dats?.length && values.survey === undefined)
    throw new AppError('usage', '--layout goes with --dat')
  if (!dats) return {}
  const layout = asked ?? project?.project.layout
  return { dats: [...dats], ...(layout && { layout }) }
}

/** @throws AppError `usage` for an unknown one */
export function layoutGiven({ layout: text }: DatValues): RomLayout | undefined {
  if (text === undefined) return undefined
  const layout = ROM_LAYOUTS.find((each) => each === text)
  if (layout) return layout
  throw unknownName('layout', text, ROM_LAYOUTS)
}

function datsGiven({ dat }: DatValues, project: GivenProject | null): readonly string[] | undefined {
  if (dat?.includes('')) throw new AppError('usage', '--dat is empty')
  return dat?.map((path) => absolutePath(path)) ?? project?.dats
}

/** True for a plan that groups by DATs change: of files as they are, or packed by them. */
export function isPlannedByDats(recipe: string): boolean {
  const parsed = parseRecipe(recipe)
  return parsed !== null && (parsed.family === 'plain' || datGroupings(parsed).length > 0)
}

/** Says of a plan of non-merged ROM sets what the source has of them with another one alone. */
export function noteLent(recipe: string, { dat }: Pick<SurveyDocument, 'dat'>, out: Terminal): void {
  const parsed = parseRecipe(recipe)
  const isWhole = parsed !== null && partsOf(parsed).some((part) => packedLayout(part) === 'non-merged')
  if (isWhole && dat?.lent) out.notes(wrapped(lentNote(dat.lent), ''))
}

/**
 * Refuses DATs and a layout next to a survey that grouped its files by others or by none.
 * @throws AppError `refused`, `not-found` for a DAT that is not there
 */
export async function requireDatsOf(
  { id, dat }: Pick<SurveyDocument, 'id' | 'dat'>,
  values: DatValues,
): Promise<void> {
  const { dat: given = [] } = values
  const layout = layoutGiven(values)
  const because = (what: string, option = 'dat'): AppError =>
    new AppError(
      'refused',
      `survey ${id} was made ${what}: leave out --${option}, or survey the folders with it`,
    )
  const other = dat?.dats.find((one) => one.layout !== layout)
  if (layout !== undefined && !dat) throw because('without DATs', 'layout')
  if (layout !== undefined && other) throw because(`with ${other.layout ?? 'other'} ROM sets`, 'layout')
  if (given.length === 0) return
  if (!dat) throw because('without DATs')
  const known = new Set(dat.dats.map(({ sha256 }) => sha256))
  const paths = given.map((path) => absolutePath(path))
  const digests = await datDigests(paths, new AbortController().signal)
  for (const [path, digest] of digests)
    if (!known.has(digest)) throw because(`by other DATs than ${pathForDisplay(path)}`)
  const found = new Set(digests.values()).size
  if (found < known.size) throw because(`by ${known.size} DATs, not by ${found} of them alone`)
}
