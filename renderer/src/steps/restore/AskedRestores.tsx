import { Button } from 'react-aria-components'
import type { AskedRestore } from '../../../../src/contract/dto/askedRestore'
import { Panel } from '../../components/Panel'
import { PathText } from '../../components/PathText'
import { t } from '../../copy'
import { nameOf } from '../../format/paths'
import { CatalogSession } from '../../state/catalog/catalogSession'
import { useIsRunning, useSession, useStateOf } from '../../state/sessionContext'
import { RestoreSession } from './restoreSession'
import { type UnitWord, unitWord } from './restoreWords'

/** Restores of an earlier day that wait for more discs; nothing where there is none. */
export function AskedRestores() {
  const session = useSession(RestoreSession)
  const waiting = useStateOf(RestoreSession, (state) => state.waiting)
  const plans = useStateOf(CatalogSession, (state) => state.plans)
  const running = useIsRunning('restore')
  if (waiting.length === 0) return null
  const unitOf = ({ volumes }: AskedRestore) =>
    unitWord(plans.find(({ directory }) => directory !== null && volumes.includes(directory))?.mediumId)
  return (
    <Panel title={t('restore.asked.title')} className="asked-restores">
      <ul className="source-list" aria-label={t('restore.asked.title')}>
        {waiting.map((asked) => (
          <li key={asked.id}>
            <div className="source-words fills">
              <span>{sayAsked(asked, unitOf(asked))}</span>
              <PathText path={asked.to} />
            </div>
            <Button
              className="plain"
              isDisabled={running}
              aria-label={t('restore.asked.goOnNamed', { folder: nameOf(asked.to) })}
              onPress={() => void session.resume(asked)}
            >
              {t('restore.asked.goOn')}
            </Button>
            <Button
              className="quiet"
              isDisabled={running}
              aria-label={t('restore.asked.forgetNamed', { folder: nameOf(asked.to) })}
              onPress={() => void session.forget(asked)}
            >
              {t('restore.asked.forget')}
            </Button>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function sayAsked({ discs, given, next: { label, place } }: AskedRestore, unit: UnitWord): string {
  const words = { count: discs, read: given.length, label, unit }
  return place === null ? t('restore.asked.says', words) : t('restore.asked.says.at', { ...words, place })
}
