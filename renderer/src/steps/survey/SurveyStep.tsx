/**
 * The room `survey` is the step Survey: contents, repeats and forecasts of a source.
 * How: panels fill in from partial documents while the survey runs; each has a table and a CSV.
 * Not here: rules and questions (`source`), figures (`src/domain/survey`).
 */

import { useState } from 'react'
import { Button } from 'react-aria-components'
import { formatDuration, formatMoment } from '../../../../src/primitives/spokenTime'
import { deferred } from '../../components/deferred'
import { Folded } from '../../components/Folded'
import { EmptyState, StepPage } from '../../components/StepPage'
import { t } from '../../copy'
import { titleOfRoots } from '../../format/paths'
import type { StepState } from '../../state/frame'
import { useFrame, useIsRunning, useSession, useStateOf } from '../../state/sessionContext'
import { KeptSession } from '../../state/source/keptSession'
import { LookSession } from '../../state/source/lookSession'
import { SourceSession } from '../../state/source/sourceSession'
import { type SourcesState, samePaths } from '../../state/source/sourcesState'
import { Analysis } from './Analysis'
import { ContentsPanel } from './ContentsPanel'
import { DuplicatesPanel } from './DuplicatesPanel'
import { LeftOut } from './LeftOut'
import { LookCorrected } from './LookCorrected'
import type { Linked } from './linked'
import { OwnFolders } from './OwnFolders'
import { SilentPanel } from './SilentPanel'
import { SkippedPanel } from './SkippedPanel'
import { SurveySummary } from './SurveySummary'
import { smallestWords } from './smallestWords'
import { StoredPanels } from './stored/StoredPanels'
import { SurveySession } from './surveySession'
import { figuresOf, isOfOtherSource, isSharpening, type SurveyState } from './surveyState'
import { TinyFiles } from './TinyFiles'

const Contents = deferred(ContentsPanel)
const Analysed = deferred(Analysis)
const Stored = deferred(StoredPanels)

