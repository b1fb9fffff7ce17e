import { isRunning } from '../files/processIdentity'

/**
 * True when the process that a row belongs to still runs. This process, which has just started,
 * left none: its number was another's.
 */
export function isOwnerAlive(pid: number): boolean {
  return pid !== process.pid && isRunning(pid)
}
