import type { VolumeDue } from '../../contract/dto/check'
import type { PlanListItem } from '../../contract/dto/plan'
import type { SurveyListItem } from '../../contract/dto/survey'
import {
  DUE_TABLE,
  PLAN_LIST_TABLE,
  SURVEY_LIST_TABLE,
  surveyState,
} from '../../contract/tables/catalogTables'
import { AppError } from '../../primitives/appError'
import { EXIT } from '../../primitives/exitCode'
import { pathForDisplay } from '../../primitives/pathText'
import { formatCounted } from '../../primitives/quantity'
import { noPositionals, onlyPositional, readArguments } from '../arguments'
import { CATALOG, CATALOG_COMMAND } from '../declarations/catalog'
import { openSession } from '../session'
import { elided } from '../shape/elided'
import { firstRows } from '../shape/firstRows'
import { nextCommand } from '../shape/nextCommand'
import { tableLines } from '../shape/tableLines'
import type { Terminal } from '../terminal'
import { unknownName } from '../unknownName'
import { copiesAction } from './catalogCopies'
import { catalogExport } from './catalogExport'
import { DUE_COLUMNS, monthsOf } from './check'

const ACTIONS = CATALOG_COMMAND.forms.map(({ verb }) => verb)

/** Rows of each kind, and the columns that paths get, where not all is asked for. */
const SHOWN = 8
const SHOWN_VOLUMES = 5
const SURVEY_ROOM = 42
const PLAN_ROOM = 24

export async function catalogCommand(args: readonly string[], out: Terminal): Promise<number> {
  const ofCopies = copiesAction(args[0])
  if (ofCopies) return ofCopies(args.slice(1), out)
  if (args[0] === 'export') return catalogExport(args.slice(1), out)
  const { values, positionals } = readArguments(args, CATALOG)
  const [action, ...ids] = positionals
  if (action === undefined) throw new AppError('usage', `action is missing: one of ${ACTIONS.join(', ')}`)
  if (action === 'remove') return removeEntries(ids, out)
  if (action === 'every') return setEvery(ids, out)
  if (action === 'acknowledge') return acknowledge(ids, out)
  if (action !== 'list') throw unknownName('action', action, ACTIONS)
  noPositionals(ids, 'catalog list')
  return listEntries(values.all, out)
}

async function listEntries(all: boolean, out: Terminal): Promise<number> {
  await using session = openSession(out)
  const surveys = await session.engine.survey.list()
  const plans = await session.engine.plan.list()
  const volumes = await session.engine.check.due({})
  out.document({ schema: 'stowage.catalog/1', surveys, plans, volumes })
  if (surveys.length === 0 && plans.length === 0 && volumes.length === 0) {
    out.line('The catalog is empty.')
    out.lines(nextCommand('Next:', ['survey', 'FOLDER']))
    return EXIT.done
  }
  out.line(
    `${formatCounted(surveys.length, 'survey')} and ${formatCounted(plans.length, 'plan')}, newest first.`,
  )
  const shown = all ? Number.POSITIVE_INFINITY : SHOWN
  const room = all ? Number.POSITIVE_INFINITY : undefined
  out.line()
  printSurveys(firstRows(surveys, shown, '--all'), room ?? SURVEY_ROOM, out)
  if (plans.length > 0) {
    out.line()
    printPlans(firstRows(plans, shown, '--all'), room ?? PLAN_ROOM, out)
  }
  if (volumes.length > 0) {
    out.line()
    printVolumes(firstRows(volumes, all ? Number.POSITIVE_INFINITY : SHOWN_VOLUMES, '--all'), out)
  }
  out.line()
  const newest = surveys[0]?.id
  const next = newest === undefined ? ['find', 'NAME'] : ['options', '--survey', newest]
  out.lines(nextCommand('Next:', next))
  return EXIT.done
}

interface Rows<T> {
  readonly shown: readonly T[]
  readonly rest: readonly string[]
}

function printSurveys({ shown, rest }: Rows<SurveyListItem>, room: number, out: Terminal): void {
  const keys = ['id', 'when', 'files', 'bytes', 'source'] as const
  const source = (survey: SurveyListItem): string => {
    const { interrupted, partial, roots } = survey
    const state = interrupted || partial ? ` (${surveyState(survey)})` : ''
    return `${elided(roots.map(pathForDisplay).join(', '), room - state.length)}${state}`
  }
  out.lines(tableLines(SURVEY_LIST_TABLE, keys, shown, { cells: { source } }))
  out.lines(rest)
}

function printPlans({ shown, rest }: Rows<PlanListItem>, room: number, out: Terminal): void {
  const keys = ['id', 'when', 'volumes', 'medium', 'state', 'directory'] as const
  const directory = (plan: PlanListItem): string =>
    plan.directory === null ? 'not exported' : elided(pathForDisplay(plan.directory), room)
  out.lines(tableLines(PLAN_LIST_TABLE, keys, shown, { cells: { directory } }))
  out.lines(rest)
}

/** Discs, images and folders with their checks, those first that should be checked first. */
function printVolumes({ shown, rest }: Rows<VolumeDue>, out: Terminal): void {
  out.lines(tableLines(DUE_TABLE, DUE_COLUMNS, shown))
  out.lines(rest)
}

async function removeEntries(ids: readonly string[], out: Terminal): Promise<number> {
  if (ids.length === 0) throw new AppError('usage', 'ID is missing: catalog list shows them')
  await using session = openSession(out)
  const removed = session.removeFromCatalog(ids)
  out.document({ schema: 'stowage.removal/1', removed })
  for (const { kind, id } of removed) out.line(`removed ${kind} ${id}`)
  return EXIT.done
}

/** `stowage catalog acknowledge SURVEY`: the silent changes that it names are known. */
async function acknowledge(ids: readonly string[], out: Terminal): Promise<number> {
  const surveyId = onlyPositional(ids, 'ID of a survey')
  await using session = openSession(out)
  const { silentChanges } = await session.engine.survey.acknowledge({ surveyId })
  out.document({ schema: 'stowage.acknowledged/1', surveyId, silentChanges })
  const files = formatCounted(silentChanges?.files ?? 0, 'file')
  out.line(`Later surveys do not name again that the content of ${files} changed.`)
  return EXIT.done
}

/** `stowage catalog every 2y ID`: how often the volumes of a set are to be verified. */
async function setEvery([text, ofSet, ...more]: readonly string[], out: Terminal): Promise<number> {
  if (text === undefined) throw new AppError('usage', 'interval is missing: 6mo or 2y, then the ID of a plan')
  const everyMonths = monthsOf(text, 'catalog every')
  if (ofSet === undefined) throw new AppError('usage', 'ID is missing: catalog list shows them')
  noPositionals(more, 'catalog every with its interval and ID')
  await using session = openSession(out)
  await session.engine.check.every({ ofSet, everyMonths })
  out.document({ schema: 'stowage.checkInterval/1', ofSet, everyMonths })
  out.line(`The volumes of ${ofSet} are to be verified every ${formatCounted(everyMonths, 'month')}.`)
  return EXIT.done
}
