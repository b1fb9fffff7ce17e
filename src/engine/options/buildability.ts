import type { Option, OptionBuildRequest } from '../../contract/dto/options'
import { type BuildDemands, unmetDemand, unmetOnMac } from '../../domain/options/choice/demands'
import { parseRecipe, type Recipe } from '../../domain/options/recipes/recipe'
import { AppError } from '../../primitives/appError'
import type { Clock } from '../../primitives/clock'
import { said } from '../../primitives/said'
import { type ExternalTool, type FoundTool, requireTool } from '../tools/externalTool'
import type { OptionBuilder } from './builders/optionBuilder'
import { builderOf } from './builders/registry'

/** Programs come and go, but not while somebody moves a slider. */
const REMEMBERED_MS = 30_000
const found = new Map<ExternalTool, { readonly untilMs: number; readonly tool: Promise<FoundTool | null> }>()

/** The variant that an option's id names. */
export function variantOf(optionId: string): string {
  return optionId.split('@', 1)[0] as string
}

/** A recipe with its builder. */
export interface BuildableRecipe {
  readonly recipe: Recipe
  readonly builder: OptionBuilder
}

/**
 * The recipe of a permanent name with the builder that meets the demands; else why there is none,
 * in words.
 */
export function builderFor(
  variant: string,
  demands: BuildDemands,
): BuildableRecipe | { readonly refusal: string } {
  const recipe = parseRecipe(variant)
  if (!recipe)
    return { refusal: said`there is no option ${variant}; "stowage options PATH --all" lists what there is` }
  const builder = builderOf(recipe)
  if (typeof builder === 'string') return { refusal: builder }
  const refusal = unmetDemand(recipe, builder.carriesOut ?? {}, demands)
  return refusal === null ? { recipe, builder } : { refusal }
}

/**
 * The recipe of a permanent name that a plan can be made of: there is a builder, or a script for a
 * Mac. Else why not, in words.
 */
export function planRecipe(variant: string, demands: BuildDemands): Recipe | { readonly refusal: string } {
  const recipe = parseRecipe(variant)
  const onMac = recipe ? unmetOnMac(recipe, demands) : undefined
  if (typeof onMac === 'string') return { refusal: onMac }
  if (recipe && onMac === null) return recipe
  const buildable = builderFor(variant, demands)
  return 'refusal' in buildable ? buildable : buildable.recipe
}

/**
 * The recipe with its builder, and its program there.
 * @throws AppError `refused` with the reason, `tool-missing`
 */
export async function requireBuilder(variant: string, demands: BuildDemands): Promise<BuildableRecipe> {
  const buildable = builderFor(variant, demands)
  if ('refusal' in buildable)
    throw new AppError('refused', said`cannot build ${variant}: ${buildable.refusal}`)
  if (buildable.builder.tool) await requireTool(buildable.builder.tool)
  return buildable
}

/**
 * Requires a password for an encrypted option, and none for any other.
 * @throws AppError `wrong-password`, `usage`
 */
export function requirePassword(
  variant: string,
  { encryption, password }: Pick<OptionBuildRequest, 'encryption' | 'password'>,
): void {
  if (encryption !== 'none' && password === null)
    throw new AppError('wrong-password', said`cannot encrypt ${variant}: a password is needed`)
  if (encryption === 'none' && password !== null)
    throw new AppError('usage', said`cannot build ${variant} with a password: no encryption is requested`)
}

/**
 * For each variant whether it can be built here, and why not. Looks for programs anew after half a
 * minute.
 */
export async function buildability(
  variants: readonly string[],
  demands: BuildDemands,
  clock: Clock,
): Promise<Map<string, Option['build']>> {
  const answers = await Promise.all(
    variants.map(
      async (variant): Promise<[string, Option['build']]> => [variant, await answer(variant, demands, clock)],
    ),
  )
  return new Map(answers)
}

async function answer(variant: string, demands: BuildDemands, clock: Clock): Promise<Option['build']> {
  const buildable = builderFor(variant, demands)
  if ('refusal' in buildable) return { possible: false, because: buildable.refusal }
  const { tool } = buildable.builder
  if (tool === null || (await remembered(tool, clock)) !== null) return { possible: true, because: null }
  return { possible: false, because: said`${tool.name} is not installed: ${tool.howToGet}` }
}

function remembered(tool: ExternalTool, clock: Clock): Promise<FoundTool | null> {
  const nowMs = clock.monotonicMs()
  const known = found.get(tool)
  if (known && known.untilMs > nowMs) return known.tool
  const asked = tool.find().catch(() => null)
  found.set(tool, { untilMs: nowMs + REMEMBERED_MS, tool: asked })
  return asked
}
