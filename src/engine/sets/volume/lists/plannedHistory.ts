import { readFile } from 'node:fs/promises'
import { said } from '../../../../primitives/said'
import { attempt, cannot, fsPath, joinPath } from '../../../files/fileSystem'
import { INDEX_PLACE, type PlanFolder } from '../planned/planFolder'
import { generationsIn, type History, type HistoryLine, historyAlone } from './historyLines'
import { indexId } from './setIndex'

/**
 * The lines that a packed plan has of the plans it adds to, from the list that it was exported
 * with; undefined for one that adds to none. Where contents on its own volumes lie is open until
 * they are packed.
 * @throws AppError `verification-failed` for a list that is not as it was exported, `io`
 */
export async function plannedHistory({ directory, plan }: PlanFolder): Promise<History | undefined> {
  if (!plan.addsTo) return undefined
  const place = joinPath(directory, INDEX_PLACE)
  const text = await attempt('read', place, readFile(fsPath(place)))
  if (plan.lists?.find(({ path }) => path === INDEX_PLACE)?.sha256 !== indexId(text))
    throw cannot('verification-failed', 'use', place, said`it differs from the exported plan`)
  const utf8 = text.toString('utf8')
  const generation = plan.addsTo.length + 1
  const open = { generation, volume: 0, label: '', sector: '' }
  const lines = historyAlone(utf8).map(
    ({ facts, on, at, since, until }): HistoryLine => ({
      facts,
      on: on.generation === generation ? open : on,
      at,
      since,
      until,
    }),
  )
  return { generation, generations: generationsIn(utf8), lines }
}
