import { formatTimeLeft } from '../primitives/spokenTime'
import type { JobProgress } from './dto/job'

/** How far a job is, as the window and the terminal show it. */
export interface ProgressFigures {
  /** `42 %` of the whole job; null while it is not known. */
  readonly share: string | null
  /** `4 min`; null while it is not known. */
  readonly left: string | null
  /** For how long nothing has proceeded, where that is unusual: the time left is unknown then. */
  readonly still: string | null
  /** The volume of several that is worked on, with the share of it that is done. */
  readonly volume: { readonly index: number; readonly count: number; readonly share: string } | null
}

/** The only place where the figures of a job's progress get their form. */
export function progressFigures({ share, etaMs, stillMs, volume, state }: JobProgress): ProgressFigures {
  return {
    share: share == null ? null : wholePercent(share),
    left: etaMs === null || state === 'paused' ? null : formatTimeLeft(etaMs),
    still: stillMs == null ? null : formatTimeLeft(stillMs),
    volume: volume && volume.count > 1 ? { ...volume, share: wholePercent(volume.share) } : null,
  }
}

/** A share of work in whole percent, rounded down: nothing is 100 % before it is whole. */
export function wholePercent(share: number): string {
  return `${Math.floor(100 * share + 1e-9)} %`
}
