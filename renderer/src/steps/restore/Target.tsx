import { Button } from 'react-aria-components'
import { Folded } from '../../components/Folded'
import { Check } from '../../components/fields'
import { PathText } from '../../components/PathText'
import { t } from '../../copy'
import { useSession } from '../../state/sessionContext'
import { RestoreSession } from './restoreSession'
import type { RestoreState } from './restoreState'
import { useUnitWord } from './useUnitWord'

/** Where to, and what is seldom changed. */
export function Target({ state, running }: { state: RestoreState; running: boolean }) {
  const session = useSession(RestoreSession)
  const unit = useUnitWord()
  return (
    <section className="stack close restore-target" aria-label={t('restore.target')}>
      <div className="line">
        <span>{t('restore.to')}</span>
        {state.to === null ? (
          <span className="muted">{t('restore.to.asked')}</span>
        ) : (
          <PathText path={state.to} />
        )}
        <Button className="quiet" isDisabled={running} onPress={() => void session.chooseTarget()}>
          {t(state.to === null ? 'restore.choose' : 'restore.change')}
        </Button>
      </div>
      <Folded summary={t('restore.options')}>
        <div className="options">
          <Check
            words={t('restore.force')}
            note={t('restore.force.note')}
            isOn={state.force}
            isDisabled={running}
            onChange={(force) => session.store.dispatch({ type: 'set', form: { force } })}
          />
          <Check
            words={t('restore.trust')}
            note={t('restore.trust.note')}
            isOn={state.trust}
            isDisabled={running}
            onChange={(trust) => session.store.dispatch({ type: 'set', form: { trust } })}
          />
          <Check
            words={t('restore.detailed', { unit })}
            isOn={state.isDetailed}
            onChange={(isDetailed) => session.store.dispatch({ type: 'set', form: { isDetailed } })}
          />
        </div>
      </Folded>
    </section>
  )
}
