import { isAtWork, type RunningJob } from '../engine/jobLedger'

/** Electron's `powerSaveBlocker`. */
interface PowerSaveBlocker {
  start(type: 'prevent-app-suspension'): number
  stop(id: number): unknown
}

/**
 * Keeps the system from suspending the application while any job works; the display may go dark. A
 * job that is paused or waits for a person lets the system sleep: it loses nothing by that.
 * @returns takes the running jobs whenever they change
 */
export function keepAwake(blocker: PowerSaveBlocker): (running: readonly RunningJob[]) => void {
  let held: number | null = null
  return (running) => {
    const isWanted = running.some((job) => isAtWork(job))
    if (isWanted && held === null) held = blocker.start('prevent-app-suspension')
    if (isWanted || held === null) return
    blocker.stop(held)
    held = null
  }
}
