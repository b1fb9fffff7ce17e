import { describe, expect, it } from 'vitest'
import { csvOf } from '../../../renderer/src/components/tableColumns'
import { bestCodec, codecsAt, recordSizesOf } from '../../../renderer/src/steps/survey/forecasts'
import { initialSurvey, reduceSurvey } from '../../../renderer/src/steps/survey/surveyState'
import { cellText } from '../../../src/cli/shape/tableLines'
import type { Compression } from '../../../src/contract/dto/survey'
import { DUPLICATE_TABLE, duplicateLines } from '../../../src/contract/tables/surveyTables'

function forecast(codec: string, recordSize: number | null, predictedBytes: number, speed = 1): Compression {
  return {
    codec,
    scope: recordSize === null ? 'file' : 'record',
    recordSize,
    predictedBytes,
    low: predictedBytes,
    high: predictedBytes,
    sampledBytes: 1,
    bytesPerSecond: speed,
  }
}

describe('forecasts of codecs', () => {
  const all = [
    forecast('slow', 4096, 90),
    forecast('big', null, 80),
    forecast('slow', null, 50, 2),
    forecast('fast', null, 50, 9),
    forecast('big', 65_536, 85),
  ]

  it('offer each file first, then the record sizes from small to large', () => {
    expect(recordSizesOf(all)).toEqual([null, 4096, 65_536])
    expect(recordSizesOf([])).toEqual([])
  })

  it('are sorted by size, then by speed', () => {
    expect(codecsAt(all, null).map((row) => row.codec)).toEqual(['fast', 'slow', 'big'])
    expect(codecsAt(all, 65_536).map((row) => row.codec)).toEqual(['big'])
    expect(bestCodec(all)?.predictedBytes).toBe(50)
    expect(bestCodec([])).toBeUndefined()
    // What may also be larger is not the best because it may be smaller.
    const noisy = { ...forecast('noisy', null, 40), low: 30, high: 60 }
    expect(bestCodec([noisy, ...all])?.codec).toBe('slow')
  })
})

describe('lines of duplicates', () => {
  it('are the listed paths, and one for those that are not listed', () => {
    const all = { bytes: 5, copies: 3, savedBytes: 10, paths: ['/a', '/b', '/c'] }
    const listed = { bytes: 1, copies: 9, savedBytes: 8, paths: ['/d', '/e'] }
    const lines = [all, listed].flatMap(duplicateLines)
    expect(lines.map(({ group, path, isFirst }) => [group, path, isFirst])).toEqual([
      [0, '/a', true],
      [0, '/b', false],
      [0, '/c', false],
      [1, '/d', true],
      [1, '/e', false],
      [1, null, false],
    ])
    expect(lines.map((line) => cellText(DUPLICATE_TABLE.path, line)).at(-1)).toBe('and 7 more')
    expect(lines.map((line) => cellText(DUPLICATE_TABLE.copies, line))).toEqual(['3', '', '', '9', '', ''])
  })

  it('have the figures of their group in the CSV', () => {
    const lines = duplicateLines({ bytes: 5, copies: 2, savedBytes: 5, paths: ['/a', '/b'] }, 3)
    expect(csvOf(Object.values(DUPLICATE_TABLE), lines)).toEqual({
      header: ['group', 'bytes_each', 'copies', 'saved_bytes', 'path'],
      rows: [
        [4, 5, 2, 5, '/a'],
        [4, 5, 2, 5, '/b'],
      ],
    })
  })
})

describe('the survey on the screen', () => {
  it('keeps the requested duplicates and the started survey', () => {
    const started = reduceSurvey(initialSurvey, { type: 'started', samples: 'quick' })
    expect(started.samples).toBe('quick')
    const known = reduceSurvey(started, { type: 'duplicates', surveyId: 's1', groups: [] })
    expect(reduceSurvey(known, { type: 'ended', outcome: 'cancelled' }).duplicates?.surveyId).toBe('s1')
  })
})
