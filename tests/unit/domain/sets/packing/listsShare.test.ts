import { describe, expect, it } from 'vitest'
import { listsProblem } from '../../../../../src/domain/sets/packing/listsShare'

function volumes(count: number, reserveBytes: number) {
  return Array.from({ length: count }, (_, at) => ({
    index: at + 1,
    label: `SET_${at + 1}`,
    sectors: 1,
    capacitySectors: 20_000,
    files: 1,
    bytes: 1,
    reserveBytes,
    shares: [],
  }))
}

describe('the lists on every volume', () => {
  it('are noted with size and share where they take much of each', () => {
    expect(listsProblem(volumes(59, 16.4e6), 2048)).toEqual([
      {
        code: 'large-lists',
        message:
          'the lists of the whole set take 16.4 MB (40.0 %) of each volume; larger volumes need fewer copies of them',
        blocking: false,
      },
    ])
  })

  it('are no matter where they are short, or on one volume', () => {
    expect(listsProblem(volumes(59, 1.9e6), 2048)).toEqual([])
    expect(listsProblem(volumes(59, 2.1e6), 2048)).toHaveLength(1)
    expect(listsProblem(volumes(1, 16.4e6), 2048)).toEqual([])
    expect(listsProblem([], 2048)).toEqual([])
  })
})
