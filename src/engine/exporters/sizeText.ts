/** Exact bytes with both units for people: `1,234,567 bytes (1.23 MB, 1.18 MiB)`. */
export function sizeText(bytes: number): string {
  const exact = `${grouped(bytes)} bytes`
  return bytes < 1000 ? exact : `${exact} (${scaled(bytes, 1000, DECIMAL)}, ${scaled(bytes, 1024, BINARY)})`
}

const DECIMAL = ['bytes', 'kB', 'MB', 'GB', 'TB', 'PB']
const BINARY = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB']

/** Three significant digits in the largest unit of which there is at least one. */
function scaled(bytes: number, step: number, units: readonly string[]): string {
  let value = bytes
  let unit = 0
  while (value >= step && unit < units.length - 1) {
    value /= step
    unit += 1
  }
  const digits = unit === 0 ? 0 : value >= 100 ? 0 : value >= 10 ? 1 : 2
  return `${value.toFixed(digits)} ${units[unit] as string}`
}

/** Size in GB and GiB, the two units that people compare discs in. */
export function gigabytes(bytes: number): { gb: string; gib: string } {
  return { gb: (bytes / 1e9).toFixed(3), gib: (bytes / 2 ** 30).toFixed(3) }
}

/** A whole number with commas between thousands. */
export function grouped(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',')
}
