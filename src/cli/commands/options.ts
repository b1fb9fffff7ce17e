import { lookBesideSurvey, lookDocumentSchema } from '../../contract/dto/look'
import {
  DISK_MEDIUM,
  GOALS,
  type Goal,
  type GoalWeights,
  type OptionsRequest,
  optionsRequestSchema,
  SYSTEMS,
} from '../../contract/dto/options'
import {
  type Rules,
  type SurveyDocument,
  type SurveyRequest,
  surveyDocumentSchema,
  surveyRequestSchema,
} from '../../contract/dto/survey'
import { pricesOf } from '../../domain/media/price'
import { resolveMedium } from '../../domain/media/resolveMedium'
import { GOAL_WORDS, type Project, projectOption } from '../../domain/project/project'
import type { ProjectName } from '../../domain/survey/projectName'
import { mediaCatalogue } from '../../engine/media/mediaCatalogue'
import { absolutePath } from '../../files/absolutePath'
import { AppError } from '../../primitives/appError'
import { parseSize } from '../../primitives/bytes'
import { EXIT } from '../../primitives/exitCode'
import { checked, optionalSize, readArguments, type ValuesOf, wholeNumber } from '../arguments'
import { OPTIONS } from '../declarations/options'
import { pathsOf, projectGiven, projectValues } from '../project'
import { openSession, type Session } from '../session'
import { openSettings, printConfig } from '../settings'
import { namedTables, printTables } from '../shape/namedTables'
import { saveTable } from '../shape/savedTable'
import { wrapped } from '../shape/wrapped'
import type { Terminal } from '../terminal'
import { unknownName } from '../unknownName'
import { correctionLines } from './correctionLines'
import { folderOption } from './folderOption'
import { type AskedByDats, askedByDats, requireDatsOf } from './givenDats'
import { surveyGiven } from './givenSurvey'
import { lookAt } from './lookedSource'
import { encryptionOf, noteUncalibrated, shareOf } from './optionDemands'
import { optionsBuildCommand } from './optionsBuild'
import { explainOption, optionsCsv, printOptions } from './optionsReport'
import { printOptionsSummary } from './optionsSummary'
import { OPTIONS_TABLES } from './optionsTables'
import type { OptionsView } from './optionsView'
import { storeAsIsOf, typesToStore } from './storeAsIs'
import { SURVEY_PROBLEMS, sha256Of } from './survey'
import { surveyForOptions } from './surveyForOptions'
import { defaultRulesText, refuseRules, rulesOf } from './surveyRules'

