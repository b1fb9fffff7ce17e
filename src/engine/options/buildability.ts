import type { Option, OptionBuildRequest } from '../../contract/dto/options'
import { othersThanOwn, typesAsIs, withTypesAsIs } from '../../domain/options/recipes/asIs'
import { type MacImageKind, macImageKind } from '../../domain/options/recipes/macImage'
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

/** The demands on a build besides storing the files. */
export type Demands = Pick<OptionBuildRequest, 'encryption' | 'protection'> & {
  /** File types that have to be stored as they are, in addition to those that the recipe names. */
  readonly storeAsIs?: readonly string[] | undefined
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
  demands: Demands,
): BuildableRecipe | { readonly refusal: string } {
  const recipe = parseRecipe(variant)
  if (!recipe)
    return { refusal: said`there is no option ${variant}; "stowage options PATH --all" lists what there is` }
  const builder = builderOf(recipe)
  if (typeof builder === 'string') return { refusal: builder }
  const refusal = unmet(builder, demands) ?? notAsIs(recipe, demands)
  return refusal === null ? { recipe, builder } : { refusal }
}

/** Why the types that have to be stored as they are cannot be, in words; null where they can. */
function notAsIs(recipe: Recipe, { storeAsIs = [] }: Demands): string | null {
  const asked = withTypesAsIs(recipe, [...typesAsIs(recipe), ...othersThanOwn(recipe, storeAsIs)])
  return 'refusal' in asked ? asked.refusal : null
}

/**
 * The recipe of a permanent name that a plan can be made of: there is a builder, or a script for a
 * Mac. Else why not, in words.
 */
export function planRecipe(variant: string, demands: Demands): Recipe | { readonly refusal: string } {
  const recipe = parseRecipe(variant)
  const kind = recipe && macImageKind(recipe)
  if (recipe && kind) {
    const refusal = unmet(MAC_IMAGES[kind], demands) ?? notAsIs(recipe, demands)
    return refusal === null ? recipe : { refusal }
  }
  const buildable = builderFor(variant, demands)
  return 'refusal' in buildable ? buildable : buildable.recipe
}

/** hdiutil(1) takes both keys; diskutil(8), which makes ASIF, has AES-256 only. */
const MAC_IMAGES: Readonly<Record<MacImageKind, Pick<OptionBuilder, 'carriesOut'>>> = {
  udrw: { carriesOut: { encryption: ['aes-128', 'aes-256'] } },
  udsp: { carriesOut: { encryption: ['aes-128', 'aes-256'] } },
  udsb: { carriesOut: { encryption: ['aes-128', 'aes-256'] } },
  asif: { carriesOut: { encryption: ['aes-256'] } },
}

/**
 * The recipe with its builder, and its program there.
 * @throws AppError `refused` with the reason, `tool-missing`
 */
export async function requireBuilder(variant: string, demands: Demands): Promise<BuildableRecipe> {
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

export const ENCRYPTION_NAMES = { 'aes-128': 'AES-128', 'aes-256': 'AES-256' } as const

/** The simplest option that can be encrypted so, for every source. */
const NEAREST = { 'aes-128': 'udzo', 'aes-256': '7z-files' } as const

function unmet(
  { carriesOut = {} }: Pick<OptionBuilder, 'carriesOut'>,
  { encryption, protection }: Demands,
): string | null {
  if (encryption !== 'none' && !carriesOut.encryption?.includes(encryption)) {
    const others = (carriesOut.encryption ?? []).flatMap((each) =>
      each === 'none' ? [] : ENCRYPTION_NAMES[each],
    )
    const why =
      others.length === 0
        ? said`it cannot be encrypted`
        : said`it can be encrypted with ${others.join(' or ')} only`
    return said`${why} (${ENCRYPTION_NAMES[encryption]} is requested); ${NEAREST[encryption]} can`
  }
  if (protection > 0 && carriesOut.protection !== true)
    return said`Stowage cannot add redundancy to it yet (${Number((protection * 100).toFixed(1))} % is requested)`
  return null
}

/**
 * For each variant whether it can be built here, and why not. Looks for programs anew after half a
 * minute.
 */
export async function buildability(
  variants: readonly string[],
  demands: Demands,
  clock: Clock,
): Promise<Map<string, Option['build']>> {
  const answers = await Promise.all(
    variants.map(
      async (variant): Promise<[string, Option['build']]> => [variant, await answer(variant, demands, clock)],
    ),
  )
  return new Map(answers)
}

async function answer(variant: string, demands: Demands, clock: Clock): Promise<Option['build']> {
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
