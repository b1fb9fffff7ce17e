import burnWords from '../../../assets/copy/en/burn.json' with { type: 'json' }
import costWords from '../../../assets/copy/en/cost.json' with { type: 'json' }
import { burnText } from '../../contract/burnText'
import { costText } from '../../contract/costText'
import { namedArchives } from '../../contract/dto/archive'
import type { SetAside } from '../../contract/dto/job'
import {
  mediaOf,
  type PlanDocument,
  type PlannedImage,
  planRequestSchema,
  type VolumeTimes,
} from '../../contract/dto/plan'
import { type SurveyRequest, surveyRequestSchema } from '../../contract/dto/survey'
import { stepsOf, timeColumn } from '../../contract/tables/planTables'
import { pricesOf } from '../../domain/media/price'
import { recipeCode, recipeText } from '../../domain/options/recipes/byFolder'
import { groupedBy, partsOf, printRecipe, type Recipe } from '../../domain/options/recipes/recipe'
import { pathSchema } from '../../domain/scalars'
import { UDF_ENTRIES } from '../../domain/sets/packing/udfEntries'
import { requireProtectable } from '../../domain/sets/protection/protectable'
import { type ProjectName, projectTitleSchema } from '../../domain/survey/projectName'
import { realPathAt } from '../../engine/files/fileSystem'
import { newId } from '../../engine/jobs/newId'
import { excludedText } from '../../engine/sets/export/excludedText'
import { sizeText } from '../../engine/sets/export/setAside'
import { packedPlan } from '../../engine/sets/plan/packedPlan'
import { requirePlaceable } from '../../engine/sets/plan/placedSource'
import { absolutePath } from '../../files/absolutePath'
import { messagesOf } from '../../language/messages'
import { AppError } from '../../primitives/appError'
import { parseSize } from '../../primitives/bytes'
import { EXIT } from '../../primitives/exitCode'
import { isBelow } from '../../primitives/isBelow'
import { pathForDisplay } from '../../primitives/pathText'
import { formatBandSize, formatCount, formatCounted } from '../../primitives/quantity'
import { archiveNamed } from '../archives'
import { checked, type OptionToken, readArguments } from '../arguments'
import { PLAN } from '../declarations/sets'
import { pathsOf, projectGiven, projectValues } from '../project'
import { openSession, type Session } from '../session'
import { openSettings, printConfig } from '../settings'
import { firstRows } from '../shape/firstRows'
import { nameNotes } from '../shape/nameNotes'
import { nextCommand, typedPath } from '../shape/nextCommand'
import { formatSize, formatSizeRange } from '../shape/sizes'
import { cellText } from '../shape/tableLines'
import { wrapped } from '../shape/wrapped'
import type { Terminal } from '../terminal'
import { type AddedTo, addedTo, growthText } from './addedTo'
import { copyNumber } from './copyArguments'
import { optionGiven } from './folderOption'
import { askedByDats, isPlannedByDats, noteLent, requireDatsOf } from './givenDats'
import { surveyGiven } from './givenSurvey'
import { mediaGiven } from './mediumGiven'
import { encryptionOf } from './optionDemands'
import {
  filledText,
  placementAsked,
  placementIn,
  placementText,
  requirePlacedThere,
  romSetsText,
} from './placement'
import { printComparison } from './planComparison'
import { protectionAsked, protectionText, setProtectionAsked, setProtectionText } from './protection'
import { printProtection } from './protectionComparison'
import { recipeStoring, storeAsIsOf, typesForCheck, typesToStore } from './storeAsIs'
import { SURVEY_PROBLEMS } from './survey'
import { defaultRulesText, refuseRules, rulesOf } from './surveyRules'
import { volumeLines } from './volumeLines'

const BURN_WORDS = messagesOf('en', burnWords)
const COST_WORDS = messagesOf('en', costWords)

const SHOWN_PROBLEMS = 4

const PROBLEMS = {
  labelPrefix: '--label takes 1 to 24 of A-Z, 0-9 and _',
  recipe: '--option takes the ID of an option',
  protectionMemoryBytes: '--max-memory takes 16MiB or more',
  directory: '--out is longer than a path can be',
}

/** @throws AppError `usage` for any builder but the one that there is */
function requireOwnBuilder(builder = 'own'): void {
  if (builder === 'own') return
  throw new AppError(
    'usage',
    builder === 'xorriso'
      ? '--builder xorriso is gone: Stowage makes all disc images itself, with UDF and ISO 9660; leave the option out'
      : '--builder takes own',
  )
}

