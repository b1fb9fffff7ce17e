import { brokenTree, type TreePart } from './treeFault'

/**
 * The fields of UDF's descriptors: written from ECMA-167 (second edition) and UDF 1.02, not from
 * the program that writes the images. Paragraphs are part/clause of ECMA-167.
 */

/** Identifiers of descriptors (3/7.2.1 and 4/7.2.1). */
export const TAG = {
  anchor: 2,
  partition: 5,
  logicalVolume: 6,
  terminating: 8,
  fileSet: 256,
  fileIdentifier: 257,
  allocationExtent: 258,
  fileEntry: 261,
} as const

const TAG_BYTES = 16

/**
 * A descriptor whose tag is right: identifier, place, checksum, and the CRC of its body (3/7.2).
 * @param wanted the tag's number, and the sector or block where it must be
 * @param part names it in errors
 * @throws AppError `verification-failed`
 */
export function checkTag(
  bytes: Uint8Array,
  wanted: { readonly tag: number; readonly place: number },
  part: TreePart,
): DataView {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < TAG_BYTES) throw brokenTree({ code: 'beyond-end', part })
  const crcBytes = view.getUint16(10, true)
  const isRight =
    view.getUint16(0, true) === wanted.tag &&
    view.getUint32(12, true) === wanted.place &&
    bytes[4] === checksumOf(bytes) &&
    TAG_BYTES + crcBytes <= bytes.length &&
    view.getUint16(8, true) === crcOf(bytes.subarray(TAG_BYTES, TAG_BYTES + crcBytes))
  if (!isRight) throw brokenTree({ code: 'damaged', part })
  return view
}

function checksumOf(tag: Uint8Array): number {
  return tag.subarray(0, TAG_BYTES).reduce((sum, byte, at) => (at === 4 ? sum : (sum + byte) & 0xff), 0)
}

/** The polynomial of ECMA-167 is x^16 + x^12 + x^5 + 1. */
const CRC_OF_BYTE = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8
  for (let bit = 0; bit < 8; bit++) crc = (crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ 0x1021
  return crc
})

function crcOf(bytes: Uint8Array): number {
  let crc = 0
  for (const byte of bytes) crc = ((crc << 8) & 0xffff) ^ (CRC_OF_BYTE[(crc >> 8) ^ byte] as number)
  return crc
}

/**
 * OSTA compressed Unicode (UDF 2.1.1). Null for what is none, and for half of a surrogate pair,
 * which no name of a volume is.
 */
export function udfText(bytes: Uint8Array): string | null {
  const [form] = bytes
  const body = Buffer.from(bytes.subarray(1))
  if (form === 8) return body.toString('latin1')
  if (form !== 16 || body.length % 2 !== 0) return null
  const text = body.swap16().toString('utf16le')
  return text.isWellFormed() ? text : null
}

/** A text in a field of fixed length, whose last byte is the length used (1/7.2.12). */
export function udfFieldText(field: Uint8Array): string {
  const length = field.at(-1) ?? 0
  return length < field.length ? (udfText(field.subarray(0, length)) ?? '') : ''
}
