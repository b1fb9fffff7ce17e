import { type Estimate, exact, type Span } from '../../../primitives/estimate'
import { pathForDisplay } from '../../../primitives/pathText'
import { formatCounted } from '../../../primitives/quantity'
import { said } from '../../../primitives/said'
import { estimateOf, largest, scaled, sumTogether } from '../cost/estimateParts'
import type { OptionFacts } from '../facts'
import type { FolderPart } from '../folderParts'
import { mixedRecipe, printRecipe, type RecipeOf } from '../recipes/recipe'
import type { Reader, Variant } from '../recipes/variant'
import { variantOf } from '../recipes/variantDraft'

/**
 * How much the packed sizes of some folders differ from what their types and repeats let expect, as
 * a share of them and at 95 %: where other folders have files of the same types, and else
 * (docs/methods/options.md).
 */
const MIXED_TYPES_ERROR = 0.4
const FOLDER_ERROR = 0.1

/** A part with the variant of the whole source that its forecast is taken from. */
interface Mixed {
  readonly part: FolderPart
  readonly whole: Variant
}

/**
 * Archives of several options in one container, each for the files of its rules. None where no
 * rules are given, and where one of the options has no forecast.
 * @param variants of the whole source, among them those of the rules
 */
export function byFolderVariants(facts: OptionFacts, variants: readonly Variant[]): Variant[] {
  const { folders } = facts
  if (!folders) return []
  const named = new Map(variants.map((one) => [one.name, one]))
  const mixed = folders.parts.flatMap((part): Mixed[] => {
    const whole = named.get(withoutTypes(part.option))
    return whole ? [{ part, whole }] : []
  })
  if (mixed.length === 0 || mixed.length < folders.parts.length) return []
  return [variant(facts, folders.recipe, mixed, folders.unused)]
}

/**
 * The variant that a part is forecast by: types that are stored as they are count in the part.
 */
function withoutTypes(option: string): string {
  const recipe = mixedRecipe(option)
  if (recipe?.family !== 'compressed-files') return option
  return printRecipe({ family: recipe.family, codec: recipe.codec })
}

function variant(
  { survey }: OptionFacts,
  recipe: RecipeOf<'by-folder'>,
  mixed: readonly Mixed[],
  unused: readonly string[],
): Variant {
  const stored = storedBytes(mixed)
  const each = (of: (whole: Variant) => Estimate): Estimate => {
    const parts = mixed.map(({ part, whole }) => shareOf(of(whole), part, survey.totals.bytes))
    return sumTogether(parts, parts[0]?.basis ?? '')
  }
  const most = (of: (whole: Variant) => Estimate): Estimate =>
    largest(
      mixed.map(({ whole }) => of(whole)),
      said`the largest need of its options`,
    )
  const mean = (of: (whole: Variant) => Estimate): Estimate =>
    sumTogether(
      mixed.map(({ part, whole }) => scaled(of(whole), part.files / Math.max(1, survey.totals.files))),
      said`files of each folder by its option`,
    )
  const [packSeconds, unpackSeconds] = [each((one) => one.packSeconds), each((one) => one.unpackSeconds)]
  const encryptions = mixed.map(({ whole }) => whole.encryption)
  const waits = mixed.flatMap(({ part, whole }) =>
    whole.waitSeconds ? [scaled(whole.waitSeconds, part.files / Math.max(1, survey.totals.files))] : [],
  )
  const containers = mixed.reduce((sum, { part, whole }) => sum + containersOf(part, whole), 0)
  return variantOf({
    recipe,
    title: said`By folder: ${recipe.rules.map(({ glob, option }) => `${pathForDisplay(glob)} ${option}`).join(', ')}`,
    container: 'by-folder',
    reduction: mixed.some(({ whole }) => whole.reduction === 'solid') ? 'solid' : 'compression',
    storedBytes: stored,
    storedFiles: exact(containers, said`the archives, counted`),
    largestPieceBytes: Math.max(
      ...mixed.map(({ part, whole }) => Math.min(whole.largestPieceBytes, part.largestBytes)),
    ),
    packSeconds,
    packThreads: threadsOf(
      mixed,
      (one) => one.packThreads,
      (one) => one.packSeconds,
    ),
    packRamBytes: most((one) => one.packRamBytes),
    ...(waits.length > 0 && { waitSeconds: sumTogether(waits, waits[0]?.basis ?? '') }),
    unpackSeconds,
    unpackThreads: threadsOf(
      mixed,
      (one) => one.unpackThreads,
      (one) => one.unpackSeconds,
    ),
    useRamBytes: most((one) => one.useRamBytes),
    fetchBytes: mean((one) => one.fetchBytes),
    fetchSeconds: mean((one) => one.fetchSeconds),
    access: 'extract',
    readers: readersOf(mixed),
    makers: mixed.reduce(
      (all, { whole }) => all.filter((system) => whole.makers.includes(system)),
      mixed[0]?.whole.makers ?? [],
    ),
    encryption: encryptions.every((one) => one !== null) ? (encryptions[0] ?? null) : null,
    risks: [...new Set(mixed.flatMap(({ whole }) => whole.risks))],
    notes: [
      ...mixed.map(
        ({ part }) =>
          said`${part.option} packs ${formatCounted(part.files, 'file')} into ${formatCounted(part.archives, 'archive')}.`,
      ),
      ...unused.map((glob) => said`The rule ${pathForDisplay(glob)} is for no file.`),
      ...new Set(mixed.flatMap(({ whole }) => whole.notes)),
    ],
  })
}

