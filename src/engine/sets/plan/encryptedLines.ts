import {
  factOf,
  type HistoryLine,
  historyIn,
  isOfContainer,
  wholeOrParts,
} from '../volume/lists/historyLines'
import { entryFacts, escapeTsv } from '../volume/lists/indexTsv'
import { plannedHistory } from '../volume/lists/plannedHistory'
import { packedMembers } from '../volume/planned/currentPlan'
import type { PlanFolder } from '../volume/planned/planFolder'

/**
 * The lines of the encrypted index of a plan, from the lists in its folder: no password is needed.
 * @param packed what the plan was packed to
 * @param outer the index of its archives, which is not encrypted
 * @throws AppError `verification-failed` for a list that is not as it was written, `io`
 */
export async function encryptedLines(
  exported: PlanFolder,
  packed: PlanFolder,
  outer: string,
): Promise<HistoryLine[]> {
  const generation = (exported.plan.addsTo?.length ?? 0) + 1
  const containers = historyIn(outer)
  const holders = new Map<string, HistoryLine['on']>()
  for (const line of containers) {
    const path = factOf(line, factOf(line, 'kind') === 'part' ? 'of' : 'path')
    if (line.on.generation === generation && !holders.has(path)) holders.set(path, line.on)
  }
  const first = { generation, volume: 1, label: packed.plan.volumes[0]?.label ?? '' }
  const members = (await packedMembers(packed)).map((entry): HistoryLine => {
    const on = holders.get(escapeTsv(entry.kind === 'file' ? (entry.in ?? '') : '')) ?? first
    return {
      facts: entryFacts(entry),
      on: { ...on, sector: '' },
      at: '',
      since: generation,
      until: generation,
    }
  })
  const byPath = new Map(members.map((line) => [factOf(line, 'path'), line]))
  const history = (await plannedHistory(exported))?.lines ?? []
  const earlier = history.flatMap((line) => {
    if (isOfContainer(line)) return []
    const place = byPath.get(line.at)
    return line.on.volume > 0 ? [line] : wholeOrParts(line, place ? [place] : [])
  })
  return [...containers, ...members, ...earlier]
}
