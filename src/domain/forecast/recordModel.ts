/** How a store keeps a record: as many bytes as the codec made, or as ZFS allocates it. */
export type RecordModel =
  | { readonly kind: 'raw' }
  | { readonly kind: 'zfs' /** log2 of the sector: 9 or 12. */; readonly ashift: number }

/**
 * A compressed record up to this size lives in its block pointer and takes no sector
 * (BPE_PAYLOAD_SIZE of OpenZFS).
 */
const EMBEDDED_BYTES = 112

/**
 * Bytes a store takes for a record. `raw`: the compressed ones, or the record's own if compressing
 * makes it larger. `zfs`: what OpenZFS's zio_write_compress allocates with compression on, before
 * parity: nothing for zeros (a hole) and for what fits into the block pointer; else whole sectors,
 * compressed only if that saves an eighth of the record's own length
 * (zio_get_compression_max_size), which need not be whole sectors.
 */
export function storedRecordBytes(
  record: { readonly bytes: number; readonly compressedBytes: number; readonly allZero: boolean },
  model: RecordModel,
): number {
  if (model.kind === 'raw') return Math.min(record.bytes, record.compressedBytes)
  if (record.allZero || record.compressedBytes <= EMBEDDED_BYTES) return 0
  const sector = 2 ** model.ashift
  const length = roundUp(record.bytes, 512)
  const packed = roundUp(record.compressedBytes, sector)
  const most = Math.floor((length - length / 8) / sector) * sector
  return packed <= most ? packed : roundUp(length, sector)
}

/**
 * How long the record is that ZFS makes of `bytes` at `offset` of a file: a file that fits one
 * record has one, of its size in sectors of 512; a longer file has only full ones, the last filled
 * up with zeros.
 */
export function zfsRecordBytes(fileBytes: number, recordBytes: number): number {
  return fileBytes <= recordBytes ? roundUp(fileBytes, 512) : recordBytes
}

/** The least multiple of `unit` that holds so many bytes. */
export function roundUp(bytes: number, unit: number): number {
  return Math.ceil(bytes / unit) * unit
}