/** The part of another command that a plan is. */
interface PartOf {
  /** It is an addition to an archive: nothing else can be planned. */
  readonly isAddition: boolean
  /** It is built next. */
  readonly isBuilt: boolean
}

export async function planCommand(
  args: readonly string[],
  out: Terminal,
  partOf: PartOf = { isAddition: false, isBuilt: false },
): Promise<number> {
  const { values, positionals, tokens } = readArguments(args, PLAN)
  requireOwnBuilder(values.builder)
  const begun = await archiveBegun(values, positionals, out)
  const project = begun ? null : await projectGiven(values, positionals, out)
  const own = project?.project
  const archive = begun ?? project?.name
  const settings = await openSettings(out, project)
  const [recipe, onMedium] = (optionGiven(values, own, out) ?? '').split('@')
  const media = values.medium && (await mediaGiven(values.medium))
  const given = media?.mediumId ?? (onMedium || undefined)
  const option = values.medium === undefined ? '--option' : '--medium'
  const usualMedium = settings.used('medium', { option, text: given })
  const maxMemory = settings.used('max-memory', { option: '--max-memory', text: values['max-memory'] })
  const threads = settings.used('threads')
  const ruled = await rulesOf(tokens, values, settings, project)
  if (values['print-config']) {
    const used = project
      ? projectValues(project, {
          option: ['--option', values.option],
          optionFor: ['--option-for', values['option-for']?.join(' ')],
          encryption: ['--encrypt', values.encrypt],
          label: ['--label', values.label],
          protection: ['--protect', values.protect],
        })
      : []
    return printConfig(
      [
        usualMedium,
        ...used,
        maxMemory,
        threads,
        ...ruled.used,
        settings.used('work-folder'),
        settings.used('units'),
      ],
      out,
    )
  }
  const isCompared = values.compare || values['compare-protection']
  const comparing = values.compare ? '--compare' : '--compare-protection'
  if (values.compare && values['compare-protection'])
    throw new AppError('usage', '--compare and --compare-protection are two commands: leave one out')
  if (isCompared && values.out !== undefined)
    throw new AppError('usage', `${comparing} writes no plan: leave out --out`)
  if (values.out === undefined && !isCompared) throw new AppError('usage', '--out DIR is missing')
  if (!project && (positionals.length === 0) === (values.survey === undefined)) {
    throw new AppError('usage', 'give either folders or a survey (--survey)')
  }
  if (values.survey !== undefined) refuseRules(tokens)
  const { rules } = ruled
  const paths = project ? pathsOf(project) : positionals
  await using session = openSession(out)
  // What is wrong with the medium, the label or the place is said before anything is read.
  const medium = await session.engine.media.get({ mediumId: usualMedium.value })
  const encryption = encryptionOf(values.encrypt) ?? own?.encryption ?? 'none'
  const asIs = storeAsIsOf(values['store-as-is'])
  const packing = { recipe: recipe || 'plain', encryption, joined: values.joined }
  const name = recipeStoring(packing.recipe, asIs, typesForCheck(asIs))
  const packed = packedPlan({ ...packing, recipe: name }, medium)
  const placement = placementAsked(values)
  if (placement) {
    requirePlaceable(placement, { medium, packed, recipe: name })
    if (values.survey === undefined) requirePlacedThere(paths, placement)
  }
  // The DATs of a project are read for the plans that they change, those of the line for each.
  const byDats =
    values.dat || values.layout || isPlannedByDats(packing.recipe) ? askedByDats(values, project) : {}
  const directory = absolutePath(values.out ?? '.')
  const label = values.label ?? own?.label
  const { directory: _, ...asked } = checked(
    planRequestSchema.omit({ surveyId: true }).extend({ directory: pathSchema }),
    {
      mediumId: medium.id,
      ...(media && media.firstMedia.length > 0 && { firstMedia: media.firstMedia }),
      ...(media?.mostVolumes && { mostVolumes: media.mostVolumes }),
      forExport: true,
      directory,
      ...packing,
      ...(label === undefined ? {} : { labelPrefix: label }),
      copies: copyNumber(values.copies, '--copies') ?? own?.copies,
      prices: pricesOf(settings.used('prices').value),
    },
    PROBLEMS,
  )
  if (isCompared) {
    if (packed || name !== 'plain')
      throw new AppError(
        'refused',
        `cannot compare ${values.compare ? 'orders' : 'protection'} for ${name}: only plans of plain files are compared`,
      )
    if (media && (media.firstMedia.length > 0 || media.mostVolumes !== undefined))
      throw new AppError('usage', `${comparing} takes one --medium, without a number`)
    if (values.compare && placement?.order !== undefined)
      throw new AppError('usage', '--compare shows every order: leave out --order')
  } else await session.checkExportPlace(directory, values.force)
  const protectSet = setProtectionAsked(values['protect-set'], {
    medium,
    packed,
    firstMedia: media?.firstMedia,
  })
  if (isCompared && protectSet)
    throw new AppError(
      'usage',
      values.compare
        ? '--compare shows plans without parity discs: leave out --protect-set'
        : '--compare-protection shows plans with and without parity discs: leave out --protect-set',
    )
  // What is usual is made only where it can be; a share is asked for.
  const recovery = values.protect ?? (own?.protection === 'fill' ? undefined : own?.protection)
  const protection = protectionAsked(recovery, { medium, packed })
  if (values['compare-protection']) requireProtectable(medium)
  const growing = { packed, isAddition: partOf.isAddition }
  const earlier = isCompared ? null : await addedTo(session, values, project, growing, out)
  const surveyId =
    values.survey === undefined
      ? await surveyFor(
          session,
          paths,
          {
            rules,
            ...(archive && { project: archive }),
            ...byDats,
            samples: packing.recipe === 'plain' ? 'quick' : 'normal',
            maxMemoryBytes: parseSize(maxMemory.value),
            ...(threads.value !== 'auto' && { threads: threads.value }),
          },
          packed?.recipe,
          out,
        )
      : await surveyGiven(session, values.survey)
  const survey = await session.engine.survey.get({ surveyId })
  if (values.survey !== undefined) await requireDatsOf(survey, values)
  if (isCompared) {
    const { mediumId, labelPrefix } = asked
    const compared = {
      surveyId,
      mediumId,
      ...(labelPrefix && { labelPrefix }),
      ...(protection !== undefined && { protection }),
      ...(placement && { placement: placementIn(survey.roots, placement) }),
    }
    if (values.compare)
      return printComparison(await session.engine.plan.compare(compared), repeatedIn(tokens), out)
    const levels = await session.engine.plan.compareProtection(compared)
    return printProtection(levels, repeatedIn(tokens, 'protect'), out)
  }
  const types = typesToStore(asIs, survey, out)
  const missing = await session.engine.survey.missingSha256({ surveyId })
  if (missing.files > 0) {
    const what = `${formatSize(missing.bytes)} of ${formatCounted(missing.files, 'file')}`
    out.note(`Reading ${what} once for SHA-256, which this survey lacks`)
  }
  noteLent(packing.recipe, survey, out)
  const planId = await session.run(() =>
    session.engine.plan.start({
      ...asked,
      ...earlier,
      ...(archive && { project: archive }),
      ...(values['record-names'] && { recordNames: true }),
      recipe: recipeStoring(packing.recipe, asIs, types),
      surveyId,
      ...(placement && { placement: placementIn(survey.roots, placement) }),
      ...(protection !== undefined && { protection }),
      ...(protectSet && { protectSet }),
      ...(values['max-memory'] !== undefined && { protectionMemoryBytes: parseSize(maxMemory.value) }),
    }),
  )
  if (project?.isArchive && earlier) await requireUnchanged(session, project.name, earlier)
  let setAside: SetAside | undefined
  await session.run(
    () => session.engine.plan.export({ planId, directory, force: values.force }),
    undefined,
    undefined,
    { onEnd: (end) => (setAside = end.setAside) },
  )
  if (begun || project?.isArchive || (project && (await isStored(session, project.name))))
    await session.engine.archive.keep({ planId })
  const document = await session.engine.plan.get({ planId })
  const { totals } = survey
  out.document(document)
  printPlan(document, { directory, defaultRules: defaultRulesText(ruled), isBuilt: partOf.isBuilt }, out)
  if (setAside !== undefined) {
    const moved = `the plan that was in ${pathForDisplay(directory)} is now in ${pathForDisplay(setAside.path)}`
    out.notes(wrapped(`${moved} (${sizeText(setAside)})`))
  }
  const place = realPathAt(directory) ?? directory
  const source = document.roots.find((root) => isBelow(place, root))
  if (source !== undefined) {
    const lies = `${pathForDisplay(directory)} lies inside ${pathForDisplay(source)}`
    out.notes(wrapped(`${lies}: surveys of that leave it out`))
  }
  if (totals.skipped > 0) {
    out.note(`what could not be read: stowage survey --survey ${surveyId} --table skipped`)
    return EXIT.doneWithSkips
  }
  return EXIT.done
}

