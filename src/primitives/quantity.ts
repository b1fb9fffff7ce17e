/** GB = 10^9 bytes, or GiB = 2^30 bytes. */
export type ByteUnits = 'decimal' | 'binary'

const UNIT_NAMES = {
  decimal: ['B', 'kB', 'MB', 'GB', 'TB', 'PB'],
  binary: ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'],
} as const

/**
 * The house's one rounding policy for sizes: three significant digits, whole bytes below one thousand, never a larger
 * unit than needed for a value below one thousand. The number and the unit apart, so that the unit can be set lighter.
 */
export function splitBytes(value: number, units: ByteUnits = 'decimal'): { number: string; unit: string } {
  const names = UNIT_NAMES[units]
  const step = units === 'decimal' ? 1000 : 1024
  let scaled = value
  let index = 0
  // 999.5 would be shown as 1000 of its unit, so it belongs to the next one.
  while (scaled >= 999.5 && index < names.length - 1) {
    scaled /= step
    index += 1
  }
  return { number: index === 0 ? String(Math.round(scaled)) : threeDigits(scaled), unit: names[index] ?? '' }
}

/** `3.33 GB`; see splitBytes for the rounding. */
export function formatBytes(value: number, units: ByteUnits = 'decimal'): string {
  const { number, unit } = splitBytes(value, units)
  return `${number} ${unit}`
}

/** `812 MB/s`, from bytes per second. */
export function formatRate(bytesPerSecond: number, units: ByteUnits = 'decimal'): string {
  return `${formatBytes(bytesPerSecond, units)}/s`
}

/** A whole number with thousands separated by commas: `41,203`. */
export function formatCount(value: number): string {
  return Math.round(value)
    .toString()
    .replaceAll(/\B(?=(\d{3})+(?!\d))/g, ',')
}

/** A duration as a person says it, in its two largest units: `850 ms`, `4.2 s`, `2 min 5 s`, `3 h 20 min`, `2 d 4 h`. */
export function formatDuration(ms: number): string {
  if (ms < 999.5) return `${Math.round(ms)} ms`
  if (ms < 9_950) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return pair(minutes, 'min', seconds % 60, 's')
  const hours = Math.floor(minutes / 60)
  if (hours < 24) return pair(hours, 'h', minutes % 60, 'min')
  return pair(Math.floor(hours / 24), 'd', hours % 24, 'h')
}

/** A share of one as per cent with one decimal: `45.8 %`. */
export function formatShare(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}

function threeDigits(value: number): string {
  if (value < 9.995) return value.toFixed(2)
  if (value < 99.95) return value.toFixed(1)
  return value.toFixed(0)
}

function pair(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`
}
