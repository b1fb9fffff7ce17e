/**
 * Columns of bytes as text: it is read several times as fast as bytes, of which a buffer is made
 * for each row.
 */

/** Stands for a byte that is not UTF-8. */
const REPLACED = '\ufffd'

/** SQL that reads a path as text; one that is not `isExact` is to be read again as bytes. */
export const asText = (column: string): string => `CAST(${column} AS TEXT) AS ${column}`

/** False when a text read by `asText` may stand for bytes that are not UTF-8. */
export const isExact = (text: string | null): boolean => text === null || !text.includes(REPLACED)

/** SQL that reads a digest as digits in lower case; null where there is none. */
export const asHex = (column: string): string =>
  `CASE WHEN ${column} IS NOT NULL THEN lower(hex(${column})) END AS ${column}`
