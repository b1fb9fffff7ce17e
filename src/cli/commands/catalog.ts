import type { PlanListItem } from '../../contract/dto/plan'
import { AppError } from '../../primitives/appError'
import { EXIT } from '../../primitives/exitCode'
import { pathForDisplay } from '../../primitives/pathText'
import { formatCount, formatSize } from '../../primitives/quantity'
import { readArguments } from '../arguments'
import { CATALOG } from '../declarations/catalog'
import { openSession } from '../session'
import { textTable } from '../shape/textTable'
import type { Terminal } from '../terminal'
import { isoMinute } from './surveyTrust'

export async function catalogCommand(args: readonly string[], out: Terminal): Promise<number> {
  const { positionals } = readArguments(args, CATALOG)
  const [action, ...ids] = positionals
  if (action === undefined) throw new AppError('usage', 'action (list or remove) is missing')
  if (action === 'remove') return removeEntries(ids, out)
  if (action !== 'list') throw new AppError('usage', `no action "${action}": the actions are list and remove`)
  if (ids.length > 0) throw new AppError('usage', `catalog list takes no arguments: ${ids.join(' ')}`)
  return listEntries(out)
}

async function listEntries(out: Terminal): Promise<number> {
  const session = openSession(out)
  try {
    const surveys = await session.engine.survey.list()
    const plans = await session.engine.plan.list()
    out.document({ schema: 'stowage.catalog/1', surveys, plans })
    const surveyRows = surveys.map((survey) => [
      survey.id,
      isoMinute(survey.createdWallMs),
      formatCount(survey.files),
      formatSize(survey.bytes),
      `${survey.roots.map(pathForDisplay).join(', ')}${survey.interrupted ? ' (interrupted)' : survey.partial ? ' (partial)' : ''}`,
    ])
    for (const line of textTable(['survey', 'made', 'files', 'bytes', 'source'], surveyRows, [2, 3]))
      out.line(line)
    out.line()
    const planRows = plans.map((plan) => [
      plan.id,
      isoMinute(plan.createdWallMs),
      formatCount(plan.volumes),
      plan.mediumName,
      stateText(plan),
      plan.directory === null ? 'not exported' : pathForDisplay(plan.directory),
    ])
    for (const line of textTable(
      ['plan', 'made', 'volumes', 'medium', 'state', 'exported to'],
      planRows,
      [2],
    ))
      out.line(line)
    return EXIT.done
  } finally {
    await session.close()
  }
}

function stateText({ volumes, built, verified, failed }: PlanListItem): string {
  const of = (count: number): string => `${formatCount(count)} of ${formatCount(volumes)}`
  if (failed > 0) return `verification failed: ${of(failed)}`
  if (verified === volumes) return 'verified'
  if (verified > 0) return `verified: ${of(verified)}`
  if (built === volumes) return 'built'
  return built > 0 ? `built: ${of(built)}` : 'planned'
}

async function removeEntries(ids: readonly string[], out: Terminal): Promise<number> {
  if (ids.length === 0) throw new AppError('usage', 'ID is missing: catalog list shows them')
  const session = openSession(out)
  try {
    const removed = session.removeFromCatalog(ids)
    out.document({ schema: 'stowage.removal/1', removed })
    for (const { kind, id } of removed) out.line(`removed ${kind} ${id}`)
    return EXIT.done
  } finally {
    await session.close()
  }
}
