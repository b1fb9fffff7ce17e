import { useEffect, useRef, useState } from 'react'
import { Button } from 'react-aria-components'
import type { OptionBuild, OptionsDocument } from '../../../../../src/contract/dto/options'
import { pathForDisplay } from '../../../../../src/primitives/pathText'
import type { Units } from '../../../../../src/primitives/quantity'
import { formatForecast, formatMoment } from '../../../../../src/primitives/spokenTime'
import { Check } from '../../../components/fields'
import { NewPasswordFields, type PasswordHandle } from '../../../components/PasswordFields'
import { PathText } from '../../../components/PathText'
import { spoken, t } from '../../../copy'
import { useSession, useUnits } from '../../../state/sessionContext'
import { FactTable } from '../FactTable'
import { OptionsSession } from '../optionsSession'
import type { OptionInHand } from '../optionsState'
import { formatFigure } from '../optionWords'

/**
 * A build of an option: where it goes and what it will write; then that it runs; then forecast vs.
 * actual.
 */
export function BuildPanel({
  inHand,
  document,
  canStart,
}: {
  inHand: OptionInHand
  document: OptionsDocument | null
  canStart: boolean
}) {
  const units = useUnits()
  const session = useSession(OptionsSession)
  const panel = useRef<HTMLElement>(null)
  const option = document?.options.find(({ id }) => id === inHand.optionId) ?? null
  const name = spoken(inHand.built?.name ?? option?.name ?? inHand.optionId)
  // It was asked for further down: the person is led to it.
  useEffect(() => {
    panel.current?.focus({ preventScroll: true })
    panel.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  const running = inHand.state === 'running'
  const { encryption } = inHand.demands
  const password = useRef<PasswordHandle>(null)
  const [fits, setFits] = useState(false)
  const isEncrypted = encryption !== 'none'
  const start = () => void session.build(isEncrypted ? (password.current?.take() ?? null) : null)
  return (
    <section ref={panel} className="in-hand" tabIndex={-1} aria-label={t('inHand.title', { name })}>
      <header className="panel-head">
        <h2>{t('inHand.title', { name })}</h2>
        <Button
          className="quiet"
          isDisabled={running}
          onPress={() => session.store.dispatch({ type: 'putAway' })}
        >
          {t('inHand.close')}
        </Button>
      </header>
      <PathText path={inHand.path} />
      {inHand.built !== null ? (
        <Built built={inHand.built} units={units} />
      ) : (
        <div className={running ? 'in-hand-room' : undefined}>
          <p className="in-hand-words">
            {running
              ? t('inHand.running')
              : option
                ? t('inHand.writes', {
                    size: formatFigure('bytes', option.estimate.bytes.value, units),
                    time: formatForecast(option.estimate.buildSeconds.value),
                  })
                : ''}
            {!running && inHand.replaces && ` ${t('inHand.replaces')}`}
          </p>
          {isEncrypted && !running && (
            <div className="in-hand-password">
              <p className="in-hand-words">{t(`inHand.encrypted.${encryption}`)}</p>
              <NewPasswordFields handle={password} disabled={false} onFit={setFits} />
            </div>
          )}
          <div className="in-hand-actions line">
            <Check
              words={t('inHand.discard')}
              isOn={inHand.discard}
              isDisabled={running}
              onChange={(discard) => session.store.dispatch({ type: 'discard', discard })}
            />
            <Button className="primary" isDisabled={!canStart || (isEncrypted && !fits)} onPress={start}>
              {t('inHand.start')}
            </Button>
            <Button
              className="plain"
              isDisabled={running || option === null}
              onPress={() => option && void session.choosePlace(option)}
            >
              {t('inHand.elsewhere')}
            </Button>
          </div>
        </div>
      )}
    </section>
  )
}

function Built({ built, units }: { built: OptionBuild; units: Units }) {
  const session = useSession()
  const { tool, version } = built
  return (
    <>
      <p className="in-hand-words" role="status">
        {t('inHand.built', { moment: formatMoment(built.createdWallMs), tool, version })}
        {built.discarded && ` ${t('inHand.discarded')}`}
      </p>
      <FactTable built={built} units={units} />
      {built.notes.map((note) => (
        <p key={note} className="in-hand-words">
          {spoken(note)}
        </p>
      ))}
      <details className="expert">
        <summary>{t('inHand.command')}</summary>
        <p className="mono selectable in-hand-command">{pathForDisplay(built.command)}</p>
      </details>
      {!built.discarded && (
        <div className="in-hand-actions line">
          <Button className="plain" onPress={() => void session.showFolder(built.path, 'choose')}>
            {t('folder.show')}
          </Button>
        </div>
      )}
    </>
  )
}
