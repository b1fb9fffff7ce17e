import type { Candidate } from '../../../../../src/contract/dto/options'
import { Folded } from '../../../components/Folded'
import { t } from '../../../copy'
import { CandidateFigures } from './CandidateFigures'
import { readsWords } from './candidateWords'
import { UseCandidate } from './UseCandidate'

/** A candidate that is no card: it can be had too, or the reason why it cannot. */
export function CandidateLine({
  candidate: { option, because },
  name,
  kind,
  medium,
}: {
  candidate: Candidate
  name: string
  kind: string
  medium: string
}) {
  if (option === null)
    return (
      <article className="candidate-none" aria-label={name}>
        <span>{name}:</span> <span className="muted">{because}</span>
      </article>
    )
  return (
    <article className="candidate-line" aria-label={name}>
      <header>
        <h2>{name}</h2>
        <p className="muted">{kind}</p>
        <Folded summary={t('candidate.why')}>
          <p className="muted">{because}</p>
        </Folded>
      </header>
      <CandidateFigures option={option} medium={medium} size="small" />
      <div>
        <div className="figure-label">{t('candidate.readers')}</div>
        <p>{readsWords(option)}</p>
      </div>
      <UseCandidate option={option} name={name} className="plain" />
    </article>
  )
}
