import {
  type KeptDocument,
  type Rules,
  type SurveyRequest,
  surveyDocumentSchema,
  surveyRequestSchema,
  walkDocumentSchema,
} from '../../contract/dto/survey'
import type { ProjectName } from '../../domain/survey/projectName'
import { absolutePath } from '../../files/absolutePath'
import { AppError } from '../../primitives/appError'
import { parseSize } from '../../primitives/bytes'
import { EXIT } from '../../primitives/exitCode'
import { pathForDisplay } from '../../primitives/pathText'
import { formatCount } from '../../primitives/quantity'
import { checked, readArguments, type ValuesOf } from '../arguments'
import { SURVEY } from '../declarations/survey'
import { pathsOf, projectGiven } from '../project'
import { openSession, type Session } from '../session'
import { openSettings, printConfig } from '../settings'
import { namedTables, printTables } from '../shape/namedTables'
import type { Terminal } from '../terminal'
import { noteRuleProblems, printWalk } from './excludedReport'
import { fingerprintsAsked, noteFingerprints } from './fingerprintOptions'
import { type AskedByDats, askedByDats, requireDatsOf } from './givenDats'
import { surveyGiven } from './givenSurvey'
import { surveyFingerprintsCommand } from './surveyFingerprints'
import { surveyMergeCommand } from './surveyMerge'
import { defaultRulesText, refuseRules, rulesOf, type UsedRules } from './surveyRules'
import { printSummary } from './surveySummary'
import { KEPT_TABLES, SURVEY_TABLES } from './surveyTables'
import type { SurveyView } from './surveyView'

/** Rows of folders that a table lists. */
const MOST_ROWS = 10_000

export async function surveyCommand(args: readonly string[], out: Terminal): Promise<number> {
  if (args[0] === 'fingerprints') return surveyFingerprintsCommand(args.slice(1), out)
  if (args[0] === 'merge') return surveyMergeCommand(args.slice(1), out)
  const { values, positionals, tokens } = readArguments(args, SURVEY)
  const project = await projectGiven(values, positionals, out)
  const settings = await openSettings(out, project)
  const maxMemory = settings.used('max-memory', { option: '--max-memory', text: values['max-memory'] })
  const threads = settings.used('threads', { option: '--threads', text: values.threads })
  const ruled = await rulesOf(tokens, values, settings, project)
  if (values['print-config'])
    return printConfig(
      [maxMemory, threads, ...ruled.used, settings.used('work-folder'), settings.used('units')],
      out,
    )
  if (!project && (positionals.length === 0) === (values.survey === undefined)) {
    throw new AppError('usage', 'give the folders or files to survey, or a survey to show (--survey)')
  }
  if (values['512']) out.note('--512 goes with the next version: give --block-size 512')
  const tables = namedTables(SURVEY_TABLES, values.table)
  if (values.survey !== undefined) refuseRules(tokens)
  const isWalk = values['dry-run'] || values['list-excluded']
  if (isWalk && values.survey !== undefined)
    throw new AppError('usage', '--dry-run and --list-excluded list folders, not a survey')
  if (values.fingerprints !== undefined && (isWalk || values.survey !== undefined))
    throw new AppError('usage', '--fingerprints needs a survey that reads: not with --survey or --dry-run')
  const { rules } = ruled
  const paths = project ? pathsOf(project) : positionals
  const request =
    values.survey === undefined
      ? requestOf(paths, {
          rules,
          project: project?.name,
          byDats: askedByDats(values, project),
          values,
          maxMemory: maxMemory.value,
          threads: threads.value,
        })
      : null
  if (request !== null && isWalk) return walkCommand(request, values['list-excluded'], ruled, out)
  const orderList = values['order-list']
  if (request?.fingerprints !== undefined) noteFingerprints(request, out)
  await using session = openSession(out)
  const surveyId =
    request === null
      ? await surveyGiven(session, values.survey ?? '')
      : await session.run(() => session.engine.survey.start(request))
  if (request?.fingerprints !== undefined)
    out.note(`fingerprints saved in ${pathForDisplay(request.fingerprints)}`)
  const document = surveyDocumentSchema.parse(await session.engine.survey.get({ surveyId }))
  if (request?.fingerprintsSince !== undefined && document.trusted === null)
    out.note('every file was read: no earlier survey in this catalog knows unchanged ones')
  if (request === null) await requireDatsOf(document, values)
  if (values.out !== undefined) await save(session, surveyId, absolutePath(values.out), values.force, out)
  if (values.sketch !== undefined) {
    await session.saveSketchFile(surveyId, absolutePath(values.sketch), values.force)
    out.note(`sketch saved as ${pathForDisplay(absolutePath(values.sketch))}`)
  }
  if (orderList !== undefined) {
    await session.saveOrderList(surveyId, absolutePath(orderList), values.force)
    out.note(
      `order of ${formatCount(document.totals.files)} files: ${pathForDisplay(absolutePath(orderList))}`,
    )
  }
  let answer: Promise<KeptDocument> | null = null
  const ask = async (): Promise<KeptDocument> => session.engine.survey.kept({ surveyId, limit: MOST_ROWS })
  const kept: SurveyView['kept'] = () => (answer ??= ask())
  const isKeptAsked = values.table?.some((name) => KEPT_TABLES.has(name)) === true
  const duplicates: SurveyView['duplicates'] = async () =>
    session.engine.survey.duplicates({ surveyId, limit: MOST_ROWS })
  const areDuplicatesAsked = values.table?.includes('duplicates') === true
  out.document(
    out.json
      ? {
          ...document,
          ...(isKeptAsked && { kept: await kept() }),
          ...(areDuplicatesAsked && { duplicates: await duplicates() }),
        }
      : document,
  )
  const view = { document, kept, duplicates }
  // Notes go to stderr with --json, too.
  if (tables.length === 0)
    printSummary(
      document,
      {
        kept: !out.json && (await hasVerified(session)) ? await kept() : null,
        defaultRules: defaultRulesText(ruled),
      },
      out,
    )
  else if (!out.json) await printTables(view, tables, out)
  if (values.all && !out.json) {
    out.line()
    await printTables(view, Object.values(SURVEY_TABLES), out)
  }
  noteRuleProblems(document, ruled.areDefault, out)
  const isIncomplete = document.totals.skipped > 0 || (document.excluded?.faults.length ?? 0) > 0
  return isIncomplete && values.survey === undefined ? EXIT.doneWithSkips : EXIT.done
}

