import { Button } from 'react-aria-components'
import {
  DISK_MEDIUM,
  type Impossible,
  type Option,
  type OptionsDocument,
} from '../../../../../src/contract/dto/options'
import type { Units } from '../../../../../src/primitives/quantity'
import { OptionName } from '../../../components/OptionName'
import { t, tMaybe } from '../../../copy'
import { useSession, useUnits } from '../../../state/sessionContext'
import { OptionFigure } from '../OptionFigure'
import { OptionsSession } from '../optionsSession'
import { adviceOf, type OptionsState, relaxed } from '../optionsState'
import { cannotWords, sentence } from '../optionWords'

/**
 * The best option for the goal, with its reason; or that there is none, what is nearest, and what
 * would have to give.
 */
export function AnswerPanel({ options }: { options: OptionsState }) {
  const units = useUnits()
  const { document } = options
  const advice = adviceOf(options)
  const best = advice?.option ?? null
  const impossible = document?.impossible ?? null
  const title =
    impossible === null
      ? t('answer.title', { goal: t(`goal.${document?.request.goal ?? 'balanced'}`) })
      : t('answer.nearest')
  return (
    <section className={impossible === null ? 'answer' : 'answer impossible'} aria-label={title}>
      <h2>{title}</h2>
      {impossible !== null && <NoOption impossible={impossible} />}
      {best === null ? (
        <p className="muted">{t(document === null ? 'answer.wait' : 'answer.none')}</p>
      ) : (
        <>
          {impossible !== null && <div className="figure-label">{t('answer.nearest.says')}</div>}
          <div className="answer-name">
            <OptionName name={best.name} /> <span className="muted">{best.mediumName}</span>
          </div>
          <Figures option={best} units={units} />
          {advice?.because != null && <p className="answer-because">{advice.because}</p>}
          {cannotWords(best) !== null && <p className="muted">{cannotWords(best)}</p>}
          {document && <ByMedium document={document} shown={best.medium} />}
        </>
      )}
    </section>
  )
}

function Figures({ option, units }: { option: Option; units: Units }) {
  return (
    <div className="totals answer-figures">
      <OptionFigure option={option} figure="bytes" units={units} size="hero" />
      <OptionFigure option={option} figure="restoreSeconds" units={units} />
      <OptionFigure option={option} figure="buildSeconds" units={units} />
      {option.medium !== DISK_MEDIUM && <OptionFigure option={option} figure="volumes" units={units} />}
    </div>
  )
}

/** The best on each of the other media, where several were given. */
function ByMedium({ document, shown }: { document: OptionsDocument; shown: string }) {
  const { request, recommended, options } = document
  const others = recommended.filter(({ goal, medium }) => goal === request.goal && medium !== shown)
  if (others.length === 0) return null
  return (
    <>
      <h3>{t('answer.media')}</h3>
      <ul className="answer-media">
        {others.map(({ medium, id, because }) => (
          <li key={medium}>
            <strong>{options.find((option) => option.id === id)?.mediumName ?? medium}</strong> {because}
          </li>
        ))}
      </ul>
    </>
  )
}

function NoOption({ impossible }: { impossible: Impossible }) {
  const session = useSession(OptionsSession)
  return (
    <>
      <p className="answer-because">{sentence(impossible.because)}</p>
      <ul className="relax stack">
        {impossible.relax.map((item) => {
          const change = relaxed(item)
          return (
            <li key={item.limit}>
              {change !== null && (
                <Button
                  className="plain"
                  aria-label={t('answer.relax.of', {
                    limit: tMaybe(`limit.${item.limit}`, item.limit),
                    text: sentence(item.text),
                  })}
                  onPress={() => session.set(change)}
                >
                  {t('answer.relax')}
                </Button>
              )}
              <span>{sentence(item.text)}</span>
            </li>
          )
        })}
      </ul>
    </>
  )
}
