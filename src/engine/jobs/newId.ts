import { randomBytes } from 'node:crypto'

/** Makes an ID that nothing else has, from a prefix for its kind. */
export type NewId = (prefix: string) => string

/**
 * A fresh id such as `s-4f0c9b1e7a23`: 48 random bits, unique enough for one catalog and short
 * enough to type.
 */
export function newId(prefix: string): string {
  return `${prefix}-${randomBytes(6).toString('hex')}`
}
