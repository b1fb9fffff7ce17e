import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Button } from 'react-aria-components'
import type { PlanDocument, PlanPacking } from '../../../../src/contract/dto/plan'
import { NewPasswordFields, PasswordField, type PasswordHandle } from '../../components/PasswordFields'
import { t } from '../../copy'
import { sayRanges } from '../../format/sayRanges'

/**
 * Asks for the password that an encrypted plan is built with: for a new one twice, for that of an
 * archive that grows once.
 */
export function BuildPassword({
  encryption,
  addsTo,
  onStart,
  onCancel,
}: {
  encryption: Exclude<PlanPacking['encryption'], 'none'>
  addsTo: PlanDocument['addsTo']
  /** Takes the bytes of the password, which it overwrites. */
  onStart: (password: Uint8Array) => void
  onCancel: () => void
}) {
  const form = useRef<HTMLFormElement>(null)
  const handle = useRef<PasswordHandle>(null)
  const [fits, setFits] = useState(false)
  // The button that asked for it is elsewhere: the person is led here.
  useEffect(() => form.current?.querySelector('input')?.focus(), [])
  const start = (event: FormEvent) => {
    event.preventDefault()
    const password = handle.current?.take()
    if (password) onStart(password)
  }
  return (
    <form ref={form} className="in-hand" aria-label={t('build.password.title')} onSubmit={start}>
      <header className="panel-head">
        <h2>{t('build.password.title')}</h2>
      </header>
      <div className="in-hand-password">
        <p className="in-hand-words">{t(`inHand.encrypted.${encryption}`)}</p>
        {addsTo ? (
          <PasswordField
            label={t('build.password.earlier', {
              labels: sayRanges(addsTo.flatMap(({ volumes }) => volumes.map(({ label }) => label))),
            })}
            handle={handle}
            disabled={false}
            onTyped={setFits}
          />
        ) : (
          <NewPasswordFields handle={handle} disabled={false} onFit={setFits} />
        )}
      </div>
      <div className="in-hand-actions line">
        <Button className="primary" type="submit" isDisabled={!fits}>
          {t('inHand.start')}
        </Button>
        <Button className="plain" onPress={onCancel}>
          {t('build.password.cancel')}
        </Button>
      </div>
    </form>
  )
}
