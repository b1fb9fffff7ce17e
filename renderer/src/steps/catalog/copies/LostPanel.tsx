import { Button } from 'react-aria-components'
import { type LostCopies, lostCopies } from '../../../../../src/contract/dto/copies'
import { Panel } from '../../../components/Panel'
import { t } from '../../../copy'
import { CatalogSession } from '../../../state/catalog/catalogSession'
import { CopiesSession } from '../../../state/catalog/copiesSession'
import { ofSets } from '../../../state/catalog/copiesState'
import { useIsRunning, useSession, useStateOf } from '../../../state/sessionContext'
import { sayLeft, sayLost } from './lostWords'

/**
 * Copies that were noted as lost: what is missing where, until it is found or written again.
 * @param of the sets that it is about; all where none are given
 */
export function LostPanel({ of }: { of?: ReadonlySet<string> }) {
  const copies = useStateOf(CopiesSession, (state) => state.copies)
  const lost = lostCopies(ofSets(copies, of))
  if (lost.length === 0) return null
  return (
    <Panel title={t('lost.title')} says={t('lost.says')} className="home-attention lost-copies">
      <ul>
        {lost.map((each) => (
          <LostLine key={`${each.planId ?? each.setId} ${each.copy} ${each.place}`} lost={each} />
        ))}
      </ul>
    </Panel>
  )
}

function LostLine({ lost }: { lost: LostCopies }) {
  const session = useSession(CopiesSession)
  const isBusy = useIsRunning('build', 'verify', 'write')
  const plans = useStateOf(CatalogSession, (catalog) => catalog.plans)
  const isAtHand = plans.some(({ id, directoryExists }) => id === lost.planId && directoryExists)
  const says = sayLost(lost)
  return (
    <li>
      <span className={lost.left === 0 ? 'notice-sign' : 'notice-sign calm'} aria-hidden="true">
        !
      </span>
      <div className="source-words fills">
        <span>{says}</span>
        <span className="muted">{sayLeft(lost.left)}</span>
      </div>
      <span className="row-actions">
        {isAtHand && (
          <Button
            className="plain"
            isDisabled={isBusy}
            aria-label={t('home.answer.named', { answer: t('lost.write'), label: says })}
            onPress={() => void session.writeAgain(lost)}
          >
            {t('lost.write')}
          </Button>
        )}
        <Button
          className="quiet"
          aria-label={t('home.answer.named', { answer: t('copies.found'), label: says })}
          onPress={() => void session.noteFound(lost)}
        >
          {t('copies.found')}
        </Button>
      </span>
    </li>
  )
}
