import { type Findings, isZero } from './sectors'

/**
 * The fields that descriptors of ECMA-167 and UDF 1.02 are made of. Paragraphs: part/clause of
 * ECMA-167, and those of OSTA's UDF 1.02.
 */

export const TAG_BYTES = 16

/** Tag identifiers, 3/7.2.1 and 4/7.2.1. */
export const TAG = {
  primary: 1,
  anchor: 2,
  implementationUse: 4,
  partition: 5,
  logicalVolume: 6,
  unallocatedSpace: 7,
  terminating: 8,
  integrity: 9,
  fileSet: 256,
  fileIdentifier: 257,
  allocationExtent: 258,
  fileEntry: 261,
  attributeHeader: 262,
} as const

export const UDF_REVISION = 0x0102

/** The version of descriptors in volumes of NSR02. */
const TAG_VERSION = 2

/** The polynomial of ECMA-167 is x^16 + x^12 + x^5 + 1. */
const CRC_OF_BYTE = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8
  for (let bit = 0; bit < 8; bit++) crc = (crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ 0x1021
  return crc
})

export function crcOf(bytes: Uint8Array): number {
  let crc = 0
  for (const byte of bytes) crc = ((crc << 8) & 0xffff) ^ (CRC_OF_BYTE[(crc >> 8) ^ byte] as number)
  return crc
}

export function checksumOf(tag: Uint8Array): number {
  return tag.subarray(0, TAG_BYTES).reduce((sum, byte, at) => (at === 4 ? sum : (sum + byte) & 0xff), 0)
}

/** True where 8 bits hold every character. */
export const isLatin1 = (text: string): boolean => Buffer.from(text, 'latin1').toString('latin1') === text

/** Checks the fields of descriptors, and names the descriptor in every finding. */
export class FieldChecker {
  /** All descriptors of one volume have the same serial number. */
  #serial: number | null = null

  readonly findings: Findings

  constructor(findings: Findings) {
    this.findings = findings
  }

