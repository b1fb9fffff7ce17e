import { describe, expect, it } from 'vitest'
import { loadWindow, otherCoresNow } from '../../../../src/engine/tools/otherLoad'
import { systemClock } from '../../../../src/primitives/clock'

const WORK_SECONDS = 0.4

describe('the load of other programs', () => {
  it('counts every core, without the CPU time that is said to be ours', () => {
    const window = loadWindow(systemClock)
    const started = performance.now()
    const startCpu = process.cpuUsage()
    const seconds = (): number => {
      const { user, system } = process.cpuUsage(startCpu)
      return (user + system) / 1e6
    }
    while (seconds() < WORK_SECONDS);
    const all = window.end(0)
    const others = window.end(seconds())
    const wall = (performance.now() - started) / 1000
    expect(all).toBeGreaterThan((0.8 * WORK_SECONDS) / wall)
    expect(others).toBeGreaterThanOrEqual(0)
    expect((all as number) - (others as number)).toBeGreaterThan((0.5 * WORK_SECONDS) / wall)
  })

  it('is never negative', async () => {
    expect(loadWindow(systemClock).end(1e6)).toBe(0)
    expect(await otherCoresNow(systemClock)).toBeGreaterThanOrEqual(0)
  })
})
