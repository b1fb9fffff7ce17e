import { Button } from 'react-aria-components'
import type { Option, OptionFigure, OptionsDocument } from '../../../../src/contract/dto/options'
import { Folded } from '../../components/Folded'
import { Panel } from '../../components/Panel'
import { t } from '../../copy'
import { useSession, useUnits } from '../../state/sessionContext'
import { OptionCard } from './candidates/OptionCard'
import { OptionsSession } from './optionsSession'
import { MOST_PICKED } from './optionsState'
import { formatFigure, nameOnMedium } from './optionWords'

/** The chosen option and up to two more with all their figures, and how free places are filled. */
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
            isAlone={shown.length === 1}
          />
        ))}
        {free > 0 && <FreePlaces document={document} shown={shown} free={free} />}
      </div>
    </Panel>
  )
}

/** The best options for other goals, to be compared with a press, and the way to any other. */
function FreePlaces({
  document,
  shown,
  free,
}: {
  document: OptionsDocument
  shown: readonly Option[]
  free: number
}) {
  const session = useSession(OptionsSession)
  const units = useUnits()
  const others = document.presets.flatMap(({ goal, id }, at) => {
    const option = document.options.find((each) => each.id === id)
    const isNew = document.presets.findIndex((preset) => preset.id === id) === at
    return option && isNew && !shown.includes(option) ? [{ goal, option }] : []
  })
  return (
    <div className={`option-slot slot-${free}`}>
      {others.length > 0 && (
        <Folded summary={t('beside.others')}>
          <ul>
            {others.map(({ goal, option }) => (
              <li key={option.id}>
                <Button className="suggested" onPress={() => session.pick(option.id)}>
                  <strong>{t(`goal.${goal}`)}</strong>{' '}
                  <span className="muted">
                    {nameOnMedium(option)}, {formatFigure('bytes', option.estimate.bytes.value, units)}
                  </span>
                </Button>
              </li>
            ))}
          </ul>
        </Folded>
      )}
      <p className="muted">{t('beside.slot')}</p>
    </div>
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
