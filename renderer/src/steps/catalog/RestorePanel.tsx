import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Button, Label, TextArea, TextField } from 'react-aria-components'
import type { RestoreDocument } from '../../../../src/contract/dto/restore'
import type { WireError } from '../../../../src/primitives/appError'
import { formatCount } from '../../../../src/primitives/quantity'
import { formatDuration } from '../../../../src/primitives/spokenTime'
import { Size } from '../../components/Figure'
import { Check } from '../../components/fields'
import { Panel } from '../../components/Panel'
import { PasswordField, type PasswordHandle } from '../../components/PasswordFields'
import { PathText } from '../../components/PathText'
import { t } from '../../copy'
import { nameOf } from '../../format/paths'
import { sentence } from '../../format/sentence'
import { windowMessage } from '../../format/windowMessage'
import { useIsRunning, useSession, useStateOf, useUnits } from '../../state/sessionContext'
import { RestoreSession } from './restoreSession'

/** More files of one kind are counted, not listed. */
const LISTED = 8

/** Get files back: from which volumes, where to, which files; then what became of it. */
export function RestorePanel() {
  const session = useSession(RestoreSession)
  const form = useStateOf(RestoreSession)
  const running = useIsRunning('restore')
  const password = useRef<PasswordHandle>(null)
  const [isTyped, setIsTyped] = useState(false)
  const isLocked = form.password !== 'none'
  const isAsked = isLocked && !running && (form.password === 'wrong' || form.document?.outcome !== 'done')
  const from = useRef<HTMLDivElement>(null)
  const to = useRef<HTMLDivElement>(null)
  // It is asked for further down too: the person is led to what is to be chosen next.
  const lead = useEffectEvent((_openings: number) => {
    const next = form.volumes.length > 0 ? to : from
    next.current?.querySelector('button')?.focus()
  })
  useEffect(() => lead(form.openings), [form.openings])
  const field = useRef<HTMLFormElement>(null)
  // What the restore waits for now: the button that asked for it cannot be pressed.
  useEffect(() => {
    if (isAsked) field.current?.querySelector('input')?.focus()
  }, [isAsked])
  const ready = form.volumes.length > 0 && form.to !== null && !running && (!isLocked || isTyped)
  const start = () => {
    const typed = isLocked ? (password.current?.take() ?? null) : null
    password.current?.clear()
    void session.start(typed)
  }
  return (
    <Panel title={t('restore.title')} says={t('restore.says')} className="restore">
      {form.volumes.length > 0 && (
        <ul className="source-list" aria-label={t('restore.volumes')}>
          {form.volumes.map((volume) => (
            <li key={volume}>
              <div className="source-words fills">
                <PathText path={volume} />
              </div>
              <Button
                className="quiet"
                isDisabled={running}
                aria-label={t('restore.removeNamed', { name: nameOf(volume) })}
                onPress={() => session.store.dispatch({ type: 'removed', volume })}
              >
                {t('restore.remove')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <div ref={from} className="row-actions">
        <Button className="plain" isDisabled={running} onPress={() => void session.add('folders')}>
          {t('restore.folders')}
        </Button>
        <Button className="plain" isDisabled={running} onPress={() => void session.add('images')}>
          {t('restore.images')}
        </Button>
      </div>
      <div ref={to} className="restore-to line">
        <span>{t('restore.to')}</span>
        {form.to !== null && <PathText path={form.to} />}
        <Button className="plain" isDisabled={running} onPress={() => void session.chooseTarget()}>
          {t(form.to === null ? 'restore.choose' : 'restore.change')}
        </Button>
      </div>
      <TextField
        className="field"
        value={form.files}
        isDisabled={running}
        onChange={(files) => session.store.dispatch({ type: 'set', form: { files } })}
      >
        <Label>{t('restore.files')}</Label>
        <TextArea className="input" rows={2} placeholder={t('restore.files.example')} />
      </TextField>
      <Check
        words={t('restore.force')}
        note={t('restore.force.note')}
        isOn={form.force}
        isDisabled={running}
        onChange={(force) => session.store.dispatch({ type: 'set', form: { force } })}
      />
      <Check
        words={t('restore.trust')}
        note={t('restore.trust.note')}
        isOn={form.trust}
        isDisabled={running}
        onChange={(trust) => session.store.dispatch({ type: 'set', form: { trust } })}
      />
      {isLocked && (
        <form
          ref={field}
          className="restore-password stack close"
          onSubmit={(event) => {
            event.preventDefault()
            if (ready) start()
          }}
        >
          {(form.password === 'wrong' || form.document?.outcome !== 'done') && (
            <p role="alert" className={form.password === 'wrong' ? 'bad' : undefined}>
              {t(`restore.password.${form.password}`)}
            </p>
          )}
          <PasswordField
            label={t('restore.password')}
            handle={password}
            disabled={running}
            onTyped={setIsTyped}
          />
        </form>
      )}
      <div className="row-actions">
        <Button className="primary" isDisabled={!ready} onPress={start}>
          {t('restore.start')}
        </Button>
        <Button className="quiet" onPress={() => session.store.dispatch({ type: 'closed' })}>
          {t('restore.close')}
        </Button>
      </div>
      <div role="status">{!running && form.document !== null && <Result document={form.document} />}</div>
    </Panel>
  )
}

function Result({ document }: { document: RestoreDocument }) {
  const session = useSession()
  const units = useUnits()
  const failures = [...document.damaged, ...document.missing, ...document.differing]
  return (
    <div className="restore-result">
      <p>
        {t('restore.restored', {
          count: document.restored,
          time: formatDuration(document.elapsedMs),
        })}{' '}
        <Size bytes={document.restoredBytes} units={units} />.
        {document.kept > 0 && ` ${t('restore.kept', { count: document.kept })}`}
      </p>
      {document.volumesNeeded.map(({ index, label, files }) => (
        <p key={index} className="warn">
          {t('restore.needed', { disc: formatCount(index), label, count: files })}
        </p>
      ))}
      {document.ownersLeft > 0 && <p>{t('restore.owners', { count: document.ownersLeft })}</p>}
      {document.renamed > 0 && <p>{t('restore.renamed', { count: document.renamed })}</p>}
      {document.linksLeft > 0 && (
        <p className="warn">{t('restore.linksLeft', { count: document.linksLeft })}</p>
      )}
      {document.notes.length > 0 && (
        <ul className="plain-list" aria-label={t('restore.notes')}>
          {document.notes.map((note) => (
            <li key={note}>{sentence(note)}</li>
          ))}
        </ul>
      )}
      <Reasons label={t('restore.damagedLists')} of={document.damagedLists} />
      <Reasons label={t('restore.failures')} of={failures} />
      <Reasons label={t('restore.skipped')} of={document.skipped ?? []} />
      <Reasons label={t('restore.notPutBack')} of={document.notPutBack} />
      <Button className="quiet" onPress={() => void session.showFolder(document.directory, 'catalog')}>
        {t('restore.show')}
      </Button>
    </div>
  )
}

/** Why each of some things was not restored; the first few. */
function Reasons({ label, of }: { label: string; of: readonly { readonly error: WireError }[] }) {
  if (of.length === 0) return null
  return (
    <ul className="plain-list" aria-label={label}>
      {of.slice(0, LISTED).map(({ error }) => (
        <li key={error.message} className="warn">
          {windowMessage(error.message)}
        </li>
      ))}
      {of.length > LISTED && <li>{t('restore.more', { count: of.length - LISTED })}</li>}
    </ul>
  )
}
