import { AppError } from '../../primitives/appError'
import { EXIT } from '../../primitives/exitCode'
import { pathForDisplay } from '../../primitives/pathText'
import { formatCount, formatSize } from '../../primitives/quantity'
import { onlyPositional, readArguments } from '../arguments'
import { CATALOG } from '../declarations/catalog'
import { openSession } from '../session'
import type { Terminal } from '../terminal'
import { textTable } from '../textTable'
import { isoMinute } from './surveyTrust'

export async function catalogCommand(args: readonly string[], out: Terminal): Promise<number> {
  const { positionals } = readArguments(args, CATALOG)
  const action = onlyPositional(positionals, 'action (list)')
  if (action !== 'list') throw new AppError('usage', `no action "${action}": the only action is list`)
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
      plan.directory === null ? 'not exported' : pathForDisplay(plan.directory),
    ])
    for (const line of textTable(['plan', 'made', 'volumes', 'medium', 'exported to'], planRows, [2]))
      out.line(line)
    return EXIT.done
  } finally {
    await session.close()
  }
}
