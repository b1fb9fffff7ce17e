import type { PartColumn } from '../fingerprints/parquetPart'

export type CatalogTable = 'volumes' | 'copies' | 'disks' | 'places' | 'inside' | 'files' | 'ways'

/**
 * The columns of each table. Nothing is nullable: what is not known is an empty text, a time of 0
 * or a number of -1. Times are milliseconds since 1970.
 */
export const CATALOG_COLUMNS: Readonly<Record<CatalogTable, readonly PartColumn[]>> = {
  volumes: [
    { name: 'volume', type: 'INT32' },
    { name: 'plan', type: 'STRING' },
    { name: 'set_id', type: 'STRING' },
    { name: 'number', type: 'INT32' },
    { name: 'label', type: 'STRING' },
  ],
  copies: [
    { name: 'copy', type: 'INT32' },
    { name: 'volume', type: 'INT32' },
    { name: 'number', type: 'INT32' },
    { name: 'place', type: 'INT32' },
    { name: 'medium', type: 'STRING' },
    { name: 'state', type: 'STRING' },
    { name: 'made_by', type: 'STRING' },
    { name: 'written_ms', type: 'INT64' },
    { name: 'verified_ms', type: 'INT64' },
    { name: 'verify_by_ms', type: 'INT64' },
    { name: 'damaged_ms', type: 'INT64' },
    { name: 'lost_ms', type: 'INT64' },
    { name: 'checked_against', type: 'STRING' },
    { name: 'reading', type: 'STRING' },
    { name: 'checked_files', type: 'INT64' },
    { name: 'found', type: 'STRING' },
    { name: 'path', type: 'STRING' },
  ],
  disks: [
    { name: 'copy', type: 'INT32' },
    { name: 'disk', type: 'STRING' },
  ],
  places: [
    { name: 'place', type: 'INT32' },
    { name: 'name', type: 'STRING' },
  ],
  inside: [
    { name: 'survey', type: 'STRING' },
    { name: 'copy', type: 'INT32' },
  ],
  files: [
    { name: 'sha256', type: 'STRING' },
    { name: 'size', type: 'INT64' },
    { name: 'way', type: 'INT32' },
    { name: 'path', type: 'STRING' },
  ],
  ways: [
    { name: 'way', type: 'INT32' },
    { name: 'volume', type: 'INT32' },
  ],
}

/** The name of a table's only part, below the catalog's folder. */
export function catalogPart(table: CatalogTable): string {
  return `table=${table}/part-0.parquet`
}
