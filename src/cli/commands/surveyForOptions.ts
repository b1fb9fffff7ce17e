import type { JobProgress } from '../../contract/dto/job'
import type { OptionsDocument, OptionsRequest } from '../../contract/dto/options'
import type { SurveyRequest } from '../../contract/dto/survey'
import { progressFigures } from '../../contract/progressFigures'
import { systemClock } from '../../primitives/clock'
import type { Session, Shortening } from '../session'
import type { Terminal } from '../terminal'
import { sizeText } from './optionsSummary'

/** Phases of a survey that only narrow ranges: everything has been read by then. */
const SAMPLING_PHASES: ReadonlySet<string> = new Set(['sampling', 'comparing'])
/** The best option is asked for no more often: listing takes a tenth of a second. */
const LIST_INTERVAL_MS = 1500

/**
 * Surveys folders to compare options of. On a terminal the best option so far is shown while
 * samples are compressed, and the first Ctrl-C then ends them and goes on with what is known.
 * @returns the survey's id
 */
export function surveyForOptions(
  session: Session,
  request: SurveyRequest,
  preferences: Omit<OptionsRequest, 'surveyId'>,
  out: Terminal,
): Promise<string> {
  const start = (): { jobId: string } | Promise<{ jobId: string }> => session.engine.survey.start(request)
  if (out.json || !out.isInteractive) return session.run(start)
  let isForecast = false
  let best = ''
  let nextMs = 0
  const shortening: Shortening = {
    isOffered: ({ phase }) => isForecast && SAMPLING_PHASES.has(phase.name),
    line: (progress) => samplingLine(progress, best),
    said: 'stopped sampling; ranges are wider (press again to stop immediately)',
    onLive({ surveyId, compression }) {
      if (surveyId === undefined || compression === undefined) return
      isForecast = true
      if (systemClock.monotonicMs() < nextMs) return
      nextMs = Number.POSITIVE_INFINITY
      const list = async (): Promise<void> => {
        best = bestOf(await session.engine.options.list({ ...preferences, surveyId }))
      }
      // What cannot be listed yet is listed later; what is wrong is reported after the survey.
      void list()
        .catch(() => undefined)
        .finally(() => {
          nextMs = systemClock.monotonicMs() + LIST_INTERVAL_MS
        })
    },
  }
  return session.run(start, undefined, undefined, { shortening })
}

function bestOf({ chosen, options }: OptionsDocument): string {
  const option = options.find(({ id }) => id === chosen?.id)
  return option ? `${sizeText(option.estimate.bytes)} ${option.name}` : ''
}

/**
 * `sampling, about 5 s left (Ctrl-C: enough); so far: 2.65–3.20 MB ◐ One 7z for each title`; a
 * narrow terminal cuts the name.
 */
function samplingLine(progress: JobProgress, best: string): string {
  const { left } = progressFigures(progress)
  const inTime = left === null ? '' : `, about ${left} left`
  return `${progress.phase.name}${inTime} (Ctrl-C: enough)${best === '' ? '' : `; so far: ${best}`}`
}
