import { expect, it } from 'vitest'
import { steadyRate } from '../../../../../src/domain/media/speedCurve'
import { closedForm } from '../../../../../src/domain/sets/times/closedForm'
import { simulateWrite } from '../../../../../src/domain/sets/times/simulateWrite'
import { seededTree } from './seededTree'

const MIB = 1024 * 1024
const source = { startSeconds: 0, fileSeconds: 0.0038, secondsPerByte: 1 / 30e6 }

it.each([2, 8, 16])('is within its bound of the simulation where large files have %d MiB', (largeMib) => {
  for (const [seed, rate] of [
    [1, 5.54e6],
    [2, 3e6],
    [3, 9e6],
  ] as const) {
    const sizes = seededTree(seed, {
      bytes: 400 * MIB,
      share: 0.7,
      largeBytes: largeMib * MIB,
      smallBytes: 6000,
    })
    for (const bufferBytes of [MIB, 4 * MIB, 16 * MIB, 64 * MIB, 256 * MIB]) {
      const setting = { sizes, source, curve: steadyRate(rate), bufferBytes }
      const [formula, simulated] = [closedForm(setting), simulateWrite(setting)]
      const off = Math.abs(formula.seconds / simulated.seconds - 1)
      expect(off, `${rate} B/s, ${bufferBytes / MIB} MiB`).toBeLessThan(0.03)
    }
  }
})

it('is the slower side where no file is slower than the writer', () => {
  const { seconds, unbufferedSeconds } = closedForm({
    sizes: [MIB, 2 * MIB],
    source: { startSeconds: 0, fileSeconds: 0, secondsPerByte: 1e-9 },
    curve: steadyRate(MIB),
    bufferBytes: MIB,
  })
  expect([seconds, unbufferedSeconds]).toEqual([3, 3])
})
