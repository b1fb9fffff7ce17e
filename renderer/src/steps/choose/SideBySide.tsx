import type { Option, OptionFigure, OptionsDocument } from '../../../../src/contract/dto/options'
import { Panel } from '../../components/Panel'
import { t } from '../../copy'
import { OptionCard } from './candidates/OptionCard'
import { MOST_PICKED } from './optionsState'

/**
 * The chosen option and up to two more with all their figures; places without one say how to fill
 * them.
 */
export function SideBySide({
  document,
  best,
  shown,
  isBusy,
}: {
  document: OptionsDocument
  best: Option | null
  /** The chosen or nearest one first. */
  shown: readonly Option[]
  isBusy: boolean
}) {
  const free = Math.max(0, MOST_PICKED + 1 - shown.length)
  return (
    <Panel title={t('beside.title')} says={t('beside.says')}>
      <div className="beside">
        {shown.map((option) => (
          <OptionCard
            key={option.id}
            option={option}
            document={document}
            role={option !== best ? 'picked' : document.chosen === null ? 'nearest' : 'chosen'}
            isBest={(figure) => isBestOf(option, shown, figure)}
            isBusy={isBusy}
          />
        ))}
        {Array.from({ length: free }, (_, place) => (
          <div key={`free ${place + shown.length}`} className="option-slot muted">
            {t('beside.slot')}
          </div>
        ))}
      </div>
    </Panel>
  )
}

/** One alone is no winner; those that share the best figure all are. */
function isBestOf(option: Option, shown: readonly Option[], figure: OptionFigure | 'portability'): boolean {
  if (shown.length < 2) return false
  const of = (each: Option): number =>
    figure === 'portability' ? -each.portability : each.estimate[figure].value
  const values = shown.map(of)
  const best = Math.min(...values)
  return of(option) === best && values.some((value) => value !== best)
}
