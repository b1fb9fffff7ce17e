import type { GroupedBy, SurveyDocument } from './surveyDocument'

/** How the source would be smallest, with its forecast size. */
export type SmallestForecast = {
  readonly bytes: number
  readonly low: number
  readonly high: number
} & (
  | {
      readonly way: 'solid' | GroupedBy | 'records' | 'files' | 'zfs' | 'deduplicated'
      readonly codec: string
    }
  | { readonly way: 'blocks'; readonly blockSize: number }
  | { readonly way: 'chunks'; readonly chunker: string }
)

/** Below this share nobody changes the way files are stored. */
export const WORTHWHILE = 0.01

type Forecasts = Pick<
  SurveyDocument,
  'totals' | 'fixedBlocks' | 'chunked' | 'compression' | 'combined' | 'solid' | 'grouped'
>

/**
 * The smallest of all forecasts of a survey. Null where none is noticeably smaller than the files
 * as they are.
 */
export function smallestForecast(survey: Forecasts): SmallestForecast | null {
  const all: SmallestForecast[] = [
    ...survey.solid.map((row) => packed('solid', row)),
    ...(survey.grouped ?? []).map((row) => packed(row.by, row)),
    ...survey.combined.map((row) => packed(row.method === 'zfs' ? 'zfs' : 'deduplicated', row)),
    ...survey.compression.map((row) => packed(row.scope === 'file' ? 'files' : 'records', row)),
    ...survey.fixedBlocks.map((row) => ({
      way: 'blocks' as const,
      blockSize: row.blockSize,
      ...uniqueOf(row),
    })),
    ...survey.chunked.map((row) => ({ way: 'chunks' as const, chunker: row.chunker, ...uniqueOf(row) })),
  ]
  const best = smallestOf(all)
  return best !== null && best.bytes < (1 - WORTHWHILE) * survey.totals.bytes ? best : null
}

/**
 * The smallest of some forecasts, by the upper end of its range: one that is hardly known is not
 * the best because it may be. Null for none.
 */
export function smallestOf<Sized extends { readonly high: number }>(all: readonly Sized[]): Sized | null {
  return all.reduce<Sized | null>((least, each) => (least && least.high <= each.high ? least : each), null)
}

type Size = Pick<SmallestForecast, 'bytes' | 'low' | 'high'>

type PackedWay = Extract<SmallestForecast, { codec: string }>['way']

function packed(
  way: PackedWay,
  row: {
    readonly codec: string
    readonly predictedBytes: number
    readonly low: number
    readonly high: number
  },
): SmallestForecast {
  return { way, codec: row.codec, bytes: row.predictedBytes, low: row.low, high: row.high }
}

function uniqueOf(row: {
  readonly uniqueBytes: number
  readonly exact: boolean
  readonly low: number
  readonly high: number
}): Size {
  const bytes = row.uniqueBytes
  return row.exact ? { bytes, low: bytes, high: bytes } : { bytes, low: row.low, high: row.high }
}
