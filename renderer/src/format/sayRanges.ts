import { labelRanges } from '../../../src/contract/dto/plan'
import { t } from '../copy'

/** Labels of volumes in the language of the window: `A_01 to A_04 and B_07`. */
export function sayRanges(labels: Iterable<string>): string {
  return labelRanges(labels, {
    range: (first, last) => t('labels.range', { first, last }),
    more: (count) => t('labels.more', { count }),
    and: (others, last) => t('labels.and', { others, last }),
  })
}
