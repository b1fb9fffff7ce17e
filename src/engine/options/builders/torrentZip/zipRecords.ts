import { crc32 } from 'node:zlib'
import type { ZipName } from './zipNames'

/**
 * Records of a zip (PKWARE's APPNOTE 6.3) with the fixed values of TorrentZip: deflate, the most
 * compression, 24 December 1996 at 23:32, no attributes, no extra fields but zip64's, and a comment
 * with the CRC-32 of the directory.
 */

/** From this size or place on a zip has it in an extra field of zip64. */
export const ZIP64_FROM = 0xffff_ffff
const ZIP64_COUNT = 0xffff
const VERSION = 20
const VERSION_ZIP64 = 45
const MOST_COMPRESSION = 0x0002
const NAME_IS_UTF8 = 0x0800
const DEFLATED = 8
const TIME = 48_128
const DATE = 8600
const ZIP64_FIELD = 1

/** A file of a zip, packed. */
export interface ZipEntry {
  readonly name: ZipName
  readonly bytes: number
  readonly packedBytes: number
  readonly crc32: number
  /** Where its local header begins. */
  readonly offset: number
}

/** The length of the header that comes before the packed content. */
export function localHeaderBytes({ name, bytes }: Pick<ZipEntry, 'name' | 'bytes'>): number {
  return 30 + name.bytes.length + (bytes >= ZIP64_FROM ? 20 : 0)
}

/** That header, of a file whose packed form is not longer than zip64 lets its length be. */
export function localHeader(entry: ZipEntry): Buffer {
  const isLong = entry.bytes >= ZIP64_FROM
  const extra = isLong ? zip64Field([entry.bytes, entry.packedBytes]) : Buffer.alloc(0)
  return Buffer.concat([
    u32(0x04034b50),
    common(entry, isLong),
    u32(isLong ? ZIP64_FROM : entry.packedBytes),
    u32(isLong ? ZIP64_FROM : entry.bytes),
    u16(entry.name.bytes.length),
    u16(extra.length),
    entry.name.bytes,
    extra,
  ])
}

/** The directory, with what follows it: the end of the file. */
export function directory(entries: readonly ZipEntry[], offset: number): Buffer {
  const list = Buffer.concat(entries.map(directoryEntry))
  const isLong = list.length >= ZIP64_FROM || offset >= ZIP64_FROM || entries.length >= ZIP64_COUNT
  const comment = `TORRENTZIPPED-${crc32(list).toString(16).toUpperCase().padStart(8, '0')}`
  const count = Math.min(entries.length, ZIP64_COUNT)
  return Buffer.concat([
    list,
    ...(isLong ? [zip64End(entries.length, list.length, offset)] : []),
    u32(0x06054b50),
    u32(0),
    u16(count),
    u16(count),
    u32(Math.min(list.length, ZIP64_FROM)),
    u32(Math.min(offset, ZIP64_FROM)),
    u16(comment.length),
    Buffer.from(comment, 'latin1'),
  ])
}

function directoryEntry(entry: ZipEntry): Buffer {
  const { name, bytes, packedBytes, offset } = entry
  const long = [bytes, packedBytes, offset].filter((value) => value >= ZIP64_FROM)
  const extra = long.length > 0 ? zip64Field(long) : Buffer.alloc(0)
  return Buffer.concat([
    u32(0x02014b50),
    u16(0),
    common(entry, long.length > 0),
    u32(Math.min(packedBytes, ZIP64_FROM)),
    u32(Math.min(bytes, ZIP64_FROM)),
    u16(name.bytes.length),
    u16(extra.length),
    u16(0),
    u32(0),
    u32(0),
    u32(Math.min(offset, ZIP64_FROM)),
    name.bytes,
    extra,
  ])
}

/** The fields from the version to the CRC-32, which both kinds of headers have. */
function common({ name, crc32: sum }: ZipEntry, isLong: boolean): Buffer {
  return Buffer.concat([
    u16(isLong ? VERSION_ZIP64 : VERSION),
    u16(MOST_COMPRESSION | (name.isUtf8 ? NAME_IS_UTF8 : 0)),
    u16(DEFLATED),
    u16(TIME),
    u16(DATE),
    u32(sum),
  ])
}

function zip64End(count: number, listBytes: number, offset: number): Buffer {
  return Buffer.concat([
    u32(0x06064b50),
    u64(44),
    u16(VERSION_ZIP64),
    u16(VERSION_ZIP64),
    u32(0),
    u32(0),
    u64(count),
    u64(count),
    u64(listBytes),
    u64(offset),
    u32(0x07064b50),
    u32(0),
    u64(offset + listBytes),
    u32(1),
  ])
}

function zip64Field(values: readonly number[]): Buffer {
  return Buffer.concat([u16(ZIP64_FIELD), u16(8 * values.length), ...values.map(u64)])
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}
