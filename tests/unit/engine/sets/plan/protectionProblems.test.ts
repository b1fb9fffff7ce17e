import { describe, expect, it } from 'vitest'
import type { VolumeProtection } from '../../../../../src/domain/sets/protection/volumeProtection'
import {
  protectionProblems,
  requireProtectionMemory,
} from '../../../../../src/engine/sets/plan/protectionProblems'

const range = { sector: 1, bytes: 1 }
const protectionOf = (recoveryBlocks: number): VolumeProtection => ({
  blockBytes: 1_000_000,
  sets: [{ blocks: 2000, recoveryBlocks, description: range, recovery: range }],
  bytes: 0,
  scratchBytes: 0,
})

describe('notes on recovery data', () => {
  it('name each disc without any, how much of it is free, and the cure', () => {
    const volumes = [
      { label: 'A_01', sectors: 990 },
      { label: 'A_02', sectors: 500, protection: protectionOf(10) },
    ]
    const notes = protectionProblems(volumes, 'fill', 1000)
    expect(notes.map(({ code, blocking }) => [code, blocking])).toEqual([['unprotected', false]])
    expect(notes[0]?.message).toMatch(/^A_01 is unprotected: 1.0 % free; .*--protect 10%/)
  })

  it('say when memory is why there is no more', () => {
    const volumes = [{ label: 'A_01', sectors: 1, protection: protectionOf(500), isLimited: true }]
    const [note] = protectionProblems(volumes, 'fill', 1000)
    expect(note?.message).toContain('limited to 500 MB')
    expect(note?.message).toContain('--max-memory')
  })

  it('are none where none is wanted', () => {
    expect(protectionProblems([{ label: 'A_01', sectors: 990 }], undefined, 1000)).toEqual([])
  })
})

it('recovery data that takes more memory than it may is refused with its size', () => {
  const volumes = [{ label: 'A_01', sectors: 1, protection: protectionOf(500) }]
  expect(() => requireProtectionMemory(volumes, 500_000_000)).not.toThrow()
  expect(() => requireProtectionMemory(volumes, 499_999_999)).toThrow('takes 500 MB of memory')
})
