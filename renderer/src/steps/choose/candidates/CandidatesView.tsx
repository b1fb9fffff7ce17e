import { Button } from 'react-aria-components'
import {
  type Candidate,
  DISK_MEDIUM,
  type MediumCandidates,
  type OptionsDocument,
} from '../../../../../src/contract/dto/options'
import { Segments } from '../../../components/Segments'
import { t } from '../../../copy'
import { useSession, useStateOf } from '../../../state/sessionContext'
import { OptionsSession } from '../optionsSession'
import { adviceOf } from '../optionsState'
import { CandidateCard } from './CandidateCard'
import { CandidateLine } from './CandidateLine'
import { answersWords, candidateName, kindWords } from './candidateWords'

const MOST_CARDS = 3

/**
 * Up to three named options as cards, the recommended one marked, the answers that they follow
 * from, and the way to all the others: those that are no card are lines below.
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
  const possible = shown.candidates.filter(({ option }) => option !== null)
  const cards = possible.slice(0, MOST_CARDS)
  const others = shown.candidates.filter((candidate) => !cards.includes(candidate))
  const naming = {
    isSecret: document.request.encryption !== 'none',
    isPreliminary: document.preliminary !== undefined,
  }
  const shownAs = (candidate: Candidate) => ({
    candidate,
    name: candidateName(candidate, shown.medium, naming),
    kind: kindWords(candidate, possible),
    medium: shown.medium,
  })
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
        {cards.map((candidate) => (
          <CandidateCard key={candidate.kind} {...shownAs(candidate)} isFirst={candidate === first} />
        ))}
      </section>
      {others.length > 0 && (
        <section className="candidate-lines" aria-label={t('candidates.others')}>
          {others.map((candidate) => (
            <CandidateLine key={candidate.kind} {...shownAs(candidate)} />
          ))}
        </section>
      )}
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