/**
 * The archive that a plan begins: its name is new, and its sources are given.
 * @returns null without --archive, and for an archive that there is
 * @throws AppError `usage` for sources next to an archive that has its own
 */
async function archiveBegun(
  { archive, project, survey }: { archive?: string; project?: string; survey?: string },
  positionals: readonly string[],
  out: Terminal,
): Promise<ProjectName | null> {
  if (archive === undefined || archive === '' || project !== undefined) return null
  if (positionals.length === 0 && survey === undefined) return null
  await using session = openSession(out)
  const { archives } = await session.engine.archive.list()
  if (namedArchives(archives, archive).length === 0) return { id: newId('pr'), name: titleGiven(archive) }
  const { name } = archiveNamed(archives, archive)
  throw new AppError(
    'usage',
    `there is an archive ${name} with sources of its own: leave out ${positionals.join(' ') || '--survey'}, or give another name`,
  )
}

/** True for a stored archive: its answers are those of its last plan, whoever gave them. */
async function isStored(session: Session, { id }: ProjectName): Promise<boolean> {
  const { archives } = await session.engine.archive.list()
  return archives.some((archive) => archive.id === id && !archive.isDerived)
}

function titleGiven(name: string): string {
  const title = projectTitleSchema.safeParse(name)
  if (title.success) return title.data
  throw new AppError('usage', '--archive takes a name of 1 to 200 characters')
}