/** `stowage options`: every way to store a source, compared; `options build` makes one for real. */
export async function optionsCommand(args: readonly string[], out: Terminal): Promise<number> {
  if (args[0] === 'build') return optionsBuildCommand(args.slice(1), out)
  const { values, positionals, tokens } = readArguments(args, OPTIONS)
  const project = await projectGiven(values, positionals, out)
  const settings = await openSettings(out, project)
  const maxMemory = settings.used('max-memory')
  const threads = settings.used('threads')
  const ruled = await rulesOf(tokens, values, settings, project)
  const media = (values.medium ?? [undefined]).map((text) =>
    settings.used('medium', { option: '--medium', text }, DISK_MEDIUM),
  )
  if (values['print-config']) {
    const own = project
      ? projectValues(project, { encryption: ['--encrypt', values.encrypt], goal: ['--goal', values.goal] })
      : []
    return printConfig(
      [
        ...media,
        ...own,
        maxMemory,
        threads,
        ...ruled.used,
        settings.used('work-folder'),
        settings.used('units'),
      ],
      out,
    )
  }
  if (!project && (positionals.length === 0) === (values.survey === undefined)) {
    throw new AppError('usage', 'give either folders or a survey (--survey)')
  }
  noteUncalibrated(values, out)
  if (values['entry-bytes'] !== undefined)
    out.note('--entry-bytes goes with the next version: set the bytes of a table entry in the window')
  const goal = values.goal ?? project?.project.goal
  const encrypt = values.encrypt ?? project?.project.encryption
  const wanted = { ...(goal !== undefined && { goal }), ...(encrypt !== undefined && { encrypt }) }
  const preferences = preferencesOf(
    { ...values, ...wanted },
    media.map(({ value }) => value),
  )
  const prices = pricesOf(settings.used('prices').value)
  const asIs = storeAsIsOf(values['store-as-is'])
  const byFolder = byFolderOf(values, project?.project)
  const tables = namedTables(OPTIONS_TABLES, values.table)
  if (values.survey !== undefined) refuseRules(tokens)
  if (values.look) refuseWithLook(values)
  const { rules } = ruled
  const paths = project ? pathsOf(project) : positionals
  await using session = openSession(out)
  const look = values.look ? await lookAt(session, paths, rules) : null
  const surveyed =
    look || values.survey !== undefined
      ? null
      : await surveyForOptions(
          session,
          requestOf(paths, {
            rules,
            project: project?.name,
            byDats: askedByDats(values, project),
            values,
            maxMemory: maxMemory.value,
            threads: threads.value,
          }),
          { preferences: { ...preferences, prices }, withLook: canLookFirst(values) },
          out,
        )
  const surveyId = look?.id ?? surveyed?.surveyId ?? (await surveyGiven(session, values.survey ?? ''))
  const survey = look ? null : surveyDocumentSchema.parse(await session.engine.survey.get({ surveyId }))
  if (survey && !surveyed) await requireDatsOf(survey, values)
  const storeAsIs = survey ? [...typesToStore(asIs, survey, out)] : []
  const asked = {
    ...preferences,
    surveyId,
    prices,
    ...(storeAsIs.length > 0 && { storeAsIs }),
    ...(byFolder !== undefined && { byFolder }),
  }
  const document = await session.engine.options.list(asked)
  await saveTable(values, session, 'options', () => optionsCsv(document), out)
  out.document(document)
  const candidates: OptionsView['candidates'] = async () => session.engine.options.candidates(asked)
  if (!out.json) {
    if (surveyed?.draftOf && !out.eraseDraft()) out.lines(['', 'The answer of the survey:'])
    if (values.explain !== undefined) explainOption(document, values.explain, out)
    else if (survey && tables.length > 0) await printTables({ document, survey, candidates }, tables, out)
    else if (values.all) printOptions(document, out)
    else printOptionsSummary(document, out)
    if (surveyed?.draftOf && survey) out.lines(await corrections(session, surveyed.draftOf, survey))
    const defaults = defaultRulesText(ruled)
    if (defaults !== null) out.lines(wrapped(`  ${defaults}`, '  '))
  }
  if (document.impossible !== null) return EXIT.cannotFit
  const skipped = (look ?? survey)?.totals.skipped ?? 0
  return skipped > 0 && values.survey === undefined ? EXIT.doneWithSkips : EXIT.done
}

/** The option by folder that is listed too: that of the line, else that of the project. */
function byFolderOf(
  { 'option-for': rules }: Pick<ValuesOf<typeof OPTIONS>, 'option-for'>,
  project: Project | undefined,
): string | undefined {
  if (rules !== undefined) return folderOption(rules, project?.option)
  return project?.optionFor === undefined ? undefined : projectOption(project)
}

/** Lines on the figures of the draft that the survey does not confirm. */
async function corrections(session: Session, lookId: string, survey: SurveyDocument): Promise<string[]> {
  const look = lookDocumentSchema.parse(await session.engine.survey.looked({ walkId: lookId }))
  return correctionLines(lookBesideSurvey(look, survey)).flatMap((line) => wrapped(`  ${line}`, '  '))
}

/** Options that a survey carries out, and a look does not. */
const SURVEY_ONLY = [
  'survey',
  'dat',
  'layout',
  'table',
  'store-as-is',
  'option-for',
  'samples',
  'sha256',
  'no-sha256',
] as const

/** The first one that was given. */
function surveyOnly(values: ValuesOf<typeof OPTIONS>): (typeof SURVEY_ONLY)[number] | undefined {
  return SURVEY_ONLY.find((name) => values[name] !== undefined && values[name] !== false)
}

/** True where nothing was asked for that a look does not answer too. */
function canLookFirst(values: ValuesOf<typeof OPTIONS>): boolean {
  return surveyOnly(values) === undefined && values.explain === undefined && values.csv === undefined
}

/** @throws AppError `usage` for what a look does not carry out */
function refuseWithLook(values: ValuesOf<typeof OPTIONS>): void {
  const given = surveyOnly(values)
  if (given !== undefined) throw new AppError('usage', `--${given} needs a survey: leave out --look`)
}

