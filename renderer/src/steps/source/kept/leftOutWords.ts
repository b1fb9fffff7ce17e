import type { SourceRow } from '../../../../../src/contract/dto/survey'
import type { SizeWriter } from '../../../../../src/contract/tables/declaredTable'
import { t } from '../../../copy'
import { isOut, type KeptState, leftOutAbove } from '../../../state/source/keptState'
import { sayRule } from '../../../state/source/ruleWords'

/**
 * The size of what is left out of a folder or file, or the rule that takes it as a whole; empty for
 * nothing. A change that no walk has seen yet is said as one.
 */
export function sayRowLeftOut(state: KeptState, row: SourceRow, size: SizeWriter): string {
  if (leftOutAbove(state, row.path) !== null) return t('kept.pending.above')
  const now = isOut(state, row)
  if (now && row.rule === null) return t('kept.pending.out')
  if (!now && row.rule !== null) return t('kept.pending.back')
  const rule = row.rule === null ? undefined : state.document?.excluded?.rules[row.rule]
  if (rule) return t('kept.allBy', { rule: sayRule(rule) })
  return row.excludedFiles > 0 ? size(row.excludedBytes) : ''
}
