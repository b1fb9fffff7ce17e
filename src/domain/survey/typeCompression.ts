import type { Span } from '../../primitives/estimate'
import { estimateTotal, type Observation } from '../statistics/estimateTotal'
import type { CalibratedSample, SampledUnit } from '../statistics/strata'
import { changeOfType, forecastOfKept, joinedForecast, MOST_STORED } from './carriedFigures'
import type { TypeCompression, TypeRow } from './surveyDocument'

/** Forecasts of types by extension, one row a codec. */
export type TypeForecasts = ReadonlyMap<string, readonly TypeCompression[]>

/** The files of one extension. */
export type TypeTotal = Pick<TypeRow, 'files' | 'bytes'> & { readonly extension: string }

/** Fewer sampled contents than this give a type no figure, unless they are all of it. */
const FEWEST_CONTENTS = 3
/**
 * How much the contents of a type differ in what they save, as one standard deviation that a few
 * similar ones do not show. From 12 samples on, a type of which none saves anything counts as not
 * worth compressing.
 */
const BETWEEN_CONTENTS = 0.05
/** A saving of less than this share is not worth the time. */
const WORTH_SAVING = 0.03

/** Extensions that are named in options: only these, and no more of them. */
export const NAMEABLE = /^[a-z0-9_-]{1,16}$/
export const MOST_NAMED = 40

/**
 * The compressed size of the files of one type: the same regression as for everything, over the
 * samples of that type, whose weights are scaled to its counted bytes. Null where too little of it
 * was sampled.
 * @param units of the type, as indices into the sample
 * @param observations of the whole sample
 * @param systematicShare one standard error of the method, as a share of the compressed or the
 *   saved bytes, whichever is less
 */
export function typeTotal(
  sample: CalibratedSample,
  units: readonly number[],
  observations: readonly Observation[],
  bytes: number,
  systematicShare: number,
): Span | null {
  const placeOf = new Map(units.map((unit, place) => [unit, place]))
  const seen = observations.flatMap((one) => {
    const place = placeOf.get(one.unit)
    return place === undefined ? [] : [{ ...one, unit: place }]
  })
  const own = units.map((unit) => sample.units[unit] as SampledUnit)
  const sampledBytes = own.reduce((sum, unit) => sum + unit.bytes, 0)
  const isWhole = sampledBytes >= bytes
  const contentsOf = (places: readonly number[]): number =>
    new Set(places.map((place) => own[place]?.content ?? -1 - place)).size
  const sampled = contentsOf([...own.keys()])
  const visited = contentsOf(seen.map(({ unit }) => unit))
  if (visited === 0 || (visited < FEWEST_CONTENTS && visited < sampled)) return null
  if (sampled < FEWEST_CONTENTS && !isWhole) return null
  const expanded = units.reduce(
    (sum, unit, place) => sum + (sample.weights[unit] as number) * (own[place] as SampledUnit).bytes,
    0,
  )
  const scale = expanded > 0 ? bytes / expanded : 0
  const domain: CalibratedSample = {
    units: own,
    weights: units.map((unit) => (sample.weights[unit] as number) * scale),
    groups: units.map(() => 0),
  }
  const { value, high } = estimateTotal(domain, seen)
  const between = isWhole ? 0 : BETWEEN_CONTENTS * bytes * Math.sqrt((1 - sampledBytes / bytes) / sampled)
  const systematic = systematicShare * Math.max(0, Math.min(value, 2 * (bytes - value)))
  const half = Math.hypot(high - value, 1.96 * between, 1.96 * systematic)
  const most = Math.max(value, MOST_STORED * bytes)
  return { value, low: Math.max(0, value - half), high: Math.min(value + half, most) }
}

/**
 * Shorter files may save much where they are packed together, which no forecast of each by itself
 * shows.
 */
const LEAST_MEAN_BYTES = 4096

/**
 * True when no codec that was tried saves as much as 3 % of a type, by the upper end of what it may
 * save; false where none was tried, and for types of short files.
 */
export function isNotWorthCompressing({ files, bytes, compression = [] }: TypeRow): boolean {
  const isTried = compression.length > 0 && bytes >= LEAST_MEAN_BYTES * Math.max(1, files)
  return isTried && compression.every(({ low }) => bytes - low < WORTH_SAVING * bytes)
}

/** A type with less than this share of all bytes makes no difference. */
const LEAST_SHARE = 0.001

/** The types by name that are not worth compressing, most bytes first; those that can be named. */
export function typesNotWorthCompressing(types: readonly TypeRow[]): string[] {
  const total = types.reduce((sum, { bytes }) => sum + bytes, 0)
  return types
    .filter((row) => row.bytes >= LEAST_SHARE * total && isNotWorthCompressing(row))
    .flatMap(({ extension }) => (extension !== null && NAMEABLE.test(extension) ? [extension] : []))
    .slice(0, MOST_NAMED)
}

/** The forecast that is shown of a type: zstd -3, or zstd -1 where that saw too little of it. */
export function shownCompression({ compression = [] }: TypeRow): TypeCompression | undefined {
  return (
    compression.find(({ codec }) => codec === 'zstd-3') ?? compression.find(({ codec }) => codec === 'zstd-1')
  )
}

/** The forecasts that a survey's document has. */
export function typeForecastsOf(types: readonly TypeRow[]): TypeForecasts {
  return new Map(
    types.flatMap(({ extension, compression }) =>
      extension !== null && compression ? [[extension, compression] as const] : [],
    ),
  )
}

/** Rows with their forecasts. */
export function withTypeForecasts(rows: readonly TypeRow[], forecasts: TypeForecasts): TypeRow[] {
  return rows.map((row) => {
    const found = row.extension === null ? undefined : forecasts.get(row.extension)
    return found && found.length > 0 ? { ...row, compression: [...found] } : row
  })
}

/**
 * Forecasts of types after a change, from those of an earlier survey for the files that stayed and
 * from those of what was read now. A type of which neither says enough has none.
 * @param kept the bytes of each type that stayed as they were
 */
export function joinedTypes(
  earlier: readonly TypeRow[],
  now: readonly TypeTotal[],
  kept: ReadonlyMap<string, number>,
  read: TypeForecasts,
): TypeForecasts {
  const before = new Map(earlier.map((row) => [row.extension, row]))
  return new Map(
    now.map(({ extension, bytes }) => {
      const keptBytes = kept.get(extension) ?? 0
      const readRows = read.get(extension) ?? []
      const row = before.get(extension)
      if (keptBytes === 0) return [extension, readRows]
      const change = changeOfType(row?.bytes ?? 0, keptBytes, bytes - keptBytes)
      const rows = (row?.compression ?? []).map((one) => {
        const stayed = forecastOfKept(one, change)
        if (change.readBytes === 0) return stayed
        const found = readRows.find(({ codec }) => codec === one.codec)
        const share = change.earlierBytes > 0 ? one.predictedBytes / change.earlierBytes : 1
        return joinedForecast(
          stayed,
          found ?? {
            predictedBytes: Math.round(share * change.readBytes),
            low: 0,
            high: Math.round(MOST_STORED * change.readBytes),
          },
        )
      })
      return [extension, rows]
    }),
  )
}
