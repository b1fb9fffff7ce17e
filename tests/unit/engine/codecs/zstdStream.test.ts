import { constants, zstdCompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { type Mark, type StreamSetting, sizesAtMarks } from '../../../../src/engine/codecs/zstdStream'
import { seededRandom } from '../../../../src/primitives/seededRandom'

const PART = 256 * 1024

function sizesOf(data: Uint8Array, marks: readonly number[], setting: Partial<StreamSetting>) {
  const all = { level: 3, longWindowLog: null, jobs: null, ...setting }
  return sizesAtMarks(all, data.length, 0, marks, async (offset, length) =>
    data.subarray(offset, offset + length),
  )
}

function noise(seed: number, bytes: number): Uint8Array {
  const data = new Uint8Array(bytes)
  seededRandom(seed).fillBytes(data)
  return data
}

describe('a stream of zstd', () => {
  const repeated = Buffer.concat([noise(1, PART), noise(2, PART), noise(1, PART)])
  const marks = [PART, 2 * PART, 3 * PART]

  it('puts out what the codec makes of the whole, mark by mark', async () => {
    const sizes = (await sizesOf(repeated, marks, {})) as Mark[]
    const whole = zstdCompressSync(repeated, { params: { [constants.ZSTD_c_compressionLevel]: 3 } }).length
    expect(Math.abs((sizes[2] as Mark).bytes - whole)).toBeLessThan(32)
    expect((sizes[0] as Mark).bytes).toBeGreaterThan(PART)
    // What stood there before costs next to nothing again.
    expect((sizes[2] as Mark).bytes - (sizes[1] as Mark).bytes).toBeLessThan(PART * 0.01)
  })

  it('forgets what precedes a job except for its overlap', async () => {
    const alone = (await sizesOf(repeated, marks, { jobs: { bytes: 2 * PART, overlapBytes: 0 } })) as Mark[]
    expect((alone[2] as Mark).jobBytes).toBeGreaterThan(PART)
    expect((alone[2] as Mark).bytes).toBe((alone[1] as Mark).bytes + (alone[2] as Mark).jobBytes)
    const seen = (await sizesOf(repeated, marks, {
      jobs: { bytes: 2 * PART, overlapBytes: 2 * PART },
    })) as Mark[]
    expect((seen[2] as Mark).jobBytes).toBeLessThan(PART * 0.01)
  })

  it('gives no figure for data that cannot be read', async () => {
    const setting = { level: 1, longWindowLog: null, jobs: null }
    expect(await sizesAtMarks(setting, PART, 0, [PART], async () => null)).toBeNull()
  })
})