/** Contents and repeats of the source. Fills in while the survey runs. */
export function SurveyStep({ state }: { state: StepState }) {
  const session = useSession()
  const surveySession = useSession(SurveySession)
  const survey = useStateOf(SurveySession)
  const sources = useStateOf(SourceSession)
  const frame = useFrame()
  const running = useIsRunning('survey')
  const isOther = isOfOtherSource(
    survey,
    sources,
    useStateOf(KeptSession, ({ rules }) => rules),
  )
  // What failed left no figures of this source: those of another one would be taken for them.
  const isShown = running || !isOther || survey.lastEnd === null
  const figures = isShown ? figuresOf(survey, running) : null
  const [linked, setLinked] = useState<Linked>(null)
  const { units } = frame.settings
  const document = running ? null : survey.document
  const why = figures !== null ? 'nothing' : whyEmpty(survey.lastEnd)
  const hasFiles = figures !== null && figures.totals.files > 0
  const canPlan = !running && hasFiles
  // Options do not wait for the samples.
  useStateOf(LookSession)
  const isLookedAt = useSession(LookSession).forecast() !== null
  const canChoose = running ? isSharpening(survey) || isLookedAt : hasFiles
  const isToBeDone = state === 'failed' || (state === 'stale' && sources.list.length > 0)
  const offersRead = why !== 'nothing' && sources.list.length > 0
  const canStart = sources.list.length > 0 && frame.engine.state !== 'lost'
  return (
    <StepPage
      step="survey"
      says={<span className="survey-says">{isShown ? sayWhat(survey, running) : t('survey.says.none')}</span>}
      banner={figures === null ? null : sayOld(survey, state, sources)}
      action={
        <>
          {isToBeDone && sources.list.length > 0 && (
            <Button
              className="primary last"
              isDisabled={!canStart}
              onPress={() => void surveySession.start()}
            >
              {t(state === 'failed' ? 'survey.startAgain' : 'source.read')}
            </Button>
          )}
          <Button className="plain" isDisabled={!canPlan} onPress={() => session.goTo('plan')}>
            {t('survey.toPlan')}
          </Button>
          <Button
            className={isToBeDone ? 'plain' : 'primary'}
            isDisabled={!canChoose}
            onPress={() => session.goTo('choose')}
          >
            {t('survey.toChoose')}
          </Button>
        </>
      }
    >
      {!running && (figures === null || figures.totals.files === 0) ? (
        <>
          <EmptyState title={t(`survey.${why}.title`)} text={t(`survey.${why}.text`)}>
            {!(isToBeDone && offersRead) && (
              <Button
                className="primary"
                isDisabled={offersRead && !canStart}
                onPress={() => (offersRead ? void surveySession.start() : session.goTo('source'))}
              >
                {t(offersRead ? 'source.read' : 'survey.empty.action')}
              </Button>
            )}
          </EmptyState>
          {isShown && document?.excluded && <LeftOut excluded={document.excluded} units={units} />}
          {isShown && document && <OwnFolders document={document} units={units} />}
          {isShown && document && document.totals.skipped > 0 && <SkippedPanel document={document} />}
        </>
      ) : (
        <div className="survey stack" aria-busy={running}>
          <SurveySummary figures={figures} document={document} units={units} />
          {document && <SilentPanel document={document} units={units} />}
          <div className="survey-notes stack">
            {document?.excluded && <LeftOut excluded={document.excluded} units={units} />}
            {document && <OwnFolders document={document} units={units} />}
            {document && <TinyFiles document={document} units={units} />}
          </div>
          <Contents
            figures={figures}
            document={document}
            isOther={!running && isOther}
            units={units}
            linked={linked}
            onLink={setLinked}
          />
          <div className="survey-more stack">
            <Analysed
              figures={figures}
              document={document}
              expected={running && samplesCome(survey)}
              units={units}
              linked={linked}
              onLink={setLinked}
            />
            {document && document.duplicateFiles.groups > 0 && (
              <Folded key={`duplicates ${document.id}`} summary={t('duplicates.show')}>
                <DuplicatesPanel document={document} units={units} />
              </Folded>
            )}
            {document && document.totals.skipped > 0 && (
              <Folded
                key={`skipped ${document.id}`}
                summary={t('skipped.show', { count: document.totals.skipped })}
              >
                <SkippedPanel document={document} />
              </Folded>
            )}
          </div>
          {document && <Stored key={`stored ${document.id}`} document={document} units={units} />}
          {document && <LookCorrected document={document} units={units} />}
        </div>
      )}
    </StepPage>
  )
}

function whyEmpty(lastEnd: SurveyState['lastEnd']): 'empty' | 'stopped' | 'failed' {
  if (lastEnd === null) return 'empty'
  return lastEnd === 'cancelled' ? 'stopped' : 'failed'
}

/** A remark on figures that are not those of a complete survey of the source in hand. */
function sayOld({ document, lastEnd }: SurveyState, state: StepState, { list }: SourcesState): string | null {
  if (document === null) return null
  const paths = list.map(({ path }) => path)
  if (state === 'stale' && samePaths(paths, document.roots)) return t('survey.stale.rules')
  if (state === 'stale') return t('survey.stale', { source: titleOfRoots(document.roots) })
  if (state !== 'failed') return null
  if (lastEnd === null) return t('survey.failed.kept')
  return t('survey.failed.old', { moment: formatMoment(document.createdWallMs) })
}

function samplesCome({ samples }: SurveyState): boolean {
  return samples !== 'quick' && samples !== 'none'
}

function sayRunning({ live }: SurveyState): string {
  if (live === null) return t('survey.says.starting')
  return t(live.duplicateFiles ? 'survey.says.forecasting' : 'survey.says.live')
}

function sayWhat(survey: SurveyState, running: boolean): string {
  if (running) return sayRunning(survey)
  const { document } = survey
  if (!document) return t('survey.says.none')
  const { totals, timing } = document
  if (totals.files === 0) return t('survey.says.nothing')
  const read = t('survey.says.read', {
    count: totals.files,
    time: formatDuration(timing.passMs),
    moment: formatMoment(document.createdWallMs),
  })
  const facts = totals.skipped > 0 ? `${read} ${t('survey.says.skipped', { count: totals.skipped })}` : read
  return `${document.partial ? t('survey.says.partial') : smallestWords(document)} ${facts}`
}
