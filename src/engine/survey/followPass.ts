import { setImmediate, setTimeout } from 'node:timers/promises'
import type { JobContext } from '../jobs/jobContext'
import type { EntryBatch, NativeProgress, NativeSurvey } from '../native/addon'

/** Entries are taken from the pass this often when it has none at present. */
const POLL_MS = 20
/** The window's figures are renewed once a second: it draws charts, maps and tables of them. */
const LIVE_MS = 1000
/**
 * After so much work without a pause the engine answers what it is asked; so many entries are
 * stored at once, in about half of it.
 */
const BUSY_MS = 5
const SLICE = 1000
/**
 * A pass that is so many entries ahead of the catalog waits: memory stays bounded, and when it is
 * cancelled what it has found can be stored within the time that a cancel may take.
 */
const MOST_AHEAD = 5_000
const FEW_AHEAD = 2_000

/** Receives the pass's entries, and the moments between them. */
interface PassFollower {
  /**
   * Stores the entries `from` (included) to `to` of a batch whose first entry is the `firstId`-th
   * of the survey.
   */
  take(batch: EntryBatch, from: number, to: number, firstId: number): void
  /** Once a second. */
  live(): void
  /**
   * Between batches; `entries` have been taken so far. May be asked often, and must be cheap when
   * there is nothing to do.
   */
  between(entries: number): void
  progress(progress: NativeProgress): void
}

/** How a pass ended, and how many entries were taken from it. */
export type PassEnd = Awaited<NativeSurvey['finished']> & { readonly entries: number }

/**
 * Takes everything from the pass until it has ended, in slices, so that this thread is never busy
 * for long. Cancels the pass when the job is cancelled or when nothing can be stored any more (a
 * full disk, say), which it then throws.
 */
export async function followPass(
  pass: NativeSurvey,
  context: JobContext,
  follower: PassFollower,
): Promise<PassEnd> {
  const valve = passValve(pass)
  context.pausable(valve)
  const cancel = (): void => pass.cancel()
  context.signal.addEventListener('abort', cancel, { once: true })
  if (context.signal.aborted) cancel()
  let end: Awaited<NativeSurvey['finished']> | null = null
  const finished = pass.finished.then((ended) => {
    end = ended
  })
  // A failure of the pass is met where it is awaited, however far the storing has come by then.
  finished.catch(() => {})
  let entries = 0
  let liveAtMs = context.clock.monotonicMs() + LIVE_MS
  const tell = (taken: number): void => {
    const progress = pass.progress()
    valve.hold(progress.entries - taken)
    follower.progress(progress)
    if (context.clock.monotonicMs() < liveAtMs) return
    follower.live()
    liveAtMs = context.clock.monotonicMs() + LIVE_MS
  }
  const takeInSlices = async (batch: EntryBatch, firstId: number): Promise<void> => {
    let restedMs = context.clock.monotonicMs()
    for (let from = 0; from < batch.count; from += SLICE) {
      const to = Math.min(batch.count, from + SLICE)
      follower.take(batch, from, to, firstId)
      if (context.clock.monotonicMs() - restedMs >= BUSY_MS) {
        await setImmediate()
        restedMs = context.clock.monotonicMs()
      }
      tell(firstId + to)
    }
  }
  try {
    for (;;) {
      const hasEnded = end !== null
      const batch = pass.takeEntries()
      if (!batch && hasEnded) break
      if (batch) await takeInSlices(batch, entries)
      entries += batch?.count ?? 0
      follower.between(entries)
      // When there is nothing left to take, the pass is ahead of nothing, whatever it counts as done.
      tell(batch ? entries : Number.POSITIVE_INFINITY)
      if (!batch) await Promise.race([setTimeout(POLL_MS), finished])
    }
    follower.progress(pass.progress())
    return { ...(end as unknown as Awaited<NativeSurvey['finished']>), entries }
  } catch (thrown) {
    pass.cancel()
    await finished.catch(() => {})
    throw thrown
  } finally {
    context.signal.removeEventListener('abort', cancel)
    context.pausable(null)
  }
}

/** Lets the pass rest while the person wants it to, or while it is too far ahead. */
function passValve(pass: NativeSurvey): {
  pause(): void
  resume(): void
  hold(ahead: number): void
} {
  let isPaused = false
  let isHeld = false
  return {
    pause() {
      isPaused = true
      pass.pause()
    },
    resume() {
      isPaused = false
      if (!isHeld) pass.resume()
    },
    hold(ahead) {
      if (!isHeld && ahead > MOST_AHEAD) {
        isHeld = true
        pass.pause()
      } else if (isHeld && ahead < FEW_AHEAD) {
        isHeld = false
        if (!isPaused) pass.resume()
      }
    },
  }
}