/**
 * The sum of the parts. The errors of the forecasts of whole sources add up; those of the parts,
 * which no sample was taken for, have nothing to do with each other.
 */
function storedBytes(mixed: readonly Mixed[]): Estimate {
  let value = 0
  let [below, above] = [0, 0]
  const apart: [below: number, above: number][] = []
  for (const { part, whole } of mixed) {
    const { value: all, low, high } = whole.storedBytes
    const own = all * part.share.value
    value += own
    below += (all - low) * part.share.value
    above += (high - all) * part.share.value
    const error =
      (part.mixedTypes * MIXED_TYPES_ERROR + Math.max(0, 1 - part.share.value) * FOLDER_ERROR) * own
    apart.push([
      Math.hypot(error, all * (part.share.value - part.share.low)),
      Math.hypot(error, all * (part.share.high - part.share.value)),
    ])
  }
  const span: Span = {
    value,
    low: value - Math.hypot(below, ...apart.map(([low]) => low)),
    high: value + Math.hypot(above, ...apart.map(([, high]) => high)),
  }
  return estimateOf(span, 'modelled', said`the forecasts of its options, for the files of each`)
}

/** Work goes with the bytes of a part, with what is left of them when packed, or between. */
function shareOf(work: Estimate, { bytes, share }: FolderPart, allBytes: number): Estimate {
  const byBytes = allBytes > 0 ? bytes / allBytes : 0
  const [least, most] = [Math.min(byBytes, share.value), Math.max(byBytes, share.value)]
  return estimateOf(
    { value: (work.value * (least + most)) / 2, low: work.low * least, high: work.high * most },
    work.provenance,
    work.basis,
  )
}

/** The cores that keep all parts busy, one after the other. */
function threadsOf(
  mixed: readonly Mixed[],
  threads: (whole: Variant) => number,
  work: (whole: Variant) => Estimate,
): number {
  const sum = (of: (one: Mixed) => number): number => mixed.reduce((all, one) => all + of(one), 0)
  const seconds = ({ part, whole }: Mixed): number => work(whole).value * part.share.value
  const alone = sum((one) => seconds(one) / threads(one.whole))
  return alone > 0 ? Math.max(1, sum(seconds) / alone) : 1
}

function containersOf({ files, archives }: FolderPart, whole: Variant): number {
  return whole.family === 'compressed-files' ? files : archives
}

/** Each option needs a program of its own: the readers of all, each once. */
function readersOf(mixed: readonly Mixed[]): Reader[] {
  const all = mixed.flatMap(({ whole }) => whole.readers)
  return [...new Map(all.map((reader) => [JSON.stringify(reader), reader])).values()]
}
