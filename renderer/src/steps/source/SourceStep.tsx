/**
 * The room `source` is the step Source: folders to archive, and five questions about their purpose.
 * How: `kept` shows the tree before it is read, with what rules leave out; answers set the wishes
 * of later steps; `project` joins them into one project.
 * Not here: reading the source (`survey`).
 */

import { useId, useState } from 'react'
import { Button } from 'react-aria-components'
import { Folded } from '../../components/Folded'
import { Check } from '../../components/fields'
import { PathText } from '../../components/PathText'
import { StepPage } from '../../components/StepPage'
import { t } from '../../copy'
import { nameOf } from '../../format/paths'
import { useFrame, useIsRunning, useSession, useStateOf } from '../../state/sessionContext'
import { SourceSession } from '../../state/source/sourceSession'
import { SurveySession } from '../survey/surveySession'
import { DatsChoice } from './DatsChoice'
import { KnownArchives } from './KnownArchives'
import { KeptPanel } from './kept/KeptPanel'
import { LookPanel } from './LookPanel'
import { MissingSources } from './project/MissingSources'
import { ProjectSession } from './project/projectSession'
import { Questions } from './Questions'
import { SamplesChoice } from './SamplesChoice'

/**
 * The sources and their purpose: a place to drop folders that becomes the list of dropped ones, the
 * answers of four questions, and the tree of what is kept.
 */
export function SourceStep() {
  const session = useSession()
  const surveySession = useSession(SurveySession)
  const sourceSession = useSession(SourceSession)
  const sources = useStateOf(SourceSession)
  const frame = useFrame()
  const reading = useIsRunning('survey')
  const { missing = [] } = useStateOf(ProjectSession).open ?? {}
  const isEmpty = sources.list.length === 0
  const none = isEmpty && missing.length === 0
  const [full, setFull] = useState(false)
  const what = useId()
  const says = none
    ? t('source.says.none')
    : reading
      ? t('source.says.reading')
      : missing.length > 0
        ? t('source.says.missing', { count: missing.length })
        : t('source.says.some', { count: sources.list.length })
  return (
    <StepPage
      step="source"
      says={says}
      action={
        <Button
          className="primary"
          isDisabled={isEmpty || reading || frame.engine.state === 'lost'}
          onPress={() => void surveySession.start(full)}
        >
          {t('source.read')}
        </Button>
      }
    >
      <div className="source stack">
        <section className="what" aria-labelledby={what}>
          <h2 id={what}>{t('question.what')}</h2>
          {!none && <SourceList />}
          <KnownArchives />
          <div className={none ? 'drop-target large' : 'drop-target'}>
            {none ? (
              <>
                <h3 className="drop-target-title">{t('source.drop.title')}</h3>
                <p className="muted">{t('source.drop.text')}</p>
              </>
            ) : (
              <p className="drop-target-title">{t('source.drop.more')}</p>
            )}
            <div className="row-actions">
              <Button
                className={none ? 'primary' : 'quiet'}
                onPress={() => void sourceSession.choose('folders')}
              >
                {t('source.folders')}
              </Button>
              <Button className={none ? 'plain' : 'quiet'} onPress={() => void sourceSession.choose('files')}>
                {t('source.files')}
              </Button>
              {none && (
                <Button className="quiet" onPress={() => void sourceSession.takeSample()}>
                  {t('source.sample')}
                </Button>
              )}
            </div>
          </div>
        </section>
        <Questions />
        {!isEmpty && frame.settings.look && <LookPanel />}
        {!isEmpty && <KeptPanel />}
        {!isEmpty && <DatsChoice />}
        <Folded summary={t('source.more')}>
          <div className="options">
            <Check
              words={t('source.sha256')}
              note={t('source.sha256.note')}
              isOn={frame.settings.sha256}
              onChange={(sha256) => void session.saveSettings({ sha256 })}
            />
            <SamplesChoice />
            <Check words={t('source.full')} note={t('source.full.note')} isOn={full} onChange={setFull} />
          </div>
        </Folded>
        <p className="promise muted prose">{t('source.promise')}</p>
      </div>
    </StepPage>
  )
}

function SourceList() {
  const session = useSession(SourceSession)
  const { list } = useStateOf(SourceSession)
  return (
    <ul className="source-list" aria-label={t('source.list')}>
      {list.map((source) => (
        <li key={source.path}>
          <svg viewBox="0 0 16 16" width="18" height="18" aria-hidden="true" className="muted">
            <path
              d={
                source.kind === 'folder'
                  ? 'M1.500 4v8.500h13v-7h-6.500l-1.500-1.500z'
                  : 'M3.500 1.500h6l3 3v10h-9zM9.500 1.500v3h3'
              }
              fill="none"
              stroke="currentColor"
              strokeWidth="1.2"
              strokeLinejoin="round"
            />
          </svg>
          <div className="source-words fills">
            <span className="source-name ellipsis">{nameOf(source.path)}</span>
            <PathText path={source.path} />
          </div>
          <Button
            className="quiet"
            aria-label={t('source.removeNamed', { name: nameOf(source.path) })}
            onPress={() => session.remove(source.path)}
          >
            {t('source.remove')}
          </Button>
        </li>
      ))}
      <MissingSources />
    </ul>
  )
}
