import { spokenNumber } from '../../../primitives/figureLanguage'
import { formatExactBytes, formatSize } from '../../../primitives/quantity'

/** Exact bytes with both units for people: `1,234,567 bytes (1.23 MB, 1.18 MiB)`. */
export function sizeText(bytes: number): string {
  const exact = formatExactBytes(bytes)
  return bytes < 1000 ? exact : `${exact} (${formatSize(bytes)}, ${formatSize(bytes, 'binary')})`
}

/** Size in GB and GiB, the two units that people compare discs in. */
export function gigabytes(bytes: number): { gb: string; gib: string } {
  return { gb: spokenNumber((bytes / 1e9).toFixed(3)), gib: spokenNumber((bytes / 2 ** 30).toFixed(3)) }
}
