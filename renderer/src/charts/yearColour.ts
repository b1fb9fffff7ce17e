import type { YearBytes } from '../../../src/contract/dto/survey'

/** The places of years on the ramp from old to new, 0 to 1. */
export type YearRamp = ReadonlyMap<number, number>

/**
 * Years by their order, not by their distance: files dated 1980 by mistake leave the others as far
 * apart as they are.
 * @param years the oldest first
 */
export function yearRamp(years: readonly Pick<YearBytes, 'year'>[]): YearRamp {
  return new Map(years.map(({ year }, at) => [year, at / Math.max(1, years.length - 1)]))
}

/** The colour of a year as CSS takes it; ink is readable on each of them. */
export function yearColour(ramp: YearRamp, year: number): string {
  return colourAt(ramp.get(year) ?? 0)
}

function colourAt(place: number): string {
  return `color-mix(in oklab, var(--share-old), var(--share-new) calc(${place.toFixed(3)} * var(--year-span)))`
}
