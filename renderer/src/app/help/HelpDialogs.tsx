import { useEffect, useState } from 'react'
import { Button } from 'react-aria-components'
import type { Help } from '../../../../src/contract/rendererSchema'
import { ModalDialog } from '../../components/ModalDialog'
import { t } from '../../copy'
import { glossary } from '../../format/meanings'
import { useFrame, useSession } from '../../state/sessionContext'
import { KeysTable } from './KeysTable'

/** The help that is open; nothing while none is. */
export function HelpDialogs() {
  const session = useSession()
  const { help } = useFrame()
  if (help === null) return null
  const Body = BODIES[help]
  return (
    <ModalDialog
      key={help}
      title={t(help === 'diagnostics' ? 'help.diagnostics.text' : `help.${help}`)}
      actions={help === 'about' && <ShowLog />}
      onClose={() => session.showHelp(null)}
    >
      <Body />
    </ModalDialog>
  )
}

const BODIES: Readonly<Record<Help, () => React.ReactNode>> = {
  keys: KeysTable,
  glossary: Glossary,
  diagnostics: Diagnostics,
  about: About,
}

function Glossary() {
  return (
    <dl className="glossary">
      {glossary().map(({ word, meaning }) => (
        <div key={word}>
          <dt>{word}</dt>
          <dd className="muted">{meaning}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Copies the diagnostics as it opens, and shows what was copied. */
function Diagnostics() {
  const session = useSession()
  const [text, setText] = useState<string | null>(null)
  const [hasFailed, setHasFailed] = useState(false)
  useEffect(() => {
    void session.ask(null, session.call.app.copyDiagnostics(undefined)).then((copied) => {
      setText(copied)
      setHasFailed(copied === null)
    })
  }, [session])
  return (
    <>
      <p role="status">
        {text !== null
          ? t('help.diagnostics.copied')
          : t(hasFailed ? 'help.diagnostics.failed' : 'help.diagnostics.running')}
      </p>
      <div className="diagnostics mono selectable">{text}</div>
    </>
  )
}

function About() {
  const { version, runtime } = useFrame()
  return (
    <>
      <p>{t('about.version', { version })}</p>
      <p className="muted">{t('about.licence')}</p>
      <h3>{t('about.parts')}</h3>
      <ul className="plain-list">
        {runtime.split(', ').map((part) => (
          <li key={part}>{part}</li>
        ))}
      </ul>
    </>
  )
}

function ShowLog() {
  const session = useSession()
  return (
    <Button className="plain" onPress={() => void session.ask(null, session.call.app.showLog(undefined))}>
      {t('about.log')}
    </Button>
  )
}