/** False where no volume was verified: then the survey's entries need not be read. */
async function hasVerified({ engine }: Session): Promise<boolean> {
  return (await engine.plan.list()).some(({ verified, written }) => verified + written > 0)
}

/** Lists the folders and what rules leave out of them; reads no file. */
async function walkCommand(
  { paths, rules }: SurveyRequest,
  everyPath: boolean,
  ruled: UsedRules,
  out: Terminal,
): Promise<number> {
  await using session = openSession(out)
  const walkId = await session.run(() => session.engine.survey.walk({ paths, rules, everyPath, look: false }))
  const document = walkDocumentSchema.parse(await session.engine.survey.walked({ walkId }))
  out.document(document)
  printWalk(document, { everyPath, defaultRules: defaultRulesText(ruled) }, out)
  const hasFaults = document.totals.skipped > 0 || (document.excluded?.faults.length ?? 0) > 0
  return hasFaults ? EXIT.doneWithSkips : EXIT.done
}

/** For `checked`: what the options of a survey take. */
export const SURVEY_PROBLEMS = {
  samples: '--samples takes none, fast, normal or thorough',
  maxMemoryBytes: '--max-memory takes 16MiB or more',
  paths: 'too many paths for one survey: name a folder that holds them',
  dats: 'too many DATs for one survey',
}

function requestOf(
  paths: readonly string[],
  asking: {
    rules: Rules
    project: ProjectName | undefined
    byDats: AskedByDats
    values: ValuesOf<typeof SURVEY>
    maxMemory: string
    threads: 'auto' | number
  },
): SurveyRequest {
  const { rules, project, byDats, values, maxMemory, threads } = asking
  const asked = {
    paths: paths.map((path) => absolutePath(path)),
    rules,
    ...(project && { project }),
    ...byDats,
    sha256: sha256Of(values),
    blockSizes: [...(values['block-size'] ?? []), ...(values['512'] ? ['512'] : [])].map(parseSize),
    samples: values.quick ? 'quick' : values.samples,
    maxMemoryBytes: parseSize(maxMemory),
    ...(threads !== 'auto' && { threads }),
    full: values.full,
    order: values['order-list'] !== undefined,
    ...fingerprintsAsked(values),
  }
  const request = checked(surveyRequestSchema, asked, SURVEY_PROBLEMS)
  if (request.order && ['quick', 'none'].includes(request.samples)) {
    throw new AppError('usage', '--order-list needs samples: not with --quick or --samples none')
  }
  return request
}

/** @throws AppError `usage` where one line asks for both */
export function sha256Of(values: {
  readonly sha256: boolean
  readonly 'no-sha256': boolean
  readonly quick?: boolean
}): boolean {
  if (values.sha256 && values['no-sha256']) throw new AppError('usage', 'give --sha256 or --no-sha256')
  return values.sha256 || !(values['no-sha256'] || values.quick === true)
}

async function save(
  session: Session,
  surveyId: string,
  file: string,
  force: boolean,
  out: Terminal,
): Promise<void> {
  await session.saveSurveyFile(surveyId, file, force)
  out.note(`saved as ${pathForDisplay(file)}`)
}
