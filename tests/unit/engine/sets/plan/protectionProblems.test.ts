import { describe, expect, it } from 'vitest'
import type { VolumeProtection } from '../../../../../src/domain/sets/protection/volumeProtection'
import { protectionProblems } from '../../../../../src/engine/sets/plan/protectionProblems'

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
      { label: 'A_01', room: 1000, sectors: 990 },
      { label: 'A_02', room: 1000, sectors: 500, protection: protectionOf(10) },
    ]
    const notes = protectionProblems(volumes, 'fill', 1e12)
    expect(notes.map(({ code, blocking }) => [code, blocking])).toEqual([['unprotected', false]])
    expect(notes[0]?.message).toMatch(/^A_01 is unprotected: 1.0 % free; .*--protect 10%/)
  })

  it('say the size of the scratch file where memory is too little', () => {
    const volumes = [{ label: 'A_01', room: 1000, sectors: 1, protection: protectionOf(500) }]
    const [note] = protectionProblems(volumes, 'fill', 499_999_999)
    expect(note?.message).toMatch(/takes 500 MB of memory .* scratch file of up to 500 MB/)
    expect(note?.message).toContain('--max-memory')
    expect(protectionProblems(volumes, 'fill', 500_000_000)).toEqual([])
  })

  it('are none where none is wanted', () => {
    expect(protectionProblems([{ label: 'A_01', room: 1000, sectors: 990 }], undefined, 1e12)).toEqual([])
  })
})