function requestOf(
  paths: readonly string[],
  asking: {
    rules: Rules
    project: ProjectName | undefined
    byDats: AskedByDats
    values: ValuesOf<typeof OPTIONS>
    maxMemory: string
    threads: 'auto' | number
  },
): SurveyRequest {
  const { rules, project, byDats, values, maxMemory, threads } = asking
  return checked(
    surveyRequestSchema,
    {
      paths: paths.map((path) => absolutePath(path)),
      rules,
      ...(project && { project }),
      ...byDats,
      samples: values.samples,
      sha256: sha256Of(values),
      maxMemoryBytes: parseSize(maxMemory),
      ...(threads !== 'auto' && { threads }),
    },
    SURVEY_PROBLEMS,
  )
}

/**
 * The settings of a command line, without the survey. @throws AppError `usage` naming the option
 * that is wrong
 */
function preferencesOf(
  values: ValuesOf<typeof OPTIONS>,
  media: readonly string[],
): Omit<OptionsRequest, 'surveyId'> {
  const asked = {
    surveyId: 's',
    mediumIds: media.map((id) => resolveMedium(mediaCatalogue, id).id),
    goal: values.weights === undefined ? goalOf(values.goal) : 'own',
    weights: values.weights === undefined ? null : weightsOf(values.weights),
    encryption: encryptionOf(values.encrypt),
    protection: values.protect === undefined ? 0 : shareOf(values.protect),
    limits: {
      bytes: optionalSize(values['max-size']) ?? null,
      volumes: wholeNumber('--max-volumes', values['max-volumes']) ?? null,
      seconds: values['max-time'] === undefined ? null : secondsOf(values['max-time']),
      ramBytes: optionalSize(values['max-ram']) ?? null,
      readableOn: systemsOf(values['readable-on']),
      inPlace: values['in-place'],
      container: values.container ?? null,
    },
    tableEntryBytes: wholeNumber('--entry-bytes', values['entry-bytes']),
    measurementId: values.profile ?? null,
    withReductions: values.table?.includes('reductions') ?? false,
  }
  const { surveyId: _, ...preferences } = checked(optionsRequestSchema, asked, PROBLEMS)
  return preferences
}

const PROBLEMS = {
  mediumIds: '--medium can be given 8 times at most',
  weights: '--weights takes numbers from 0 to 1',
  protection: '--protect takes a share from 0% to 100%',
  limits: '--max-time takes a time such as 30min, and --container the name of a container',
  tableEntryBytes: '--entry-bytes takes 16 to 4096',
  measurementId: '--profile takes the ID of a measurement',
}

function goalOf(text: string | undefined): Goal | undefined {
  if (text === undefined) return undefined
  const plain = text.replaceAll('-', '').toLowerCase()
  const goal = GOALS.find((each) => each.toLowerCase() === plain)
  if (goal && goal !== 'own') return goal
  throw unknownName('goal', text, GOAL_WORDS)
}

const MERITS: Readonly<Record<string, keyof GoalWeights>> = {
  size: 'bytes',
  build: 'buildSeconds',
  restore: 'restoreSeconds',
  ram: 'ramBytes',
  volumes: 'volumes',
  readers: 'portability',
}

/** `size=1,restore=0.5`; what is not named counts nothing. */
function weightsOf(text: string): GoalWeights {
  const weights = { bytes: 0, buildSeconds: 0, restoreSeconds: 0, ramBytes: 0, volumes: 0, portability: 0 }
  for (const part of text.split(',')) {
    const [, name = '', value = ''] = /^\s*([a-z]+)=(0|1|0?\.\d+|1\.0+)\s*$/.exec(part) ?? []
    const merit = MERITS[name]
    if (!merit) {
      throw new AppError(
        'usage',
        `--weights takes ${Object.keys(MERITS).join(', ')}, each with a number from 0 to 1: "${part.trim()}"`,
      )
    }
    weights[merit] = Number(value)
  }
  return weights
}

const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, min: 60, h: 3600, d: 86_400 }

function secondsOf(text: string): number {
  const [, value = '', unit = ''] = /^(\d+(?:\.\d+)?)\s*(s|min|h|d)$/.exec(text) ?? []
  const seconds = UNIT_SECONDS[unit]
  if (seconds !== undefined && Number(value) > 0) return Number(value) * seconds
  throw new AppError('usage', `--max-time takes a time such as 30min, 2h or 1d, not "${text}"`)
}

function systemsOf(text: string | undefined): string[] {
  if (text === undefined) return []
  return text.split(',').map((word) => {
    const system = SYSTEMS.find((each) => each === word.trim().toLowerCase())
    if (system) return system
    throw new AppError('usage', `--readable-on takes ${SYSTEMS.join(', ')}, not "${word.trim()}"`)
  })
}
