import { describe, expect, it } from 'vitest'
import { udfEntriesProblem } from '../../../../../src/domain/sets/packing/udfEntries'

const volumes = (count: number, reserveBytes = 1e6) =>
  Array.from({ length: count }, (_, at) => ({
    index: at + 1,
    label: `SET_${at + 1}`,
    sectors: 1,
    capacitySectors: 359_424,
    files: 1,
    bytes: 1,
    reserveBytes,
    shares: [],
  }))

describe('the entries of UDF', () => {
  it('are noted where archives may take fewer discs', () => {
    const files = { files: 140_000, folders: 10 }
    const [note] = udfEntriesProblem({ leastBytes: 900e6 }, volumes(2), files)
    expect(note).toMatchObject({ code: 'udf-entries', blocking: false })
    expect(note?.message).toBe(
      '140,000 files take 287 MB for their entries in UDF; archives have none and may take fewer discs',
    )
  })

  it('are not where the contents alone need as many discs, or on one disc', () => {
    expect(udfEntriesProblem({ leastBytes: 900e6 }, volumes(2), { files: 70_000, folders: 0 })).toEqual([])
    expect(udfEntriesProblem({ leastBytes: 300e6 }, volumes(1), { files: 90_000, folders: 0 })).toEqual([])
    expect(
      udfEntriesProblem({ leastBytes: 900e6 }, volumes(2, 800e6), { files: 140_000, folders: 0 }),
    ).toEqual([])
  })
})
