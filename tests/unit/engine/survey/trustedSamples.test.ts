import { expect, it } from 'vitest'
import { trustedSamples } from '../../../../src/engine/survey/trustedSamples'
import { seededRandom } from '../../../../src/primitives/seededRandom'
import { put, temporaryFolder } from '../../../support/surveyedFolder'

it('samples of unchanged files represent all of their bytes, without bias', async () => {
  const folder = temporaryFolder()
  const random = seededRandom(4)
  const sizes = Array.from({ length: 120 }, () => 1 + random.below(4000))
  sizes.push(1_600_000)
  sizes.forEach((bytes, index) => put(folder, `f${index}`, Buffer.alloc(bytes, index)))
  const all = sizes.reduce((sum, bytes) => sum + bytes, 0)
  const estimates: number[] = []
  for (let seed = 0; seed < 60; seed++) {
    const chosen = trustedSamples(1_200_000, seed)
    sizes.forEach((bytes, index) => chosen.add({ rootIndex: 0, path: Buffer.from(`f${index}`), bytes }))
    const samples = await chosen.read([folder], new AbortController().signal)
    expect(samples.reduce((sum, one) => sum + one.data.length, 0)).toBeLessThanOrEqual(1_200_000)
    for (const one of samples) {
      const value = Number(Buffer.from(one.path).toString().slice(1)) % 256
      expect(one.data.every((byte) => byte === value)).toBe(true)
      expect(one.history.length).toBe(Math.min(one.offset, 32 * 1024))
    }
    estimates.push(samples.reduce((sum, one) => sum + one.data.length / (one.probability ?? 0), 0))
  }
  const mean = estimates.reduce((sum, one) => sum + one, 0) / estimates.length
  expect(Math.abs(mean / all - 1)).toBeLessThan(0.1)
})