/**
 * @throws AppError `changed` where another command has planned the same addition meanwhile: both
 *   plans together would hold it twice
 */
async function requireUnchanged(
  session: Session,
  { id, name }: ProjectName,
  { addTo }: AddedTo,
): Promise<void> {
  if (addTo === undefined) return
  const { planId, unbuilt } = await session.engine.archive.addition({ archiveId: id })
  if (planId === addTo && unbuilt === null) return
  throw new AppError('changed', `another plan was added to ${name} meanwhile: run the command again`)
}

/** The options of a comparison that a plan takes too, as they were given. */
const OF_BOTH = new Set([
  'medium',
  'builder',
  'label',
  'pin',
  'keep',
  'volume-label',
  'label-by',
  'reserve',
  'protect',
  'order',
])

/** @param but the option that the comparison gives itself */
function repeatedIn(tokens: readonly OptionToken[], but?: string): string[] {
  return tokens.flatMap((token) =>
    token.kind === 'option' && OF_BOTH.has(token.name) && token.name !== but && token.value !== undefined
      ? [`--${token.name}`, token.value]
      : [],
  )
}

/** A survey for a plan: of every file where an earlier one no longer forecasts its packing. */
async function surveyFor(
  session: Session,
  paths: readonly string[],
  asked: Pick<SurveyRequest, 'rules' | 'project' | 'dats' | 'samples' | 'maxMemoryBytes' | 'threads'>,
  recipe: Recipe | undefined,
  out: Terminal,
): Promise<string> {
  const request = checked(
    surveyRequestSchema,
    { paths: paths.map((path) => absolutePath(path)), sha256: true, ...asked },
    SURVEY_PROBLEMS,
  )
  const surveyId = await session.run(() => session.engine.survey.start(request))
  const ways = recipe ? partsOf(recipe).flatMap((part) => groupedBy(part) ?? []) : []
  if (ways.length === 0 || !recipe) return surveyId
  const { trusted, grouped = [] } = await session.engine.survey.get({ surveyId })
  if (!trusted || ways.every((by) => grouped.some((row) => row.by === by))) return surveyId
  out.note(`reading every file: too much has changed for the earlier forecast of ${printRecipe(recipe)}`)
  return session.run(() => session.engine.survey.start({ ...request, full: true }))
}

