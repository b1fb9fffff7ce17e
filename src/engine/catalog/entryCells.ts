/**
 * Entries whose numbers are text, so that the database reads them by itself: nothing is made of
 * each of them here.
 */
export interface EntryCells {
  /** The id of the first of them; the next ones follow. */
  readonly firstId: number
  readonly count: number
  /** A row of `CELL_BYTES` of each, as native/src/core/survey/entryColumns.h lays it out. */
  readonly cells: Uint8Array
  /** The paths that the cells point into, without the first `pathsFrom` bytes. */
  readonly paths: Uint8Array
  readonly pathsFrom: number
  /** 16 and 32 bytes of each; zeros for what has none. */
  readonly digests: Uint8Array
  readonly sha256: Uint8Array | null
}

/** Bytes of a row. */
export const CELL_BYTES = 171

/** In a row's first cell: the entry cannot be stored from its cells. */
export const NOT_HERE = 0x2d

const cell = (at: number, bytes: number): string =>
  `CAST(substr(@cells, i * ${CELL_BYTES} + ${at + 1}, ${bytes}) AS INTEGER)`
const KIND = `substr(@cells, i * ${CELL_BYTES} + 1, 1)`
const ofFiles = (column: string, bytes: number): string =>
  `CASE WHEN ${KIND} = x'30' THEN substr(@${column}, i * ${bytes} + 1, ${bytes}) END`

/**
 * Takes the fields of `EntryCells` and the key of the first entry. What has no number of a file has
 * the greatest one in its cell.
 */
export const INSERT_CELLS = `
INSERT INTO survey_entries
WITH RECURSIVE rows (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM rows WHERE i + 1 < @count)
SELECT @firstKey + i, ${cell(0, 1)}, ${cell(1, 10)},
  ifnull(substr(@paths, ${cell(11, 10)} - @pathsFrom + 1, ${cell(21, 10)}), x''),
  ${[31, 51, 71, 91, 111, 131].map((at) => cell(at, 20)).join(', ')}, ${cell(151, 10)},
  ${ofFiles('digests', 16)}, ${ofFiles('sha256', 32)}, NULL, NULL,
  CASE WHEN ${KIND} = x'30' THEN nullif(${cell(161, 10)}, 4294967295) END
FROM rows WHERE ${KIND} <> x'2d'`
