import { costRange } from '../../../../../src/contract/costText'
import type { Candidate } from '../../../../../src/contract/dto/options'
import { formatMoney } from '../../../../../src/primitives/money'
import { Folded } from '../../../components/Folded'
import { t } from '../../../copy'
import { CandidateFigures } from './CandidateFigures'
import { readsWords } from './candidateWords'
import { UseCandidate } from './UseCandidate'

/** An option to take at once: its figures, who can read it, and the reason behind a line. */
export function CandidateCard({
  candidate: { kind: id, option, because, recommended },
  name,
  kind,
  medium,
  isFirst,
}: {
  candidate: Candidate
  name: string
  kind: string
  medium: string
  /** The one accent of the page is on the recommended option, else on the first that can be had. */
  isFirst: boolean
}) {
  if (option === null) return null
  return (
    <article className="candidate" aria-label={name}>
      {recommended && <span className="chip">{t('candidate.recommended')}</span>}
      <header>
        <h2>{name}</h2>
        <p className="muted" title={option.name}>
          {kind}
        </p>
      </header>
      <div>
        <CandidateFigures option={option} medium={medium} size="hero" />
        {option.cost && (
          <p
            className="candidate-cost"
            title={t('candidate.cost.basis', { date: option.cost.price.notedOn })}
          >
            {t('candidate.cost', {
              sum: costRange(option.cost),
              price: formatMoney(option.cost.price.amount, option.cost.price.currency),
            })}
          </p>
        )}
      </div>
      <div>
        <div className="figure-label">{t('candidate.readers')}</div>
        <p>{readsWords(option)}</p>
      </div>
      <div>
        <UseCandidate option={option} name={name} className={isFirst ? 'primary' : 'plain'} />
      </div>
      {/* Plain files need no expert's reason. */}
      {id === 'plain' ? (
        <p className="muted">{because}</p>
      ) : (
        <Folded summary={t('candidate.why')}>
          <p className="muted">{because}</p>
        </Folded>
      )}
    </article>
  )
}
