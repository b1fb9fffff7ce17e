import { describe, expect, it } from 'vitest'
import { lookBesideSurvey } from '../../../../src/domain/look/besideSurvey'
import type { LookIdentical } from '../../../../src/domain/look/lookDocument'
import type { Compression, SurveyDocument } from '../../../../src/domain/survey/surveyDocument'

type Looked = Parameters<typeof lookBesideSurvey>[0]
type Surveyed = Parameters<typeof lookBesideSurvey>[1]

const COUNTS = { files: 3, folders: 1, bytes: 1000, symlinks: 0, hardLinks: 2 }

function totals(more: Partial<typeof COUNTS> = {}): SurveyDocument['totals'] {
  return {
    ...COUNTS,
    ...more,
    allocatedBytes: 4096,
    hardLinkedBytes: 0,
    sparseBytes: 0,
    slackBytes: 0,
    clonedBytes: null,
    emptyFiles: 0,
    skipped: 0,
  }
}

function row(
  codec: string,
  [low, predictedBytes, high]: [number, number, number],
  recordSize: number | null = null,
): Compression {
  const scope = recordSize === null ? 'file' : 'record'
  return { codec, scope, recordSize, predictedBytes, low, high, sampledBytes: 100, bytesPerSecond: 1e6 }
}

function saved(low: number, high: number): LookIdentical {
  const estimate = { value: low, low, high, confidence: 0.95, provenance: 'modelled', basis: '' } as const
  return { saved: estimate, most: 900, files: 3, sizes: 1, comparedFiles: 3, comparedSizes: 1 }
}

const LOOK: Looked = {
  totals: totals(),
  compression: [row('zstd-3', [300, 320, 340])],
  identical: saved(90, 110),
}

function surveyOf(more: Partial<Surveyed> = {}): Surveyed {
  return {
    totals: totals(),
    compression: [row('zstd-3', [325, 330, 335])],
    duplicateFiles: { groups: 1, files: 2, bytes: 100 },
    partial: false,
    ...more,
  }
}

const outside = (survey: Surveyed, look: Looked = LOOK): unknown[] =>
  lookBesideSurvey(look, survey).flatMap(({ isWithin, figure, found }) =>
    isWithin ? [] : [{ ...figure, found }],
  )

describe('a look compared with the survey of its source', () => {
  it('has every figure that both know, in a fixed order', () => {
    const kinds = lookBesideSurvey(LOOK, surveyOf()).map(({ figure }) =>
      'of' in figure ? figure.of : figure.kind,
    )
    expect(kinds).toEqual(['files', 'folders', 'symlinks', 'hardLinks', 'bytes', 'identical', 'codec'])
    expect(outside(surveyOf())).toEqual([])
  })

  it.each([299, 341])('finds a codec’s size outside its range at %d', (size) => {
    expect(outside(surveyOf({ compression: [row('zstd-3', [size, size, size])] }))).toEqual([
      { kind: 'codec', codec: 'zstd-3', found: size },
    ])
  })

  it.each([300, 340])('counts both ends of the range to it: %d', (size) => {
    expect(outside(surveyOf({ compression: [row('zstd-3', [size, size, size])] }))).toEqual([])
  })

  it('finds counts that differ by one, and identical files', () => {
    const survey = surveyOf({
      totals: totals({ files: 4, bytes: 1001 }),
      duplicateFiles: { groups: 1, files: 2, bytes: 111 },
    })
    expect(outside(survey)).toEqual([
      { kind: 'count', of: 'files', found: 4 },
      { kind: 'count', of: 'bytes', found: 1001 },
      { kind: 'identical', found: 111 },
    ])
  })

  it('leaves out what one of them does not know: records, other codecs, files that were not compared', () => {
    const survey = surveyOf({ compression: [row('zstd-3', [1, 1, 1], 4096), row('lz4', [1, 1, 1])] })
    const figures = lookBesideSurvey({ ...LOOK, identical: null }, survey)
    expect(figures.every(({ figure }) => figure.kind === 'count')).toBe(true)
  })

  it('says nothing of a survey that was stopped', () => {
    expect(lookBesideSurvey(LOOK, surveyOf({ partial: true, totals: totals({ files: 1 }) }))).toEqual([])
  })
})
