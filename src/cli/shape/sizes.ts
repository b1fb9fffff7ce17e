import * as quantity from '../../primitives/quantity'

/** The unit of sizes of this command: the one of the settings. */
let chosen: () => quantity.Units = () => 'decimal'

/** Sets the unit of sizes. @param units is asked for with the first size that is shown */
export function showSizesIn(units: () => quantity.Units): void {
  chosen = units
}

/** The unit of sizes of this command. */
export function sizeUnits(): quantity.Units {
  return chosen()
}

/** `3.33 GB` or `3.10 GiB`, as the settings say. */
export function formatSize(bytes: number, units = chosen()): string {
  return quantity.formatSize(bytes, units)
}

/** `3.20–3.50` in the unit that `value` is shown with. */
export function formatSizeRange(value: number, low: number, high: number): string {
  return quantity.formatSizeRange(value, low, high, chosen())
}

/** `812 MB/s` or `774 MiB/s`. */
export function formatRate(bytesPerSecond: number): string {
  return quantity.formatRate(bytesPerSecond, chosen())
}
