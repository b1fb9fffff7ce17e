import type { PlanPacking, PlanRequest } from '../../../contract/dto/plan'
import type { SurveyDocument } from '../../../contract/dto/survey'
import type { Medium } from '../../../domain/media/medium'
import { estimateOf } from '../../../domain/options/cost/estimateParts'
import { wholeDiskBytes } from '../../../domain/options/families/appleImage'
import { macImageKind } from '../../../domain/options/recipes/macImage'
import {
  datGroupings,
  groupedBy,
  partsOf,
  printRecipe,
  type Recipe,
} from '../../../domain/options/recipes/recipe'
import type { Encryption } from '../../../domain/options/recipes/variant'
import { type PackedForm, packedForm } from '../../../domain/sets/packedForm'
import type { Assignment, InventoryItem } from '../../../domain/sets/packing/inventory'
import { AppError } from '../../../primitives/appError'
import type { Estimate } from '../../../primitives/estimate'
import { said } from '../../../primitives/said'
import type { Catalog } from '../../catalog/catalog'
import type { SurveyEntry } from '../../catalog/entry'
import { planRecipe } from '../../options/buildability'
import { requireUsableRules, ruledFiles, ruledPath } from '../../options/folderRules'
import { machinePace } from '../../options/machinePace'
import { type ForecastCatalog, optionForecast } from '../../options/optionForecast'
import { requireGroups, SurveyGroups } from '../../options/surveyGroups'
import { type SourceEntries, sourcePath } from '../../survey/sourceEntries'
import { ownFilesBytes } from './packedLayout'
import type { PackedFacts } from './planLines'
import { digestsOf } from './romSetsOfPlan'

export type PackingCatalog = Pick<Catalog, 'contentOrderIds' | 'fileGroupIds'> & ForecastCatalog

/** The recipe, form and encryption with which a plan packs its files. */
export interface PackedPlan {
  readonly recipe: Recipe
  readonly name: string
  readonly form: Exclude<PackedForm, { kind: 'plain' }>
  readonly encryption: Encryption
  readonly isJoined: boolean
}

/**
 * The packing that a request asks for; null for files as they are.
 * @throws AppError `refused` for packing that cannot be built or restored, before anything is read
 */
export function packedPlan(
  request: Pick<PlanRequest, 'recipe' | 'encryption' | 'joined'>,
  medium: Medium,
): PackedPlan | null {
  const { recipe: name = 'plain', encryption = 'none', joined: isJoined = false } = request
  const refused = (because: string): AppError =>
    new AppError('refused', said`cannot plan ${name}: ${because}`)
  const recipe = planRecipe(name, { encryption, protection: 0 })
  if ('refusal' in recipe) throw refused(recipe.refusal)
  if (recipe.family === 'by-folder') requireUsableRules(recipe)
  const form = packedForm(recipe, medium.kind)
  if (typeof form === 'string') throw refused(form)
  if (isJoined && form.kind !== 'archive')
    throw refused('only one archive can be cut over all volumes; plan it without --joined')
  return form.kind === 'plain' ? null : { recipe, name, form, encryption, isJoined }
}

/**
 * How a plan is packed, with the forecast of what that takes.
 * @throws AppError `not-found` for what the survey has no forecast of
 */
export async function planPacking(
  catalog: PackingCatalog,
  survey: SurveyDocument,
  { name, encryption, isJoined, form, recipe }: PackedPlan,
  source: SourceEntries,
): Promise<PlanPacking> {
  const byDats = datGroupings(recipe)
  for (const by of byDats) requireGroups(catalog, survey.id, by)
  const row = optionForecast(catalog, survey, name, encryption, await machinePace())
  const { bytes } = row.estimate
  const packing: PlanPacking = {
    recipe: name,
    arrangement: isJoined ? 'joined' : 'independent',
    encryption,
    bytes,
    ...(byDats.length > 0 && { dats: digestsOf(survey.dat?.dats) }),
  }
  if (form.kind !== 'macImage') return packing
  // Its index and checksums lie in the image.
  const disk = wholeDiskBytes(bytes, ownFilesBytes(source, name))
  return {
    ...packing,
    // A read-write image is as long as the disk in it.
    bytes: macImageKind(recipe) === 'udrw' ? { ...bytes, high: disk } : bytes,
    image: { bytes: disk, bandBytes: row.bands?.bytes ?? null },
  }
}

