import { Button } from 'react-aria-components'
import {
  formatCount,
  formatRate,
  formatShare,
  formatSize,
  type Units,
} from '../../../src/primitives/quantity'
import { formatDuration, formatMoment } from '../../../src/primitives/spokenTime'
import { EmptyState, StepPage } from '../components/StepPage'
import { t } from '../copy'
import { runningOf } from '../state/jobs'
import { useSession } from '../state/sessionContext'
import { useStore } from '../state/store'
import { bestBlock, figuresOf, type SurveyState } from '../state/survey'
import { CombinedPanel } from './CombinedPanel'
import { ContentsPanels } from './ContentsPanels'
import { DedupPanel } from './DedupPanel'
import { DuplicatesPanel } from './DuplicatesPanel'
import { ForecastPanels } from './ForecastPanels'
import { SkippedPanel } from './SkippedPanel'
import { SurveyTotals } from './SurveyTotals'
import { TrueSizes } from './TrueSizes'

/** What is in it, what repeats? Fills in while the read goes on. */
export function SurveyStep() {
  const session = useSession()
  const { stores } = session
  const survey = useStore(stores.survey)
  const jobs = useStore(stores.jobs)
  const sources = useStore(stores.sources)
  const frame = useStore(stores.frame)
  const running = runningOf(jobs, 'survey') !== null
  const figures = figuresOf(survey, running)
  const { units } = frame.settings
  const why = figures !== null ? 'nothing' : survey.lastEnd === null ? 'empty' : 'stopped'
  const canPlan = !running && survey.document !== null && survey.document.totals.files > 0
  const offersRead = why !== 'nothing' && sources.list.length > 0
  const canStart = sources.list.length > 0 && frame.engine.state !== 'lost'
  return (
    <StepPage
      step="survey"
      says={<span title={running ? undefined : sayWhy(survey)}>{sayWhat(survey, running, units)}</span>}
      action={
        <Button className="primary" isDisabled={!canPlan} onPress={() => session.goTo('plan')}>
          {t('survey.toPlan')}
        </Button>
      }
    >
      {!running && (figures === null || figures.totals.files === 0) ? (
        <>
          <EmptyState title={t(`survey.${why}.title`)} text={t(`survey.${why}.text`)}>
            <Button
              className="plain"
              isDisabled={offersRead && !canStart}
              onPress={() => (offersRead ? void session.startSurvey() : session.goTo('source'))}
            >
              {t(offersRead ? 'source.read' : 'survey.empty.action')}
            </Button>
          </EmptyState>
          {survey.document && survey.document.totals.skipped > 0 && (
            <SkippedPanel document={survey.document} />
          )}
        </>
      ) : (
        <div className="survey" aria-busy={running}>
          <SurveyTotals figures={figures} document={running ? null : survey.document} units={units} />
          <ContentsPanels figures={figures} units={units} />
          <div className="split dedup">
            <DedupPanel figures={figures} units={units} />
            <TrueSizes figures={figures} document={running ? null : survey.document} units={units} />
          </div>
          <ForecastPanels figures={figures} expected={running && samplesCome(survey)} units={units} />
          {!running && survey.document && survey.document.combined.length > 0 && (
            <CombinedPanel
              key={`combined ${survey.document.id}`}
              combined={survey.document.combined}
              totalBytes={survey.document.totals.bytes}
              units={units}
            />
          )}
          {!running && survey.document && survey.document.duplicateFiles.groups > 0 && (
            <DuplicatesPanel key={survey.document.id} document={survey.document} units={units} />
          )}
          {!running && survey.document && survey.document.totals.skipped > 0 && (
            <SkippedPanel document={survey.document} />
          )}
        </div>
      )}
    </StepPage>
  )
}

function samplesCome({ samples }: SurveyState): boolean {
  return samples !== 'quick' && samples !== 'none'
}

/** How it was read, behind the line that says how fast. */
function sayWhy({ document }: SurveyState): string | undefined {
  const reading = document?.timing.reading
  return reading ? t('survey.says.because', { count: reading.threads, because: reading.because }) : undefined
}

function sayWhat(survey: SurveyState, running: boolean, units: Units): string {
  if (running) return t(survey.live === null ? 'survey.says.starting' : 'survey.says.live')
  const { document } = survey
  if (!document) return t('survey.says.none')
  const { totals, timing } = document
  if (totals.files === 0) return t('survey.says.nothing')
  const best = bestBlock(document)
  const read = t('survey.says.read', {
    count: totals.files,
    time: formatDuration(timing.passMs),
    rate: formatRate((totals.bytes / Math.max(1, timing.passMs)) * 1000, units),
    moment: formatMoment(document.createdWallMs),
  })
  if (document.partial) return `${t('survey.says.partial')} ${read}`
  if (totals.skipped > 0) return `${read} ${t('survey.says.skipped', { count: totals.skipped })}`
  const saved = best ? totals.bytes - best.uniqueBytes : 0
  if (saved === 0) return read
  return `${read} ${t('survey.says.repeats', { size: formatSize(saved, units), share: formatShare(saved / totals.bytes), skipped: formatCount(totals.skipped) })}`
}
