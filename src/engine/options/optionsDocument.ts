/**
 * The room `options` compares ways to store a surveyed source, and builds one of them.
 * How: facts of survey, disk and programs go into the estimates of `src/domain/options`; `builders`
 * has one builder for each kind, and each build is kept with its forecast.
 * Not here: recipes and ranking (`src/domain/options`), plans (`sets`).
 */

import {
  type Goal,
  OPTIONS_SCHEMA,
  type Option,
  type OptionsDocument,
  type OptionsRequest,
  type TargetRates,
} from '../../contract/dto/options'
import type { SurveyDocument } from '../../contract/dto/survey'
import type { LookDocument } from '../../domain/look/lookDocument'
import { LOOK_UNDECIDED } from '../../domain/look/lookFacts'
import { priceOfMedium, times } from '../../domain/media/price'
import type { BuildDemands } from '../../domain/options/choice/demands'
import type { Ability } from '../../domain/options/choice/here'
import type { OptionRow } from '../../domain/options/choice/option'
import type { FolderFacts, MachineFacts, MediumFacts } from '../../domain/options/facts'
import { allVariants } from '../../domain/options/families/registry'
import { variantsStoring } from '../../domain/options/families/typesAsIs'
import { listOptions, type OptionsList } from '../../domain/options/listOptions'
import { reductionsOf } from '../../domain/options/reductions'
import { unreadText } from '../../domain/survey/unreadText'
import { AppError } from '../../primitives/appError'
import type { Clock } from '../../primitives/clock'
import { said } from '../../primitives/said'
import type { Catalog } from '../catalog/catalog'
import type { FolderCatalog } from './folderFacts'
import { type FactsCatalog, optionFacts, requestedMedia } from './optionFacts'
import { type Looks, type OptionSource, optionSource } from './optionSource'
import { planOf } from './plannability'

/** The parts of the catalog that options are computed from. */
export type OptionsCatalog = FactsCatalog & FolderCatalog & Pick<Catalog, 'survey'>

/** The machine that options are forecast for, and what its programs can build. */
export interface OptionsMachine {
  facts(): Promise<MachineFacts>
  /** Looks which programs are there. */
  buildability(
    variants: readonly string[],
    demands: BuildDemands,
    clock: Clock,
  ): Promise<ReadonlyMap<string, Option['build']>>
  /** The files of a survey by the rules of an option by folder; null for another option. */
  folders(catalog: FolderCatalog, survey: SurveyDocument, name: string): FolderFacts | null
}

/**
 * Every way to store the source of a survey or a look, as asked for. Reads the catalog, and asks
 * the machine.
 * @throws AppError `not-found`, `usage` for a medium that there is none of
 */
export async function optionsDocument(
  catalog: OptionsCatalog,
  clock: Clock,
  request: OptionsRequest,
  machine: OptionsMachine,
  looks?: Looks,
): Promise<OptionsDocument> {
  const startedMs = clock.monotonicMs()
  const source = optionSource(catalog, looks, request.surveyId)
  const media = requestedMedia(request.mediumIds)
  const folders = foldersOf(catalog, source, request, machine)
  const { facts, target } = optionFacts(catalog, source.facts, request, await machine.facts(), folders)
  const variants = variantsStoring(facts, allVariants(facts), request.storeAsIs ?? [])
  const abilityOf = await abilities(
    variants.map(({ name }) => name),
    request,
    clock,
    machine,
  )
  const listed = listOptions(facts, variants, media, request, abilityOf)
  const list = source.look ? withUndecided(listed, request.goal) : listed
  const { options }: Pick<OptionsDocument, 'options'> = list as Mutable<typeof list>
  return {
    schema: OPTIONS_SCHEMA,
    createdWallMs: clock.wallMs(),
    surveyId: source.id,
    request,
    source: {
      roots: source.roots,
      files: source.totals.files,
      bytes: source.totals.bytes,
      partial: source.partial,
      ...(source.partial && source.unread && { unread: source.unread }),
    },
    machine: {
      system: facts.machine.system,
      cores: facts.machine.cores,
      memoryBytes: facts.machine.memoryBytes,
    },
    target,
    calibration: [],
    ...(list as Mutable<typeof list>),
    options: options.map((option) => withCost(option, request)),
    ...(request.withReductions && {
      reductions: reductionsOf(facts, variants),
    }),
    ...(source.look && { preliminary: preliminaryOf(source.look) }),
    advice: adviceOf(source, target),
    elapsedMs: clock.monotonicMs() - startedMs,
  }
}

