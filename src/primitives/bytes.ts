import { AppError } from './appError'
import { said } from './said'

/** A count of bytes: an integer from 0 to 2^53 - 1, exact in a JavaScript number. */
export type Bytes = number & { readonly __unit: 'bytes' }

/**
 * Brands a number as a byte count.
 * @throws AppError `internal` when the number is not an integer from 0 to 2^53 - 1: such a value
 *   is a bug of the caller.
 */
export function bytes(value: number): Bytes {
  if (!Number.isSafeInteger(value) || value < 0) {
    throw new AppError('internal', `not a byte count: ${value}`)
  }
  return value as Bytes
}

const UNIT_BYTES: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  k: 1024,
  m: 1024 ** 2,
  g: 1024 ** 3,
  t: 1024 ** 4,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  kib: 1024,
  mib: 1024 ** 2,
  gib: 1024 ** 3,
  tib: 1024 ** 4,
}

/**
 * Reads a size as people write it: in decimal units (`700MB`), in binary ones (`512MiB`; a bare
 * letter is binary, as in most Unix tools: `4k`), or in bytes (`2048`). Fractions are allowed when
 * the result is rounded to a whole byte.
 * @throws AppError `usage` naming the text when it is not a size or exceeds 2^53 - 1 bytes.
 */
export function parseSize(text: string): Bytes {
  const match = /^\s*(\d+(?:\.\d+)?)\s*([a-z]*)\s*$/i.exec(text)
  const factor = match ? UNIT_BYTES[(match[2] ?? '').toLowerCase()] : undefined
  if (!match || factor === undefined) {
    throw new AppError('usage', said`not a size: "${text}" (write for example 700MB, 512MiB or 2048)`)
  }
  const value = Math.round(Number(match[1]) * factor)
  if (!Number.isSafeInteger(value)) {
    throw new AppError('usage', said`size too large: "${text}" (at most 2^53 - 1 bytes)`)
  }
  return value as Bytes
}
