import { isAtWork, type RunningJob } from '../engine/jobLedger'

/** The window, as far as its entry in the taskbar or dock shows progress. */
interface ProgressEntry {
  setProgressBar(share: number, options: { mode: 'normal' | 'indeterminate' | 'paused' }): void
}

/** Beyond 1: known to run, not how far. */
const UNKNOWN = 2
const NONE = -1

/**
 * Shows how far the oldest running job is on the window's entry in the taskbar or dock. A walk of
 * the sources, which begins by itself and is short, is not shown.
 * @returns takes the running jobs whenever they change
 */
export function taskbarProgress(
  window: () => ProgressEntry | null,
): (running: readonly RunningJob[]) => void {
  let shown = ''
  return (running) => {
    const job = running.find(({ kind }) => kind !== 'walk')
    const share = job === undefined ? NONE : (job.progress?.share ?? UNKNOWN)
    const isResting = job !== undefined && !isAtWork(job)
    const mode = isResting ? 'paused' : share === UNKNOWN ? 'indeterminate' : 'normal'
    // A hundredth is all that an entry shows.
    const now = `${mode} ${Math.round(share * 100)}`
    if (now === shown) return
    shown = now
    window()?.setProgressBar(share, { mode })
  }
}