/**
 * The files by the rules of an option by folder, where one is requested.
 * @throws AppError `refused` for a look, which knows no single files; as the machine's `folders`
 */
function foldersOf(
  catalog: OptionsCatalog,
  { look, id }: OptionSource,
  { byFolder }: OptionsRequest,
  machine: OptionsMachine,
): FolderFacts | null {
  if (byFolder === undefined) return null
  if (look)
    throw new AppError('refused', said`cannot forecast an option by folder from a look: survey the source`)
  const folders = machine.folders(catalog, catalog.survey(id), byFolder)
  if (folders) return folders
  throw new AppError('usage', said`${byFolder} is no option by folder`)
}

/** An option with its cost, where the request has a price of its medium. */
function withCost(option: Option, { prices = [] }: OptionsRequest): Option {
  const price = priceOfMedium(prices, option.medium)
  if (!price) return option
  const { value, low, high } = option.estimate.volumes
  const cost = (count: number): number => times(price, Math.round(count))
  return { ...option, cost: { value: cost(value), low: cost(low), high: cost(high), price } }
}

/** The domain's lists are read-only; the contract's types, made from schemas, are not. */
type Mutable<T> = T & Pick<OptionsDocument, 'options' | 'recommended' | 'chosen' | 'presets' | 'impossible'>

const NO_DEMANDS = { encryption: 'none', protection: 0 } as const

/**
 * The abilities of builders and plans for each option, with the encryption and recovery data that
 * are requested and without.
 */
async function abilities(
  variants: readonly string[],
  request: OptionsRequest,
  clock: Clock,
  machine: OptionsMachine,
): Promise<(option: OptionRow, medium: MediumFacts) => Ability> {
  const builds = await machine.buildability(variants, request, clock)
  const bare = await machine.buildability(variants, NO_DEMANDS, clock)
  const none = { possible: false, because: said`Stowage has no builder for it` }
  return (option, medium) => {
    const build = builds.get(option.variant) ?? none
    const plan = planOf(option, build, medium, request)
    const withoutDemands = planOf(option, bare.get(option.variant) ?? none, medium, NO_DEMANDS).form !== null
    return { build, plan, withoutDemands }
  }
}

function preliminaryOf({ sample, surveySeconds }: LookDocument): OptionsDocument['preliminary'] {
  return { readBytes: sample.readBytes, surveySeconds, undecided: [...LOOK_UNDECIDED] }
}

/** The same list, saying of goals that only a survey decides that their best is not known. */
function withUndecided(list: OptionsList, asked: Goal): OptionsList {
  const isUndecided = (goal: Goal): boolean => LOOK_UNDECIDED.some((one) => one === goal)
  const withDoubt = <One extends { readonly because: string }>(one: One): One => ({
    ...one,
    because: said`Only a survey tells which option is the smallest. Of those that a look knows: ${one.because}`,
  })
  const each = <One extends { readonly goal: Goal; readonly because: string }>(one: One): One =>
    isUndecided(one.goal) ? withDoubt(one) : one
  return {
    ...list,
    recommended: list.recommended.map(each),
    presets: list.presets.map(each),
    chosen: list.chosen && isUndecided(asked) ? withDoubt(list.chosen) : list.chosen,
  }
}

/** Advice that would make the figures better. */
function adviceOf(source: OptionSource, target: TargetRates): OptionsDocument['advice'] {
  const advice: OptionsDocument['advice'] = []
  if (target.measurementId === null) {
    advice.push({
      code: 'noProfile',
      text: said`No disk was measured, so write and read times are assumed. Measure the target disk.`,
    })
  }
  if (source.look) {
    advice.push({
      code: 'preliminary',
      text: said`This is a preliminary estimate. Only a survey tells what deduplication and solid archives save.`,
    })
  } else if (source.facts.compression.length === 0) {
    advice.push({
      code: 'noSamples',
      text: said`This survey has no samples: compression was not looked at, so packing may save more. Survey again with samples.`,
    })
  }
  if (source.partial) {
    const unread = unreadText(source)
    advice.push({
      code: 'partial',
      text: said`This survey was stopped early: the figures cover only the files it read${unread === null ? '' : said`, and ${unread}`}.`,
    })
  }
  if (source.totals.skipped > 0) {
    advice.push({
      code: 'skips',
      text: said`Some files could not be read and are not counted.`,
    })
  }
  return advice
}
