import type { Clock } from '../../primitives/clock'

/** Shares over less time than this are noise of the scheduler's. */
const SHORTEST_MS = 500

/**
 * Adds up this process's CPU time while files are read: data for writing is prepared outside of the
 * timed parts, so only reading tells whether the processor was the limit.
 */
export function cpuShareOfReading(clock: Clock): {
  look(step: string | null): void
  share(): number | null
} {
  let last: { step: string | null; atMs: number; cpuMs: number } | null = null
  let [wallMs, cpuMs] = [0, 0]
  const cpuNow = (): number => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  }
  const isReading = (step: string | null): boolean => step === 'read' || step === 'randomRead'
  return {
    look(step) {
      const now = { step, atMs: clock.monotonicMs(), cpuMs: cpuNow() }
      if (last !== null && isReading(last.step) && isReading(step)) {
        wallMs += now.atMs - last.atMs
        cpuMs += now.cpuMs - last.cpuMs
      }
      last = now
    },
    share: () => (wallMs < SHORTEST_MS ? null : cpuMs / wallMs),
  }
}
