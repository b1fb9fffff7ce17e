import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parquetReadObjects } from 'hyparquet'

export type ParquetRow = Record<string, bigint | number | string>

/** All rows of a Parquet file. */
export async function parquetRows(place: string, name: string): Promise<ParquetRow[]> {
  const bytes = readFileSync(join(place, name))
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)
  return (await parquetReadObjects({ file })) as ParquetRow[]
}
