import { useRef, useState } from 'react'
import { Button } from 'react-aria-components'
import { formatSize } from '../../../../src/primitives/quantity'
import { formatMoment } from '../../../../src/primitives/spokenTime'
import { whatNow } from '../../components/Notices'
import { PasswordField, type PasswordHandle } from '../../components/PasswordFields'
import { PathText } from '../../components/PathText'
import { t } from '../../copy'
import { nameOf } from '../../format/paths'
import { sentence } from '../../format/sentence'
import { useSession, useStateOf, useUnits } from '../../state/sessionContext'
import { AddVolumes } from './AddVolumes'
import { AsOf } from './AsOf'
import { DrillSession } from './drill/drillSession'
import { Reasons } from './RestoreResult'
import { RestoreSession } from './restoreSession'
import type { RestoreState } from './restoreState'
import { type KnownSet, knownSet, sayMissing, titleOf } from './restoreWords'
import { useUnitWord } from './useUnitWord'

/** The set that was chosen, and what hinders its opening. */
export function GivenSet({
  state,
  sets,
  running,
}: {
  state: RestoreState
  sets: readonly KnownSet[]
  running: boolean
}) {
  const session = useSession(RestoreSession)
  const drill = useSession(DrillSession)
  const isDrill = useStateOf(DrillSession, ({ isOpen }) => isOpen)
  const units = useUnits()
  const { set, status, volumes, error } = state
  const unit = useUnitWord()
  const missing = sayMissing(state, unit)
  const known = knownSet(state, sets)
  // The result asks for them too, and goes on with them.
  const isAsked = state.asked !== null || (!running && (state.document?.volumesNeeded.length ?? 0) > 0)
  const isFolder = known !== undefined && volumes.length === 1 && volumes[0] === known.directory
  return (
    <section className="stack close" aria-label={t('restore.set')}>
      <div className="line given-set">
        <strong className="given-name ellipsis" title={titleOf(state, sets)}>
          {titleOf(state, sets)}
        </strong>
        <span className="muted fills">
          {[
            ...(known ? [formatMoment(known.createdWallMs)] : []),
            ...(set
              ? [
                  t('restore.discs', { count: set.volumes.length, unit }),
                  t('restore.filesOf', { count: set.files, size: formatSize(set.bytes, units) }),
                ]
              : []),
          ].join(' · ')}
        </span>
        {set && !isDrill && (
          <Button className="quiet" isDisabled={running} onPress={() => drill.openHere()}>
            {t('drill.open')}
          </Button>
        )}
        <Button className="quiet" isDisabled={running} onPress={() => session.leave()}>
          {t('restore.another')}
        </Button>
      </div>
      {set?.generations && set.generations.length > 1 && !running && (
        <AsOf key={set.setId} generations={set.generations} shown={set.generation} />
      )}
      {!isFolder && (
        <details className="expert">
          <summary>{t('restore.volumes', { count: volumes.length, unit })}</summary>
          <ul className="source-list" aria-label={t('restore.volumes', { count: volumes.length, unit })}>
            {volumes.map((volume) => (
              <li key={volume}>
                <div className="source-words fills">
                  <PathText path={volume} />
                </div>
                <Button
                  className="quiet"
                  isDisabled={running}
                  aria-label={t('restore.removeNamed', { name: nameOf(volume) })}
                  onPress={() => void session.remove(volume)}
                >
                  {t('restore.remove')}
                </Button>
              </li>
            ))}
          </ul>
        </details>
      )}
      {status === 'locked' && <Locked isWrong={state.isWrongPassword} running={running} />}
      {status === 'failed' && error && (
        <div className="stack close" role="alert">
          <p className="warn">
            {sentence(error.message)} {whatNow(['restore'], error.code)}
          </p>
          <AddVolumes onAdd={(kind) => void session.add(kind)} />
        </div>
      )}
      {!isAsked && !isDrill && set?.volumes.some(({ atHand }) => !atHand) && (
        <div className="line restore-missing">
          <span role="status" className={missing === '' ? 'muted' : 'warn'}>
            {missing === ''
              ? t('restore.atHand', {
                  given: set.volumes.filter(({ atHand }) => atHand).length,
                  count: set.volumes.length,
                  unit,
                })
              : missing}
          </span>
          <AddVolumes isDisabled={running} onAdd={(kind) => void session.add(kind)} />
          {missing !== '' && (
            <Button className="plain" isDisabled={running} onPress={() => void session.askForDiscs()}>
              {t('restore.queue.start', { unit })}
            </Button>
          )}
        </div>
      )}
      {set && <Reasons label={t('restore.damagedLists', { unit })} of={set.damaged} />}
    </section>
  )
}

/** Asks for the password of an encrypted set. */
function Locked({ isWrong, running }: { isWrong: boolean; running: boolean }) {
  const session = useSession(RestoreSession)
  const password = useRef<PasswordHandle>(null)
  const [isTyped, setIsTyped] = useState(false)
  const focus = (form: HTMLFormElement | null) => form?.querySelector('input')?.focus()
  return (
    <form
      ref={focus}
      className="restore-password stack close"
      onSubmit={(event) => {
        event.preventDefault()
        if (isTyped) void session.again(password.current?.take() ?? null)
      }}
    >
      <p role="alert" className={isWrong ? 'bad' : undefined}>
        {t(isWrong ? 'restore.locked.wrong' : 'restore.locked')}
      </p>
      <PasswordField
        label={t('restore.password')}
        handle={password}
        disabled={running}
        onTyped={setIsTyped}
      />
      <div className="row-actions">
        <Button type="submit" className="primary" isDisabled={!isTyped || running}>
          {t('restore.unlock')}
        </Button>
      </div>
    </form>
  )
}
