import { AppError } from '../../primitives/appError'
import { said } from '../../primitives/said'
import type { JobContext } from '../jobs/jobContext'

/** Waits while the job is paused; nothing is under way then, so that no pause is in a time. */
export function pauseGate(context: JobContext): (signal: AbortSignal) => Promise<void> {
  let resume: (() => void) | null = null
  let waiting: Promise<void> | null = null
  const open = (): void => {
    resume?.()
    resume = null
    waiting = null
  }
  context.pausable({
    pause() {
      waiting ??= new Promise((resolve) => {
        resume = resolve
      })
    },
    resume: open,
  })
  context.signal.addEventListener('abort', open, { once: true })
  return async (signal) => {
    await waiting
    if (signal.aborted) throw new AppError('cancelled', said`cancelled`)
  }
}