/** The plan as a person reads it. */
function printPlan(
  document: PlanDocument,
  { directory, defaultRules, isBuilt }: { directory: string; defaultRules: string | null; isBuilt: boolean },
  out: Terminal,
): void {
  const { totals, medium, problems, packing } = document
  const show = (text: string, indent = '  '): void => out.lines(wrapped(text, indent))
  // One folder on a disk has no capacity that could be full.
  const isUndivided = medium.id === 'disk'
  const on = mediaOf(document).map(({ medium: one, volumes: count }) => `${formatCount(count)} × ${one.name}`)
  const fewest =
    packing || isUndivided || totals.volumes === 1 || totals.lowerBoundVolumes < totals.volumes
      ? ''
      : problems.some(({ code }) => code === UDF_ENTRIES)
        ? ' (fewer images with UDF cannot hold them)'
        : ' (fewer cannot hold them)'
  show(
    `${formatCounted(totals.files, 'file')}, ${formatSize(totals.bytes)}, ${isUndivided ? `in ${medium.name}` : `on ${on.join(' and ')}`}${fewest}. ` +
      `Plan ${document.id} is in ${pathForDisplay(directory)}.`,
  )
  const added = growthText(document)
  if (added !== null) show(added)
  if (packing) show(packingText(packing))
  const placed = placementText(document)
  if (placed !== null) show(placed)
  const filled = filledText(document)
  if (filled !== null) show(filled)
  const together = romSetsText(document)
  if (together !== null) show(together)
  const guarded = protectionText(document)
  if (guarded !== null) show(guarded)
  const acrossSet = setProtectionText(document)
  if (acrossSet !== null) show(acrossSet)
  const cost = costText(document, COST_WORDS.say)
  if (cost !== null) show(cost)
  if (document.excluded) show(`Left out: ${excludedText(document.excluded)}.`)
  if (defaultRules !== null) show(defaultRules)
  if (document.equalFiles) show('Identical files are stored once on each disc.')
  if (document.times) show(`Times: ${timesLine(document.times.total)}.`)
  if (document.times?.burn) show(burnText(document.times.burn, BURN_WORDS.say))
  out.line()
  out.lines(volumeLines(document, 'report.html in the plan folder'), '  ')
  if (totals.splitFiles > 0) {
    show(
      `  ${formatCounted(totals.splitFiles, 'file')} larger than a volume: split into parts, which cat joins.`,
    )
  }
  const { names, others } = nameNotes(problems)
  for (const name of names) out.notes(wrapped(name, ''))
  if (names.length > 0)
    out.notes(
      wrapped(
        'Restoring with Stowage gives every file its own name; to change what discs show, rename the files and survey again. Names of each kind: report.html in the plan folder',
        '',
      ),
    )
  const listed = firstRows(others, SHOWN_PROBLEMS, 'report.html in the plan folder')
  for (const { message } of listed.shown) out.note(pathForDisplay(message))
  out.notes(listed.rest)
  out.line()
  if (packing?.image) show('Next: take this folder to a Mac and run "sh build-on-mac.sh" in it.')
  else if (!isBuilt) out.lines(nextCommand('Next:', ['build', typedPath(directory)]))
}

function packingText({
  recipe,
  bytes,
  encryption,
  arrangement,
  image,
}: NonNullable<PlanDocument['packing']>): string {
  const arranged = arrangement === 'joined' ? 'one archive across all volumes' : 'each volume restores alone'
  const how = image ? imageWords(image) : arranged
  const guarded = encryption === 'none' ? '' : `, encrypted (${encryption.toUpperCase()})`
  const unit = formatSize(bytes.value).split(' ').at(-1)
  const range = formatSizeRange(bytes.value, bytes.low, bytes.high)
  return `Packed ${recipeCode(recipe) === recipe ? `as ${recipe}` : `by folder (${recipeText(recipe)})`}: ${range} ${unit} ◐${guarded}; ${how}.`
}

/** `a disk of 120 MB, bands of 1 MiB, made on a Mac`. */
function imageWords({ bytes, bandBytes }: PlannedImage): string {
  const bands = bandBytes === null ? '' : `, bands of ${formatBandSize(bandBytes)}`
  return `a disk of ${formatSize(bytes)}${bands}, made on a Mac`
}

/** `pack 12 s to 18 s, build …`: the steps that take any time at all. */
function timesLine(times: VolumeTimes): string {
  const column = timeColumn(times, 'all')
  return stepsOf(times)
    .map((step) => `${step} ${cellText(column, step)}`)
    .join(', ')
}
