import { cpus } from 'node:os'
import { setTimeout as after } from 'node:timers/promises'
import type { Clock } from '../../primitives/clock'

/** Systems count in steps of 10 to 16 ms, so that this resolves a twentieth of a core. */
const LOOK_MS = 300

/**
 * Opens a window over which the CPU time of all cores is counted. `end` returns the mean number of cores that were busy with
 * anything but `ownSeconds` of CPU time; null where the system counts no core.
 */
export function loadWindow(clock: Clock): { end(ownSeconds: number): number | null } {
  const [startMs, startBusyMs] = [clock.monotonicMs(), busyMs()]
  return {
    end(ownSeconds) {
      const wallMs = clock.monotonicMs() - startMs
      if (cpus().length === 0 || wallMs <= 0) return null
      return Math.max(0, (busyMs() - startBusyMs - ownSeconds * 1000) / wallMs)
    },
  }
}

/** The number of cores that other programs keep busy at this moment, from a window of 0.3 s in which this process may work, too. */
export async function otherCoresNow(clock: Clock): Promise<number | null> {
  const window = loadWindow(clock)
  const startCpu = process.cpuUsage()
  await after(LOOK_MS)
  const { user, system } = process.cpuUsage(startCpu)
  return window.end((user + system) / 1e6)
}

function busyMs(): number {
  return cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0)
}
