import { expect, it } from 'vitest'
import { steadyRate } from '../../../../../src/domain/media/speedCurve'
import {
  ENOUGH_OF_RATE,
  LEAST_BUFFER_BYTES,
  recommendedBuffer,
} from '../../../../../src/domain/sets/times/recommendedBuffer'
import { simulateWrite } from '../../../../../src/domain/sets/times/simulateWrite'
import { seededTree } from './seededTree'

const MIB = 1024 * 1024
const source = { startSeconds: 0, fileSeconds: 0.0038, secondsPerByte: 1 / 30e6 }
const curve = steadyRate(5.54e6)

it.each([1, 2, 3])(
  'is the least power of two that reaches its part of the possible rate (seed %d)',
  (seed) => {
    const sizes = seededTree(seed, { bytes: 200 * MIB, share: 0.7, largeBytes: 4 * MIB, smallBytes: 6000 })
    const bufferBytes = recommendedBuffer({ sizes, source, curve })
    const seconds = (bytes: number): number =>
      simulateWrite({ sizes, source, curve, bufferBytes: bytes }).seconds
    const most = seconds(256 * MIB) / ENOUGH_OF_RATE
    expect(seconds(bufferBytes)).toBeLessThanOrEqual(most)
    expect(seconds(bufferBytes / 2)).toBeGreaterThan(most)
  },
)

it('is the least one where the source is always ahead', () => {
  const fast = { startSeconds: 0, fileSeconds: 0, secondsPerByte: 1e-9 }
  expect(recommendedBuffer({ sizes: [40 * MIB], source: fast, curve })).toBe(LEAST_BUFFER_BYTES)
  expect(recommendedBuffer({ sizes: [], source: fast, curve })).toBe(LEAST_BUFFER_BYTES)
})
