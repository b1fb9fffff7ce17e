import { describe, expect, it } from 'vitest'
import { linesOf } from '../../../renderer/src/steps/survey/duplicates'
import { bestCodec, codecsAt, recordSizesOf } from '../../../renderer/src/steps/survey/forecasts'
import { initialSurvey, reduceSurvey } from '../../../renderer/src/steps/survey/surveyState'
import type { Compression, DuplicateGroup } from '../../../src/contract/dto/survey'

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
  const groups: DuplicateGroup[] = [
    { bytes: 5, copies: 3, savedBytes: 10, paths: ['/a', '/b', '/c'] },
    { bytes: 1, copies: 9, savedBytes: 8, paths: ['/d', '/e'] },
  ]

  it('are one for each closed group', () => {
    expect(linesOf(groups, new Set()).map((line) => line.kind)).toEqual(['group', 'group'])
  })

  it('show the further paths of an open one, and how many are not listed', () => {
    const lines = linesOf(groups, new Set([0, 1]))
    expect(lines.map((line) => (line.kind === 'path' ? line.path : line.kind))).toEqual([
      'group',
      '/b',
      '/c',
      'group',
      '/e',
      'more',
    ])
    expect(lines.at(-1)).toMatchObject({ count: 7 })
    expect(new Set(lines.map((line) => line.key)).size).toBe(lines.length)
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
