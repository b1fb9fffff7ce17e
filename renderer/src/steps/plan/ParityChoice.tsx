import { Choice } from '../../components/fields'
import { RadioGroup } from '../../components/Radio'
import { t } from '../../copy'
import { useIsRunning, useSession, useStateOf } from '../../state/sessionContext'
import { PARITY_DISCS, parityAsked, parityRefusal } from './parity'
import { PlanSession } from './planSession'

/** The choice of parity discs, with the reason where there can be none. */
export function ParityChoice() {
  const session = useSession(PlanSession)
  const isBusy = useIsRunning('plan')
  const plan = useStateOf(PlanSession)
  const refusal = parityRefusal(plan)
  return (
    <section className="recovery" aria-label={t('parity.title')}>
      <h2>{t('parity.title')}</h2>
      <p className="muted">{t(refusal ?? 'parity.help')}</p>
      <RadioGroup
        className="choices"
        label={t('parity.title')}
        value={String(parityAsked(plan))}
        isDisabled={isBusy || refusal !== null}
        onChange={(key) => {
          const parityDiscs = PARITY_DISCS.find((count) => String(count) === key)
          if (parityDiscs !== undefined) session.store.dispatch({ type: 'parity', parityDiscs })
        }}
      >
        {PARITY_DISCS.map((count) => (
          <Choice key={count} id={String(count)} note={t(`parity.${count}.note`)}>
            {t(`parity.${count}`)}
          </Choice>
        ))}
      </RadioGroup>
    </section>
  )
}
