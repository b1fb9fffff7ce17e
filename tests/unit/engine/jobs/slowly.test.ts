import { describe, expect, it } from 'vitest'
import { pausing, slowly } from '../../../../src/engine/jobs/slowly'

describe('work with pauses', () => {
  it('sees every item once and in order', async () => {
    const seen: [number, number][] = []
    const items = Float64Array.from({ length: 1025 }, (_, at) => 2 * at)
    await slowly(
      items,
      pausing(() => undefined),
      (item, at) => seen.push([item, at]),
    )
    expect(seen).toEqual(Array.from(items, (item, at) => [item, at]))
  })

  it('lets others have the thread every few milliseconds', async () => {
    let turns = 0
    const timer = setInterval(() => turns++, 1)
    const busyUntil = performance.now() + 200
    const pause = pausing(() => undefined)
    while (performance.now() < busyUntil) await pause()
    clearInterval(timer)
    // Of the 25 turns that there are; a busy machine takes some.
    expect(turns).toBeGreaterThanOrEqual(5)
  })

  it('ends when it is told to', async () => {
    let steps = 0
    const pause = pausing(() => {
      if (steps > 1000) throw new Error('stopped')
    })
    await expect(slowly(new Uint8Array(1e6), pause, () => steps++)).rejects.toThrow('stopped')
    expect(steps).toBeLessThan(3000)
  })
})
