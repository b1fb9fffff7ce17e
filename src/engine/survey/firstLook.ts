import { setImmediate, setTimeout } from 'node:timers/promises'
import { surveySeconds } from '../../domain/look/surveyTime'
import type { WalkDocument } from '../../domain/survey/sourceWalk'
import type { JobContext } from '../jobs/jobContext'
import type { Work } from '../jobs/workEstimate'
import type { NativeSurvey } from '../native/addon'
import { type SurveyFigures, surveyFigures } from './surveyFigures'
import { type LookSource, lookSource } from './walk/lookSource'
import { SourceDraw } from './walk/sourceDraw'

const POLL_MS = 20

type Listed = Pick<WalkDocument, 'id' | 'roots' | 'rules' | 'excluded' | 'skipped' | 'elapsedMs'>

/**
 * Looks at a listed source, see `look/lookJob`.
 * @param onRead called when it reads no more
 * @returns once its estimates are there, under the ID of the listing
 */
export type LookAtListed = (
  listed: Listed,
  source: LookSource,
  context: JobContext,
  onRead: () => void,
) => Promise<unknown>

/** A look at the source of a survey, from the names that its own pass has listed. */
export interface FirstLook {
  /** Looks, and lets the pass read its files. Resolves however that ends. */
  run(context: JobContext): Promise<void>
  /** Ends it: the pass has read everything, or is cancelled. */
  end(): void
  /** The ID of the look, once its estimates are there. */
  id(): string | null
  /** Its reading, as a part of what the survey does; none where it does not look. */
  work(): readonly Work[]
  /** The phase before the pass reads; null from then on. */
  phase(): 'listing' | 'looking' | null
}

/**
 * @param native a pass with `listFirst`
 * @param fromSeconds no look where the survey takes less
 * @param about the survey at that moment
 */
export function firstLook(
  native: Pick<NativeSurvey, 'takeListed' | 'startReading' | 'deviceKind' | 'progress'>,
  {
    fromSeconds,
    lookAt,
    about,
  }: {
    readonly fromSeconds: number
    readonly lookAt: LookAtListed
    about(): Pick<Listed, 'roots' | 'rules' | 'excluded' | 'elapsedMs'>
  },
): FirstLook {
  const ended = new AbortController()
  let id: string | null = null
  let work: readonly Work[] = []
  let phase: ReturnType<FirstLook['phase']> = 'listing'
  const startReading = (): void => {
    if (phase === null) return
    phase = null
    work = work.map((row) => ({ ...row, done: row.total ?? row.done }))
    native.startReading()
  }
  const look = async (context: JobContext): Promise<void> => {
    const { roots } = about()
    const counted = surveyFigures(roots, { areRead: false })
    const drawing = new SourceDraw()
    if (!(await isListed(native, counted, drawing, context.signal))) return
    const { totals, skipped } = counted.figures()
    const kind = native.deviceKind()
    if (totals.bytes === 0 || surveySeconds(totals.bytes, totals.files, kind).value < fromSeconds) return
    phase = 'looking'
    const listed = { ...about(), id: context.newId('w'), skipped }
    const own: JobContext = {
      ...context,
      progress({ work: rows = [] }) {
        if (phase === 'looking')
          work = rows.flatMap((row) => (row.kind === 'reading' ? [{ ...row, kind: 'looking' }] : []))
      },
    }
    await lookAt(listed, lookSource(counted, drawing, kind), own, startReading)
    if (!context.signal.aborted) id = listed.id
  }
  return {
    async run(context) {
      const signal = AbortSignal.any([context.signal, ended.signal])
      try {
        await look({ ...context, signal })
      } catch {
        // The survey goes on without: it says more, and reports itself what it cannot read.
      } finally {
        startReading()
      }
    },
    end: () => ended.abort(),
    id: () => id,
    work: () => work,
    phase: () => phase,
  }
}

/** Takes every listed name; false where the survey ends before. */
async function isListed(
  native: Pick<NativeSurvey, 'takeListed' | 'progress'>,
  counted: SurveyFigures,
  drawing: SourceDraw,
  signal: AbortSignal,
): Promise<boolean> {
  for (;;) {
    // Asked first: what was listed by then can all be taken.
    const isLast = native.progress().walkFinished
    const batch = native.takeListed()
    if (signal.aborted) return false
    if (batch) {
      counted.add(batch, 0, batch.count)
      drawing.add(batch)
      await setImmediate()
    } else if (isLast) return true
    else await setTimeout(POLL_MS)
  }
}
