import { describe, expect, test } from 'vitest'
import { usedInTurn } from '../../../../src/engine/tools/toolMeter'
import { meteredWork } from '../../../support/meteredWork'

describe('a meter', () => {
  test.runIf(process.platform === 'linux')(
    'sees the memory and work of a program that a program started',
    async () => {
      const { meter, used, toldSeconds } = await meteredWork()
      expect(used.ramBytes).toBeGreaterThan(150e6)
      expect(used.ramBytes).toBeLessThan(400e6)
      expect(used.cpuSeconds).toBeGreaterThan(0.35)
      // The system counts what ended children took in hundredths of a second.
      expect(used.cpuSeconds).toBeGreaterThan(toldSeconds - 0.05)
      expect(meter.end()).toBe(used)
    },
  )

  test('of steps one after the other has the more memory and the work of both', () => {
    const [one, other] = [
      { ramBytes: 10, cpuSeconds: 1 },
      { ramBytes: 7, cpuSeconds: 2 },
    ]
    expect(usedInTurn(one, other)).toEqual({ ramBytes: 10, cpuSeconds: 3 })
    expect(usedInTurn(one, { ramBytes: null, cpuSeconds: null })).toEqual({
      ramBytes: null,
      cpuSeconds: null,
    })
  })
})
