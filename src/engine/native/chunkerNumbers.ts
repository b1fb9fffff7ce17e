import { type Chunker, cutRuleOf } from '../../domain/survey/chunkers'

/** The parameters of a chunker for the addon: eight numbers for each draw. */
export function cutNumbers(chunker: Chunker): number[] {
  const rule = cutRuleOf(chunker)
  const numbers = [rule.minBytes, rule.normalBytes, rule.maxBytes, rule.oddsBefore, rule.oddsAfter]
  const cut = [cutsInRunsNumber(chunker), chunker.window === 'long' ? 1 : 0]
  return Array.from({ length: chunker.draws }, (_, draw) => [...numbers, draw, ...cut]).flat()
}

/** How the addon numbers the runs in which a chunker cuts. */
export function cutsInRunsNumber(chunker: Chunker): number {
  return { nowhere: 0, zeros: 1, any: 2 }[chunker.cutsInRuns]
}
