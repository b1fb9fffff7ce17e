import { useState } from 'react'
import { spokenNumber, typedNumbers } from '../../../../src/primitives/figureLanguage'
import { Choice, TextLine } from '../../components/fields'
import { RadioGroup } from '../../components/Radio'
import { t } from '../../copy'
import { useIsRunning, useSession, useStateOf } from '../../state/sessionContext'
import { PlanSession } from './planSession'
import { canProtect } from './recovery'
import { useTyped } from './useTyped'

const CHOICES = ['fill', 'share', 'none'] as const
const USUAL_SHARE = 10

/** The choice of recovery data on each disc, where it can be made. */
export function RecoveryChoice() {
  const session = useSession(PlanSession)
  const isBusy = useIsRunning('plan')
  const plan = useStateOf(PlanSession)
  const { protection } = plan
  if (!canProtect(plan)) return null
  const choose = (next: typeof protection) => session.store.dispatch({ type: 'protection', protection: next })
  return (
    <section className="recovery" aria-label={t('recovery.title')}>
      <h2>{t('recovery.title')}</h2>
      <p className="muted">{t('recovery.help')}</p>
      <RadioGroup
        className="choices"
        label={t('recovery.title')}
        value={typeof protection === 'number' ? 'share' : protection}
        isDisabled={isBusy}
        onChange={(key) => choose(key === 'share' ? USUAL_SHARE : key === 'none' ? 'none' : 'fill')}
      >
        {CHOICES.map((choice) => (
          <Choice key={choice} id={choice} note={t(`recovery.${choice}.note`)}>
            {t(`recovery.${choice}`)}
          </Choice>
        ))}
      </RadioGroup>
      {typeof protection === 'number' && (
        <ShareField share={protection} isDisabled={isBusy} onChange={choose} />
      )}
    </section>
  )
}

/** The share as it is typed; what is no share changes nothing. */
function ShareField({
  share,
  isDisabled,
  onChange,
}: {
  share: number
  isDisabled: boolean
  onChange: (share: number) => void
}) {
  const [typed, setTyped] = useState(`${spokenNumber(String(share))} %`)
  const isWrong = typedShare(typed) === null
  useTyped('share', isWrong)
  // Another plan may have been opened meanwhile.
  const text = isWrong || typedShare(typed) === share ? typed : `${spokenNumber(String(share))} %`
  return (
    <TextLine
      label={t('recovery.share.of')}
      example="10 %"
      text={text}
      isWrong={isWrong}
      note={isWrong ? t('recovery.share.wrong') : undefined}
      isDisabled={isDisabled}
      longest={8}
      onChange={(next) => {
        setTyped(next)
        const found = typedShare(next)
        if (found !== null) onChange(found)
      }}
    />
  )
}

/** Percent from 1 to 100; null for anything else. */
function typedShare(text: string): number | null {
  const share = /^(\d{1,3}(?:\.\d{1,2})?) ?%?$/.exec(typedNumbers(text).trim())
  const percent = share ? Number(share[1]) : 0
  return percent >= 1 && percent <= 100 ? percent : null
}
