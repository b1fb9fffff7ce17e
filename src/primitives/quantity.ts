import { figures, spokenNumber } from './figureLanguage'
import { saidCount } from './said'

/**
 * The house's one rounding policy, for the window, the command line and the reports: three
 * significant digits for measured quantities, whole numbers for counts, halves away from zero; what
 * is not quite everything never rounds up to 100 %, what is not nothing never rounds to 0 %.
 */
/** GB = 10^9 bytes, or GiB = 2^30 bytes. */
export type Units = 'decimal' | 'binary'

const DECIMAL = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'] as const
const BINARY = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const

/** A quantity cut into what is read first and what is read second. */
export interface Quantity {
  readonly number: string
  readonly unit: string
}

/**
 * A count with thousands separated: `78,579`. Not by `Intl`, whose first use takes 15 ms of every
 * start.
 */
export function formatCount(count: number): string {
  const whole = Math.round(Math.abs(count))
  const digits = String(whole).replace(/\B(?=(\d{3})+$)/g, figures().thousands)
  return count < 0 && whole > 0 ? `-${digits}` : digits
}

/**
 * Three significant digits, never in exponent form: `3.33`, `33.3`, `333`. For values below 1000.
 */
export function threeDigits(value: number): string {
  const decimals = decimalsFor(value)
  return fixedNumber(value, decimals)
}

/** The decimals that `threeDigits` gives a value. */
export function decimalsFor(value: number): number {
  const size = Math.abs(value)
  if (size === 0) return 0
  if (size < 9.995) return 2
  if (size < 99.95) return 1
  return 0
}

/**
 * A size in the largest unit that leaves at least 1 before the point. Sizes below one kilobyte are
 * exact.
 */
export function sizeQuantity(bytes: number, units: Units): Quantity {
  const names = units === 'decimal' ? DECIMAL : BINARY
  const step = stepFor(bytes, units)
  if (step === 0) return { number: formatCount(Math.round(bytes)), unit: 'B' }
  return { number: threeDigits(bytes / base(units) ** step), unit: names[step] as string }
}

/** `3.33 GB`, in one string. */
export function formatSize(bytes: number, units: Units = 'decimal'): string {
  const { number, unit } = sizeQuantity(bytes, units)
  return `${number} ${unit}`
}

/** `3,330,211,904 bytes`: the exact value behind every rounded size. */
export function formatExactBytes(bytes: number): string {
  return `${formatCount(bytes)} ${figures().bytes(bytes)}`
}

/**
 * `3.20–3.50` in the unit and with the decimals that `value` is shown with, so that the eye need
 * not convert; fewer where the upper end has more digits.
 */
export function formatSizeRange(value: number, low: number, high: number, units: Units): string {
  const step = stepFor(value, units)
  const divisor = base(units) ** step
  const decimals = step === 0 ? 0 : Math.min(decimalsFor(value / divisor), decimalsFor(high / divisor))
  return numberRange(low / divisor, high / divisor, decimals)
}

/** `3.20–3.50`: both ends with so many decimals, and a zero without any. */
export function numberRange(low: number, high: number, decimals: number): string {
  return `${low === 0 ? '0' : fixedNumber(low, decimals)}–${fixedNumber(high, decimals)}`
}

/** `3.33 GB (3.20–3.50)`: a size with its range, where it has one. */
export function sizeWithRange(
  { bytes, low, high }: { readonly bytes: number; readonly low: number; readonly high: number },
  units: Units,
): string {
  const size = formatSize(bytes, units)
  return low === high ? size : `${size} (${formatSizeRange(bytes, low, high, units)})`
}

/** A block size as people name it: always binary, always whole: `4 KiB`. */
export function formatBlockSize(bytes: number): string {
  if (bytes >= 1024 ** 3 && bytes % 1024 ** 3 === 0) return `${bytes / 1024 ** 3} GiB`
  if (bytes >= 1024 * 1024 && bytes % (1024 * 1024) === 0) return `${bytes / (1024 * 1024)} MiB`
  if (bytes >= 1024 && bytes % 1024 === 0) return `${bytes / 1024} KiB`
  return `${formatCount(bytes)} B`
}

/** The mean size of chunks, in the units of blocks: `16.4 KiB`. */
export function formatChunkSize(bytes: number): string {
  return bytes % 1024 === 0 ? formatBlockSize(bytes) : formatSize(bytes, 'binary')
}

/** The size of a band as it was asked for: `8 MiB` where it is whole, else `15.4 MB`. */
export function formatBandSize(bytes: number): string {
  return bytes % (1024 * 1024) === 0 ? formatBlockSize(bytes) : formatSize(bytes)
}

/** `812 MB/s`. */
export function formatRate(bytesPerSecond: number, units: Units = 'decimal'): string {
  return `${formatSize(Math.round(bytesPerSecond), units)}/s`
}

/**
 * A share of 0 to 1 as per cent: `92.4 %`; `<0.1 %` and `>99.9 %` where rounding would claim
 * nothing or everything.
 */
export function formatShare(share: number): string {
  if (share === 0) return '0 %'
  if (share === 1) return '100 %'
  if (share > 0 && share < 0.001) return `<${spokenNumber('0.1')} %`
  if (share > 0.999 && share < 1) return `>${spokenNumber('99.9')} %`
  return `${fixedNumber(share * 100, 1)} %`
}

/** A share without a decimal that is zero: `12 %`, `12.5 %`. */
export function shortShare(share: number): string {
  return formatShare(share).replace(`${figures().point}0 `, ' ')
}

/** A number with these decimals at most, and no zeros at its end: `2.25`, `2.5`, `2`. */
export function shortNumber(value: number, decimals: number): string {
  return spokenNumber(String(Number(value.toFixed(decimals))))
}

/** A number with exactly these decimals. */
export function fixedNumber(value: number, decimals: number): string {
  return spokenNumber(value.toFixed(decimals))
}

function base(units: Units): number {
  return units === 'decimal' ? 1000 : 1024
}

function stepFor(bytes: number, units: Units): number {
  const factor = base(units)
  let step = 0
  let value = bytes
  while (step < DECIMAL.length - 1 && (step === 0 ? value >= factor : value >= factor - 0.5)) {
    value /= factor
    step += 1
  }
  return step
}

/** A count with its noun: `1 file`, `1,204 files`. */
export function formatCounted(count: number, noun: string): string {
  const text = `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`
  return saidCount(text, count, noun, `${noun}s`)
}