  /**
   * A descriptor tag (3/7.2, UDF 2.2.1).
   * @param lengths of the descriptor: the CRC is of one of them
   * @returns false where the descriptor is another one, which nothing else should be read from
   */
  tag(
    bytes: Buffer,
    wanted: { identifier: number; location: number; lengths: number[]; name: string },
  ): boolean {
    const { identifier, location, lengths, name } = wanted
    const say = (holds: boolean, text: () => string): void =>
      this.findings.require(holds, () => `${name}: ${text()}`)
    const found = bytes.readUInt16LE(0)
    say(found === identifier, () => `tag identifier ${found}, not ${identifier}`)
    if (found !== identifier) return false
    say(bytes.readUInt16LE(2) === TAG_VERSION, () => `descriptor version ${bytes.readUInt16LE(2)}`)
    say(bytes[4] === checksumOf(bytes), () => 'tag checksum')
    say(bytes[5] === 0, () => 'reserved byte of the tag')
    this.#serial ??= bytes.readUInt16LE(6)
    say(bytes.readUInt16LE(6) === this.#serial, () => `tag serial number ${bytes.readUInt16LE(6)}`)
    const crcBytes = bytes.readUInt16LE(10)
    say(lengths.includes(crcBytes + TAG_BYTES), () => `CRC length ${crcBytes}`)
    const crc = crcOf(bytes.subarray(TAG_BYTES, TAG_BYTES + crcBytes))
    say(crc === bytes.readUInt16LE(8), () => 'CRC')
    say(bytes.readUInt32LE(12) === location, () => `tag location ${bytes.readUInt32LE(12)}, not ${location}`)
    return true
  }

  zero(bytes: Uint8Array, name: string): void {
    this.findings.require(isZero(bytes), () => `${name}: reserved bytes are not zero`)
  }

  value(found: number | bigint, allowed: readonly (number | bigint)[], name: string): void {
    this.findings.require(allowed.includes(found), () => `${name} is ${found}, not ${allowed.join(' or ')}`)
  }

  /** CS0 is OSTA compressed Unicode (UDF 2.1.2). */
  charspec(bytes: Buffer, name: string): void {
    const text = Buffer.concat([Buffer.from([0]), Buffer.from('OSTA Compressed Unicode')], 64)
    this.findings.require(bytes.subarray(0, 64).equals(text), () => `${name}: not the character set of UDF`)
  }

  /** A text in a field of fixed length (1/7.2.12, UDF 2.1.3): zeros behind it, its length last. */
  dstring(field: Buffer, name: string): string {
    const length = field[field.length - 1] as number
    if (length === 0) {
      this.zero(field, name)
      return ''
    }
    this.findings.require(length < field.length, () => `${name}: length ${length}`)
    this.zero(field.subarray(length, field.length - 1), `${name} behind the text`)
    return this.text(field.subarray(0, length), name) ?? ''
  }

  /** OSTA compressed Unicode (UDF 2.1.1). @returns null for what is none */
  text(bytes: Buffer, name: string): string | null {
    const [form] = bytes
    const body = bytes.subarray(1)
    const isNarrow = form === 8
    if ((!isNarrow && form !== 16) || (!isNarrow && body.length % 2 !== 0) || body.length === 0) {
      this.findings.add(`${name}: compression ${form} of ${body.length} bytes`)
      return null
    }
    if (isNarrow) return body.toString('latin1')
    const text = Buffer.from(body).swap16().toString('utf16le')
    this.findings.require(!isLatin1(text), () => `${name}: 16 bits where 8 hold every character`)
    this.findings.require(!/\p{Surrogate}/u.test(text), () => `${name}: half of a surrogate pair`)
    // FEFF and FFFE are marks of byte order, not characters (UDF 2.1.1).
    this.findings.require(!/[\ufeff\ufffe]/.test(text), () => `${name}: a mark of byte order`)
    return text
  }

  /** An entity identifier (1/7.4, UDF 2.1.5); of ISO 9660's making neither dirty nor protected. */
  regid(
    bytes: Buffer,
    suffix: 'domain' | 'udf' | 'implementation' | 'application' | 'none',
    name: string,
  ): string {
    const identifier = bytes.subarray(1, 24)
    const end = identifier.indexOf(0)
    const text = identifier.subarray(0, end < 0 ? 23 : end).toString('latin1')
    this.findings.require(bytes[0] === 0, () => `${name}: flags ${bytes[0]} of the entity identifier`)
    this.zero(identifier.subarray(text.length), `${name} behind the entity identifier`)
    this.findings.require(/^[ -~]*$/.test(text), () => `${name}: entity identifier is not text`)
    const ending = bytes.subarray(24, 32)
    if (suffix === 'none') this.zero(ending, `${name}: suffix`)
    if (suffix === 'domain') {
      this.value(ending.readUInt16LE(0), [UDF_REVISION], `${name}: UDF revision`)
      this.findings.require((ending[2] as number) <= 3, () => `${name}: domain flags ${ending[2]}`)
      this.zero(ending.subarray(3), `${name}: suffix`)
    }
    if (suffix === 'udf') {
      this.value(ending.readUInt16LE(0), [UDF_REVISION], `${name}: UDF revision`)
      this.#system(ending[2] as number, ending[3] as number, name)
      this.zero(ending.subarray(4), `${name}: suffix`)
    }
    if (suffix === 'implementation') {
      this.findings.require(/^\*./.test(text), () => `${name}: implementation identifier "${text}"`)
      this.#system(ending[0] as number, ending[1] as number, name)
    }
    if (suffix === 'application' && text !== '')
      this.findings.require(/^\*./.test(text), () => `${name}: application identifier "${text}"`)
    return text
  }

  /** A time stamp (1/7.3, UDF 2.1.4): of local time, with its zone. */
  timestamp(bytes: Buffer, name: string): bigint | null {
    const typeAndZone = bytes.readUInt16LE(0)
    const type = typeAndZone >> 12
    const zone = ((typeAndZone & 0xfff) << 20) >> 20
    const year = bytes.readInt16LE(2)
    const [month, day, hour, minute, second, centi, hundreds, micro] = [...bytes.subarray(4, 12)] as [
      number,
      number,
      number,
      number,
      number,
      number,
      number,
      number,
    ]
    const days = month >= 1 && month <= 12 ? daysOf(year, month) : 0
    const isWell =
      type === 1 &&
      ((zone >= -1440 && zone <= 1440) || zone === -2047) &&
      year >= 1 &&
      year <= 9999 &&
      month >= 1 &&
      month <= 12 &&
      day >= 1 &&
      day <= days &&
      hour <= 23 &&
      minute <= 59 &&
      second <= 59 &&
      centi <= 99 &&
      hundreds <= 99 &&
      micro <= 99
    this.findings.require(isWell, () => `${name}: time stamp ${bytes.subarray(0, 12).toString('hex')}`)
    if (!isWell) return null
    const date = new Date(0)
    date.setUTCFullYear(year, month - 1, day)
    date.setUTCHours(hour, minute - (zone === -2047 ? 0 : zone), second)
    return BigInt(date.getTime()) * 1000n + BigInt(centi * 10_000 + hundreds * 100 + micro)
  }

  /** Classes and systems of UDF 6.3. */
  #system(osClass: number, system: number, name: string): void {
    const most = [0, 0, 0, 1, 7, 0, 0][osClass]
    this.findings.require(most !== undefined && system <= most, () => `${name}: system ${osClass}/${system}`)
  }
}

function daysOf(year: number, month: number): number {
  const date = new Date(0)
  date.setUTCFullYear(year, month, 0)
  return date.getUTCDate()
}
