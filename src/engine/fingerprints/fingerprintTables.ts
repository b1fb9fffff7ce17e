import type { Scheme } from '../../domain/fingerprints/schemes'
import type { RawFingerprintRows } from '../native/fingerprints'
import type { PartColumn, PartRows } from './parquetPart'

export type TableName = Scheme['table'] | 'contents' | 'zeros' | 'files'

/** The tables of hashes: blocks, chunks and contents, sorted by hash, then file. */
export const HASH_COLUMNS: readonly PartColumn[] = [
  { name: 'hash', type: 'INT64' },
  { name: 'bytes', type: 'INT64' },
  { name: 'file', type: 'INT32' },
  { name: 'count', type: 'INT32' },
]

/** The all-zero blocks of each file, sorted by file. */
export const ZEROS_COLUMNS: readonly PartColumn[] = [
  { name: 'file', type: 'INT32' },
  { name: 'blocks', type: 'INT64' },
  { name: 'bytes', type: 'INT64' },
]

/** The files by their numbers; with --no-paths neither path nor time is known: empty, and 0. */
export const FILES_COLUMNS: readonly PartColumn[] = [
  { name: 'file', type: 'INT32' },
  { name: 'path', type: 'STRING' },
  { name: 'size', type: 'INT64' },
  { name: 'mtime_us', type: 'INT64' },
  { name: 'sha256', type: 'STRING' },
]

/** The columns of each table. */
export const TABLE_COLUMNS: Readonly<Record<TableName, readonly PartColumn[]>> = {
  blocks: HASH_COLUMNS,
  chunks: HASH_COLUMNS,
  contents: HASH_COLUMNS,
  zeros: ZEROS_COLUMNS,
  files: FILES_COLUMNS,
}

/** The name of a table's only part so far, below the survey's folder. */
export function partName(table: TableName, scheme?: string): string {
  return `table=${table}/${scheme === undefined ? '' : `scheme=${scheme}/`}part-0.parquet`
}

export async function* hashRows(batches: AsyncIterable<RawFingerprintRows>): AsyncIterable<PartRows> {
  for await (const { hash, bytes, file, count } of batches) yield [hash, bytes, file, count]
}

export async function* zerosRows(batches: AsyncIterable<RawFingerprintRows>): AsyncIterable<PartRows> {
  for await (const { hash: blocks, bytes, file } of batches) yield [file, blocks, bytes]
}
