import { describe, expect, it } from 'vitest'
import { amountWithin, binsWithin, pick, typesWithin } from '../../../renderer/src/steps/survey/linked'
import type { SurveyDocument } from '../../../src/contract/dto/survey'

const ROWS: SurveyDocument['types'] = [
  {
    extension: 'jpg',
    fileClass: 'image',
    files: 5,
    bytes: 5000,
    bySize: [
      [1, 3, 1000],
      [2, 2, 4000],
    ],
  },
  { extension: 'txt', fileClass: 'text', files: 9, bytes: 1200, bySize: [[1, 9, 1200]] },
  { extension: 'tif', fileClass: 'image', files: 1, bytes: 900, bySize: [[2, 1, 900]] },
  { extension: null, fileClass: 'other', files: 2, bytes: 0, bySize: [[0, 2, 0]] },
]
const BINS: SurveyDocument['sizeHistogram'] = [
  { fromBytes: 0, toBytes: 1, files: 2, bytes: 0 },
  { fromBytes: 1, toBytes: 512, files: 12, bytes: 2200 },
  { fromBytes: 512, toBytes: null, files: 3, bytes: 4900 },
]

describe('the linked selection', () => {
  it('of a class leaves its types and divides the sizes', () => {
    const linked = { by: 'class', fileClass: 'image' } as const
    expect(typesWithin(ROWS, linked).map((row) => row.extension)).toEqual(['jpg', 'tif'])
    expect(binsWithin(BINS, ROWS, linked)).toEqual([
      { files: 0, bytes: 0 },
      { files: 3, bytes: 1000 },
      { files: 3, bytes: 4900 },
    ])
    expect(amountWithin(ROWS, linked)).toEqual({ files: 6, bytes: 5900 })
  })

  it('of a type leaves the table as it is and shows its sizes', () => {
    const linked = { by: 'type', extension: 'txt' } as const
    expect(typesWithin(ROWS, linked)).toHaveLength(4)
    expect(binsWithin(BINS, ROWS, linked)?.[1]).toEqual({ files: 9, bytes: 1200 })
    expect(amountWithin(ROWS, { by: 'type', extension: null })).toEqual({ files: 2, bytes: 0 })
  })

  it('of a size lists the types with files of that size, most bytes first', () => {
    const rows = typesWithin(ROWS, { by: 'size', bin: 1 })
    expect(rows.map(({ extension, files, bytes }) => [extension, files, bytes])).toEqual([
      ['txt', 9, 1200],
      ['jpg', 3, 1000],
    ])
    expect(binsWithin(BINS, ROWS, { by: 'size', bin: 2 })?.map(({ files }) => files)).toEqual([0, 0, 3])
  })

  it('shows no sizes where the survey did not count them', () => {
    const old = ROWS.map(({ bySize: _bySize, ...row }) => row)
    expect(binsWithin(BINS, old, { by: 'class', fileClass: 'image' })).toBeNull()
    expect(binsWithin(BINS, old, { by: 'class', fileClass: 'video' })).toEqual([
      { files: 0, bytes: 0 },
      { files: 0, bytes: 0 },
      { files: 0, bytes: 0 },
    ])
    expect(binsWithin(BINS, ROWS, null)).toBeNull()
  })

  it('clears a selection that is picked again', () => {
    const text = { by: 'class', fileClass: 'text' } as const
    expect(pick(null, text)).toBe(text)
    expect(pick({ ...text }, text)).toBeNull()
    expect(pick(text, { by: 'size', bin: 3 })).toEqual({ by: 'size', bin: 3 })
  })
})
