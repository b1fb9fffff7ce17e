import type { Estimate, Span } from '../../../primitives/estimate'
import { said, saidAll } from '../../../primitives/said'
import type { TypeRow } from '../../survey/surveyDocument'
import { estimateOf } from '../cost/estimateParts'
import type { OptionFacts, SurveyFacts } from '../facts'
import { othersThanOwn, typesAsIs, withTypesAsIs } from '../recipes/asIs'
import { parseRecipe, printRecipe, type RecipeFamily } from '../recipes/recipe'
import type { Variant } from '../recipes/variant'
import { newBytes } from '../surveyFigures'
import { allVariants } from './registry'

/**
 * The bytes of a file that is stored as it is, besides its content: headers and padding of a tar,
 * an entry of a 7z.
 */
const FILE_BYTES: { readonly [Family in RecipeFamily]?: number } = { 'tar-zst': 768, 'seven-zip-files': 100 }
/** Codecs store what does not shrink with hardly more. */
const MOST = 1.02
/** Bytes that are only copied take this much of a core, in seconds. */
const COPY_SECONDS = 1e-9

/**
 * The variant of a permanent name, also where it stores some types as they are; undefined where the
 * survey has no forecast of it.
 */
export function variantNamed(facts: OptionFacts, name: string): Variant | undefined {
  const recipe = parseRecipe(name)
  const types = recipe ? typesAsIs(recipe) : []
  const variants = allVariants(facts)
  if (!recipe || types.length === 0) return variants.find((variant) => variant.name === name)
  const base = variants.find((variant) => name.startsWith(`${variant.name}+as-is.`))
  return base && variantStoring(facts, base, types)
}

/**
 * The variants with files of some types stored as they are, where they can do that; the others as
 * they are. Compressed files store no type that they have as their ending.
 */
export function variantsStoring(
  facts: OptionFacts,
  variants: readonly Variant[],
  types: readonly string[],
): Variant[] {
  if (types.length === 0) return [...variants]
  return variants.map((variant) => variantStoring(facts, variant, othersThanOwn(variant.recipe, types)))
}

function variantStoring(facts: OptionFacts, variant: Variant, types: readonly string[]): Variant {
  const recipe = withTypesAsIs(variant.recipe, types)
  if ('refusal' in recipe || recipe === variant.recipe) return variant
  const { survey } = facts
  const rows = survey.types.filter(({ extension }) => extension !== null && types.includes(extension))
  const bytes = rows.reduce((sum, row) => sum + row.bytes, 0)
  const share = survey.totals.bytes > 0 ? bytes / survey.totals.bytes : 0
  const storedBytes = storing(survey, variant, rows)
  const named = saidAll(types)
  const words = types.length === 1 ? said`${named} as it is` : said`${named} as they are`
  return {
    ...variant,
    recipe,
    name: printRecipe(recipe),
    title: said`${variant.title}, ${words}`,
    storedBytes,
    ...(variant.fileRatio !== undefined && {
      fileRatio: survey.totals.bytes > 0 ? storedBytes.value / survey.totals.bytes : 1,
    }),
    packSeconds: withCopies(variant.packSeconds, share, bytes),
    unpackSeconds: withCopies(variant.unpackSeconds, share, bytes),
  }
}

/**
 * The work on the rest, and copies of what is stored as it is. Codecs may have spent as long on a
 * byte of it as on any other, or hardly any time.
 */
function withCopies(work: Estimate, share: number, bytes: number): Estimate {
  const copy = bytes * COPY_SECONDS
  const span = {
    value: work.value * (1 - share / 2) + copy,
    low: work.low * (1 - share),
    high: work.high + 4 * copy,
  }
  return estimateOf(span, work.provenance, said`${work.basis}; bytes that are stored as they are only copied`)
}

/**
 * The size with some types at their own size, in place of what they are forecast to take when
 * compressed. What repeats among them is no longer found, except that SquashFS keeps equal files
 * once.
 */
function storing(survey: SurveyFacts, variant: Variant, rows: readonly TypeRow[]): Estimate {
  const { family, codec, storedBytes } = variant
  const own = rows.reduce((sum, row) => sum + row.bytes + row.files * (FILE_BYTES[family] ?? 0), 0)
  const sum: Span = rows
    .map((row) => compressedSize(row, codec))
    .reduce(
      (all, one) => ({ value: all.value + one.value, low: all.low + one.low, high: all.high + one.high }),
      {
        value: 0,
        low: 0,
        high: 0,
      },
    )
  const { bytes } = survey.totals
  const repeats =
    family === 'squashfs'
      ? survey.duplicateFiles.bytes
      : variant.reduction === 'solid'
        ? Math.max(0, bytes - newBytes(survey))
        : 0
  // Of the repeats all, none, or their share may be in these types.
  const typesBytes = rows.reduce((all, row) => all + row.bytes, 0)
  const fewest = typesBytes > 0 ? Math.max(0, 1 - repeats / typesBytes) : 1
  const usual = bytes > 0 ? 1 - repeats / bytes : 1
  // SquashFS keeps equal files once also where it stores them; a stream finds no more repeats in them.
  const ownOnce = family === 'squashfs' ? { value: own * usual, low: own * fewest, high: own } : same(own)
  const before: Span = { value: sum.value * usual, low: sum.low * fewest, high: sum.high }
  const value = Math.max(0, storedBytes.value - before.value) + ownOnce.value
  const squash = family === 'squashfs'
  // Both are of the same files: they are few or many together.
  const moreBelow = squash
    ? Math.abs(ownOnce.value - before.value - (own - sum.high) * fewest)
    : before.high - before.value
  const moreAbove = squash
    ? Math.abs(own - sum.low - (ownOnce.value - before.value))
    : before.value - before.low
  const span = {
    value,
    low: Math.max(ownOnce.low, value - Math.hypot(storedBytes.value - storedBytes.low, moreBelow)),
    high: value + Math.hypot(storedBytes.high - storedBytes.value, moreAbove),
  }
  return estimateOf(
    span,
    'modelled',
    said`${storedBytes.basis}; files that are stored as they are at their own size`,
  )
}

function same(value: number): Span {
  return { value, low: value, high: value }
}

/**
 * The compressed size of a type: by the codec, by zstd -1 with room for better codecs, or anything
 * where it was not sampled.
 */
function compressedSize({ bytes, compression = [] }: TypeRow, codec: string | null): Span {
  const own = compression.find((row) => row.codec === codec)
  if (own) return { value: own.predictedBytes, low: own.low, high: own.high }
  const quick = compression.find((row) => row.codec === 'zstd-1')
  if (!quick) return { value: bytes, low: 0, high: MOST * bytes }
  // A better codec may halve what a fast one leaves of what it saves anything of.
  const saved = Math.max(0, bytes - quick.low)
  return { value: quick.predictedBytes, low: Math.max(0, quick.low - saved / 2), high: quick.high }
}