/**
 * The forecast of the files of a plan that adds to others, from that of the whole source: as large
 * a share of it as they have of the bytes, at most all that they have.
 */
export function partOf(
  whole: Estimate,
  all: readonly InventoryItem[],
  added: readonly InventoryItem[],
): Estimate {
  const bytesOf = (items: readonly InventoryItem[]): number =>
    items.reduce((sum, { kind, bytes }) => sum + (kind === 'file' ? bytes : 0), 0)
  const [bytes, allBytes] = [bytesOf(added), bytesOf(all)]
  const share = bytes / Math.max(1, allBytes)
  const low = Math.max(0, whole.low - (allBytes - bytes))
  const high = Math.max(whole.value * share, Math.min(bytes, whole.high))
  return estimateOf({ value: whole.value * share, low, high }, 'modelled', whole.basis)
}

/**
 * The order in which a recipe takes files, where only the survey knows it: the plan's lists keep
 * it.
 * @throws AppError `not-found` when the survey has none
 */
export function inPackingOrder(
  catalog: PackingCatalog,
  surveyId: string,
  { recipe }: PackedPlan,
): (all: readonly Assignment[]) => readonly Assignment[] {
  if (!('order' in recipe) || recipe.order !== 'content') return (all) => all
  const ids = catalog.contentOrderIds(surveyId)
  if (ids === null)
    throw new AppError('not-found', said`survey ${surveyId} has no file order: survey again with --full`)
  const ranks = new Map(Array.from(ids, (id, rank) => [id, rank]))
  const rankOf = (one: Assignment): number => (one.kind === 'whole' ? (ranks.get(one.index) ?? -1) : -1)
  return (all) => all.toSorted((one, other) => rankOf(one) - rankOf(other))
}

/**
 * The group of each file that a recipe packs with others of its kind, by the file's entry id: the
 * place of its archive, where the group has a name. Empty for other recipes.
 * @throws AppError `not-found` when the survey has no such groups
 */
export function packingGroups(
  catalog: PackingCatalog,
  surveyId: string,
  { recipe }: PackedPlan,
  source: SourceEntries,
  recipes: ItemRecipes,
): PackedFacts {
  const facts = new Map<number, { in: string }>()
  for (const part of partsOf(recipe)) {
    const by = groupedBy(part)
    if (by === null || by === 'titles') continue
    const groups = new SurveyGroups(catalog, surveyId, by)
    const name = printRecipe(part)
    const files = source.items.flatMap(({ kind, index, path }) =>
      kind === 'file' && printRecipe(recipes.of(index)) === name ? [{ id: index, path }] : [],
    )
    const places = groups.places(files)
    for (const { id } of files) {
      const group = groups.of(id)
      if (group !== undefined) facts.set(id, { in: places.get(group) ?? `group-${group}` })
    }
  }
  return facts
}

/** The recipes of the files of a source. */
export interface ItemRecipes {
  /** The recipe that packs a file, by its index: that of its rule, where a plan packs by folder. */
  of(index: number): Recipe
  /** The patterns of rules that no file is left for; none of plans that do not pack by folder. */
  readonly unused: readonly string[]
}

/**
 * The recipes of the files of sources, each of which is compared with the rules once.
 * @returns throws AppError `refused` for files that no rule describes
 */
export function recipesOf(recipe: Recipe): (source: SourceEntries) => ItemRecipes {
  if (recipe.family !== 'by-folder') return () => ({ of: () => recipe, unused: [] })
  const parts = new Map(partsOf(recipe).map((part) => [printRecipe(part), part]))
  const known = new WeakMap<SourceEntries, ItemRecipes>()
  return (source) => {
    const before = known.get(source)
    if (before) return before
    const files = source.items.filter(({ kind }) => kind === 'file')
    const { options, unused } = ruledFiles(recipe, ruledPathsOf(source, files))
    const found = new Map(files.map(({ index }, at) => [index, parts.get(options[at] ?? '')]))
    const recipes: ItemRecipes = { of: (index) => found.get(index) ?? recipe, unused }
    known.set(source, recipes)
    return recipes
  }
}

function ruledPathsOf(source: SourceEntries, files: readonly InventoryItem[]): string[] {
  return files.map(({ index }) =>
    ruledPath(sourcePath(source, source.entries.get(index) as SurveyEntry), source.roots),
  )
}
