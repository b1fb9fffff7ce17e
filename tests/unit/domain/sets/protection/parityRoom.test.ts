import { describe, expect, it } from 'vitest'
import { resolveMedium } from '../../../../../src/domain/media/resolveMedium'
import { parityRoomProblem } from '../../../../../src/domain/sets/protection/parityRoom'
import { mediaCatalogue } from '../../../../../src/engine/media/mediaCatalogue'

describe('the room that parity discs take from volumes', () => {
  const medium = resolveMedium(mediaCatalogue, 'custom:2MB')
  const left = (bytes: number) => ({ ...medium, capacityBytes: bytes })

  it('is noted with size and share where it decides how many volumes there are', () => {
    const [note] = parityRoomProblem(medium, left(medium.capacityBytes - 700_000))
    expect(note).toMatchObject({ code: 'parity-room', blocking: false })
    expect(note?.message).toMatch(/^parity leaves 700 kB \(35.0 %\) of each volume empty: /)
  })

  it('is not worth a note on larger volumes', () => {
    expect(parityRoomProblem(medium, left(0.96 * medium.capacityBytes))).toEqual([])
  })
})
