import { describe, expect, it } from 'vitest'
import type { VolumeProtection } from '../../../../../src/domain/sets/protection/volumeProtection'
import { bytesReadAgain, recoveryParts } from '../../../../../src/engine/sets/mastering/recoveryParts'

const range = { sector: 1, bytes: 1 }
const protection: VolumeProtection = {
  blockBytes: 10_000,
  sets: [30, 20].map((recoveryBlocks) => ({
    blocks: 9,
    recoveryBlocks,
    description: range,
    recovery: range,
  })),
  bytes: 0,
  scratchBytes: 0,
}

describe('the parts of recovery blocks', () => {
  it('are whole blocks where memory has room for all', () => {
    expect(recoveryParts(protection, 500_000)).toEqual({ partBytes: 10_000, scratchBytes: 0 })
  })

  it('fit into memory together, whole groups of 64 bytes', () => {
    expect(recoveryParts(protection, 499_999)).toEqual({ partBytes: 9984, scratchBytes: 500_000 })
    expect(recoveryParts(protection, 50 * 130)).toEqual({ partBytes: 128, scratchBytes: 500_000 })
    expect(recoveryParts(protection, 1).partBytes).toBe(64)
  })

  it('read again what each block has after its first part', () => {
    const content = (bytes: number) => ({ entry: 0, path: '', sector: 0, bytes })
    expect(bytesReadAgain([content(25_000), content(3000)], 10_000, 4000)).toBe(6000 + 6000 + 1000)
    expect(bytesReadAgain([content(25_000), content(3000)], 10_000, 10_000)).toBe(0)
  })
})
