import type { JobProgress } from '../../contract/dto/job'
import type { OptionsDocument, OptionsRequest } from '../../contract/dto/options'
import type { SurveyRequest } from '../../contract/dto/survey'
import { progressFigures } from '../../contract/progressFigures'
import { systemClock } from '../../primitives/clock'
import type { Session, Shortening } from '../session'
import type { Terminal } from '../terminal'
import { printDraft, sizeText } from './optionsSummary'

/** Phases of a survey that only narrow ranges: everything has been read by then. */
const SAMPLING_PHASES: ReadonlySet<string> = new Set(['sampling', 'comparing'])
/** The best option is asked for no more often: listing takes a tenth of a second. */
const LIST_INTERVAL_MS = 1500

/** A survey that takes less has its answer before a preliminary one could be read. */
const LOOK_FROM_SECONDS = 20

/** The survey, and the look whose options are on the screen as a draft; null without one. */
interface Surveyed {
  readonly surveyId: string
  readonly draftOf: string | null
}

/**
 * Surveys folders to compare options of. On a terminal the options of a look come first where the
 * survey takes long, as a draft; the best option so far is shown while samples are compressed, and
 * the first Ctrl-C then ends them and goes on with what is known.
 * @param withLook false where something is asked for that only a survey carries out
 */
export async function surveyForOptions(
  session: Session,
  request: SurveyRequest,
  {
    preferences,
    withLook,
  }: { readonly preferences: Omit<OptionsRequest, 'surveyId'>; readonly withLook: boolean },
  out: Terminal,
): Promise<Surveyed> {
  const isFollowed = !out.json && out.isInteractive
  const lookFromSeconds = isFollowed && withLook && out.screen ? LOOK_FROM_SECONDS : null
  const start = (): { jobId: string } | Promise<{ jobId: string }> =>
    session.engine.survey.start({ ...request, ...(lookFromSeconds !== null && { lookFromSeconds }) })
  if (!isFollowed) return { surveyId: await session.run(start), draftOf: null }
  let lookId: string | null = null
  let draftOf: string | null = null
  let isOver = false
  const showLook = async (id: string): Promise<void> => {
    const document = await session.engine.options.list({ ...preferences, surveyId: id })
    if (isOver) return
    printDraft(document, out)
    draftOf = id
  }
  let isForecast = false
  let best = ''
  let nextMs = 0
  const shortening: Shortening = {
    isOffered: ({ phase }) => isForecast && SAMPLING_PHASES.has(phase.name),
    line: (progress) => samplingLine(progress, best),
    said: 'stopped sampling; ranges are wider (press again to stop immediately)',
    onLive({ surveyId, compression, lookId: looked }) {
      if (looked !== undefined && lookId === null) {
        lookId = looked
        void showLook(looked).catch(() => undefined)
      }
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
  const surveyId = await session.run(start, undefined, undefined, {
    shortening,
    onEnd: () => {
      isOver = true
    },
  })
  return { surveyId, draftOf }
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
