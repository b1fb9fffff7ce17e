import { createHash } from 'node:crypto'
import type { SchemaElement } from 'hyparquet'
import { ByteWriter, type ColumnSource, ParquetWriter } from 'hyparquet-writer'
import type { FingerprintPart } from '../../domain/fingerprints/completeNote'
import { flushFile, growingFile } from '../files/write'
import { writeRowGroup } from './rowGroup'

/** Rows of a group at most: readers skip the groups whose hashes they do not want. */
export const GROUP_ROWS = 1_000_000

/**
 * A column of signed integers, packed as differences (`DELTA_BINARY_PACKED`), or of text. Nothing
 * is nullable.
 */
export interface PartColumn {
  readonly name: string
  readonly type: 'INT32' | 'INT64' | 'STRING'
}

/** By which a part describes itself: JSON under a key of the file's own metadata. */
export interface PartFooter {
  readonly key: string
  readonly value: object
}

/** The columns of some rows, in the order of the table's. */
export type PartRows = readonly (BigInt64Array | Int32Array | readonly string[])[]

/**
 * Writes a new Parquet file, a group of rows for each batch of up to `GROUP_ROWS`, in steps of some
 * milliseconds, and brings it to the device.
 * @returns its size, rows and SHA-256
 * @throws AppError `no-space`, `io`; what the batches throw passes unchanged
 */
export async function writePart(
  path: string,
  columns: readonly PartColumn[],
  footer: PartFooter,
  batches: AsyncIterable<PartRows>,
): Promise<Omit<FingerprintPart, 'name'>> {
  const file = await growingFile(path)
  const digest = createHash('sha256')
  let bytes = 0
  let rows = 0
  try {
    const writer = new ByteWriter()
    const pass = async (): Promise<void> => {
      const some = writer.getBytes()
      digest.update(some)
      bytes += some.length
      await file.add(some)
      writer.index = 0
    }
    const parquet = new ParquetWriter({
      writer,
      schema: schemaOf(columns),
      kvMetadata: [{ key: footer.key, value: JSON.stringify(footer.value) }],
      createdBy: 'stowage',
    })
    for await (const batch of batches) {
      const length = batch[0]?.length ?? 0
      const all = columns.map(
        ({ name, type }, at): ColumnSource => ({
          name,
          data: batch[at] as ColumnSource['data'],
          type,
          nullable: false,
          ...(type !== 'STRING' && { encoding: 'DELTA_BINARY_PACKED' }),
        }),
      )
      for (let from = 0; from < length; from += GROUP_ROWS)
        await writeRowGroup(parquet, all, { from, to: Math.min(length, from + GROUP_ROWS) }, pass)
      rows += length
    }
    await parquet.finish()
    await pass()
  } finally {
    await file.close()
  }
  await flushFile(path)
  return { bytes, rows, sha256: digest.digest('hex') }
}

/** The schema of a table, as it is in its parts. */
export function schemaOf(columns: readonly PartColumn[]): SchemaElement[] {
  return [
    { name: 'root', num_children: columns.length },
    ...columns.map(({ name, type }): SchemaElement => {
      const repetition_type = 'REQUIRED'
      if (type === 'STRING') return { name, type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type }
      return { name, type, repetition_type }
    }),
  ]
}
