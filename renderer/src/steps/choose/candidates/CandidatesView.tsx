import { Button } from 'react-aria-components'
import { costRange } from '../../../../../src/contract/costText'
import {
  type Candidate,
  DISK_MEDIUM,
  type MediumCandidates,
  type OptionsDocument,
} from '../../../../../src/contract/dto/options'
import { formatMoney } from '../../../../../src/primitives/money'
import { Figure } from '../../../components/Figure'
import { Segments } from '../../../components/Segments'
import { t } from '../../../copy'
import { useIsRunning, useSession, useStateOf, useUnits } from '../../../state/sessionContext'
import { useStore } from '../../../state/store'
import { OptionFigure } from '../OptionFigure'
import { OptionsSession } from '../optionsSession'
import { adviceOf } from '../optionsState'
import { figureBasis, figureExactly, figureQuantity } from '../optionWords'
import { useIsOutdated } from '../useIsOutdated'
import { answersWords, candidateName, makeTime, readsWords } from './candidateWords'

/**
 * Named options as cards, the recommended one marked, the answers that they follow from, and the
 * way to all the others.
 */
export function CandidatesView({
  document,
  candidates,
}: {
  document: OptionsDocument
  /** At least one medium. */
  candidates: readonly MediumCandidates[]
}) {
  const session = useSession()
  const optionsSession = useSession(OptionsSession)
  const advised = useStateOf(OptionsSession, (options) => adviceOf(options)?.option.medium)
  const shown = candidates.find(({ medium }) => medium === advised) ?? candidates[0]
  const nameOf = (medium: string): string =>
    document.options.find((option) => option.medium === medium)?.mediumName ?? medium
  const first =
    shown?.candidates.find(({ recommended }) => recommended) ??
    shown?.candidates.find(({ option }) => option !== null)
  if (shown === undefined) return null
  return (
    <div className="candidates stack">
      <div className="candidate-head line">
        {candidates.length > 1 && (
          <Segments
            label={t('candidates.media')}
            all={candidates.map(({ medium }) => medium)}
            chosen={shown.medium}
            words={nameOf}
            onChange={(picked) => optionsSession.store.dispatch({ type: 'medium', medium: picked })}
          />
        )}
        <p>
          <span className="muted">{t('candidates.answers')}</span> {answersWords(document)}{' '}
          <Button className="quiet" onPress={() => session.goTo('source')}>
            {t('candidates.change')}
          </Button>
        </p>
      </div>
      <section className="candidate-cards" aria-label={t('candidates.label')}>
        {shown.candidates.map((candidate) => (
          <CandidateCard
            key={candidate.kind}
            candidate={candidate}
            medium={shown.medium}
            isFirst={candidate === first}
          />
        ))}
      </section>
      <div>
        <Button
          className={first === undefined ? 'primary' : 'quiet'}
          onPress={() => void optionsSession.show('options')}
        >
          {t('candidates.all', { count: document.options.length })}
        </Button>
      </div>
      {shown.medium !== DISK_MEDIUM && (
        <p className="muted">
          {t('candidates.protection')}{' '}
          <Button className="quiet" onPress={() => session.goTo('plan')}>
            {t('candidates.protection.to')}
          </Button>
        </p>
      )}
    </div>
  )
}

function CandidateCard({
  candidate,
  medium,
  isFirst,
}: {
  candidate: Candidate
  medium: string
  /** The one accent of the page is on the recommended option, else on the first that can be had. */
  isFirst: boolean
}) {
  const units = useUnits()
  const session = useSession()
  const optionsSession = useSession(OptionsSession)
  const isBusy = useIsRunning('plan', 'export')
  const isLost = useStore(session.frame, (frame) => frame.engine.state === 'lost')
  const isOutdated = useIsOutdated()
  const name = candidateName(candidate.kind, medium)
  const { option, because } = candidate
  if (option === null)
    return (
      <article className="candidate absent stack close" aria-label={name}>
        <h2>{name}</h2>
        <p className="muted">{because}</p>
      </article>
    )
  const time = makeTime(option)
  return (
    <article className="candidate stack close" aria-label={name}>
      <h2>
        {name}
        {candidate.recommended && candidate.kind !== 'best' && (
          <span className="muted"> · {t('candidate.recommended')}</span>
        )}
      </h2>
      <p className="muted candidate-kind" title={option.name}>
        {candidate.kind === 'plain' ? option.mediumName : option.shortName}
      </p>
      <div className="candidate-figures">
        <OptionFigure option={option} figure="bytes" units={units} size="hero" />
        {medium !== DISK_MEDIUM && (
          <OptionFigure option={option} figure="volumes" label={t('plan.discs')} units={units} />
        )}
        <Figure
          label={t('candidate.time')}
          quantity={figureQuantity('buildSeconds', time.value, units)}
          exactly={figureExactly('buildSeconds', time.value)}
          basis={figureBasis('buildSeconds', time, units)}
        />
      </div>
      {option.cost && (
        <p title={t('candidate.cost.basis', { date: option.cost.price.notedOn })}>
          {t('candidate.cost', {
            sum: costRange(option.cost),
            price: formatMoney(option.cost.price.amount, option.cost.price.currency),
          })}
        </p>
      )}
      <div className="candidate-readers">
        <div className="figure-label">{t('candidate.readers')}</div>
        <p>{readsWords(option)}</p>
      </div>
      <div>
        <Button
          className={isFirst ? 'primary' : 'plain'}
          isDisabled={isBusy || isLost || isOutdated}
          aria-label={t('candidate.useOf', { name })}
          onPress={() => void optionsSession.planCandidate(option)}
        >
          {t('choose.use')}
        </Button>
      </div>
      <p className="muted">{because}</p>
    </article>
  )
}
