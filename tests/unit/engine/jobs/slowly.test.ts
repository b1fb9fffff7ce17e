import { describe, expect, it } from 'vitest'
import { pausing, slowly } from '../../../../src/engine/jobs/slowly'
import type { Clock, Milliseconds } from '../../../../src/primitives/clock'

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

  it('yields the thread at short intervals', async () => {
    let nowMs = 0
    const clock: Clock = { wallMs: () => 0 as Milliseconds, monotonicMs: () => nowMs as Milliseconds }
    const pause = pausing(() => undefined, clock)
    const turnsAtMs: number[] = []
    let isOver = false
    const other = (): void => {
      turnsAtMs.push(nowMs)
      if (!isOver) setImmediate(other)
    }
    setImmediate(other)
    for (; nowMs < 40; nowMs++) await pause()
    isOver = true
    expect(turnsAtMs).toEqual([8, 16, 24, 32])
  })

  it('ends when it is cancelled', async () => {
    let steps = 0
    const pause = pausing(() => {
      if (steps > 1000) throw new Error('stopped')
    })
    await expect(slowly(new Uint8Array(1e6), pause, () => steps++)).rejects.toThrow('stopped')
    expect(steps).toBeLessThan(3000)
  })
})
