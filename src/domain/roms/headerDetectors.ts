import { said } from '../../primitives/said'
import { DatFault } from './datFault'

/** How bytes are rearranged before checksums are computed; sizes have to be whole units. */
export const HEADER_OPERATIONS = ['none', 'bitswap', 'byteswap', 'wordswap', 'wordbyteswap'] as const
export type HeaderOperation = (typeof HEADER_OPERATIONS)[number]

/** A place in a file: from its beginning, or with `fromEnd` that many bytes before its end. */
export interface Offset {
  readonly bytes: number
  readonly fromEnd: boolean
}

export interface DataTest {
  readonly test: 'data' | 'and' | 'or' | 'xor'
  readonly offset: Offset
  readonly value: Uint8Array
  /** As long as the value; null for `data`. */
  readonly mask: Uint8Array | null
  readonly result: boolean
}

export interface SizeTest {
  readonly test: 'file'
  /** Null for a power of two. */
  readonly bytes: number | null
  readonly operator: 'equal' | 'less' | 'greater'
  readonly result: boolean
}

/** Applies when all its tests succeed. */
export interface HeaderRule {
  readonly start: Offset
  readonly end: Offset
  readonly operation: HeaderOperation
  readonly tests: readonly (DataTest | SizeTest)[]
}

/** Rules that find the header of a copier in front of a dump; the first that applies counts. */
export interface HeaderDetector {
  readonly name: string
  readonly rules: readonly HeaderRule[]
}

/** The content of a file without its header. */
export interface Headerless {
  readonly offset: number
  readonly bytes: number
  readonly operation: HeaderOperation
}

interface Range {
  readonly offset: number
  readonly length: number
}

const START: Offset = { bytes: 0, fromEnd: false }
const END: Offset = { bytes: 0, fromEnd: true }

function textAt(offset: number, text: string): DataTest {
  const value = Uint8Array.from(text, (letter) => letter.charCodeAt(0))
  return { test: 'data', offset: { bytes: offset, fromEnd: false }, value, mask: null, result: true }
}

function skipping(bytes: number, ...tests: readonly DataTest[]): HeaderRule {
  return { start: { bytes, fromEnd: false }, end: END, operation: 'none', tests }
}

/** Names of detectors that are built in: of files that DATs name, and `SMC` of no DAT. */
export const DETECTOR_NAMES = [
  'No-Intro_NES.xml',
  'No-Intro_FDS.xml',
  'No-Intro_LNX.xml',
  'No-Intro_A7800.xml',
  'SMC',
] as const

interface KnownDetector extends HeaderDetector {
  readonly name: (typeof DETECTOR_NAMES)[number]
}

/**
 * The detectors that DATs name most. Offsets and marks are facts of the formats: the iNES, fwNES,
 * LNX and A78 headers as No-Intro's detectors of these names have them (oxyromon includes them),
 * and the copiers of the Super NES after the table of igir (docs/methods/dats.md).
 */
const KNOWN: readonly KnownDetector[] = [
  { name: 'No-Intro_NES.xml', rules: [skipping(0x10, textAt(0, 'NES'))] },
  { name: 'No-Intro_FDS.xml', rules: [skipping(0x10, textAt(0, 'FDS'))] },
  { name: 'No-Intro_LNX.xml', rules: [skipping(0x40, textAt(0, 'LYNX'))] },
  {
    name: 'No-Intro_A7800.xml',
    rules: [skipping(0x80, textAt(1, 'ATARI7800'), textAt(0x60, '\0\0\0\0ACTUAL CART DATA STARTS HERE'))],
  },
  {
    name: 'SMC',
    rules: [skipping(0x200, textAt(3, '\0'.repeat(509))), skipping(0x200, textAt(0, 'GAME DOCTOR SF 3'))],
  },
]

/** The built-in detector of this name, whatever its case; null for an unknown one. */
export function knownDetector(name: string): KnownDetector | null {
  return KNOWN.find((detector) => detector.name.toLowerCase() === name.toLowerCase()) ?? null
}

/** The sizes that the content behind a header could have, where any rule leaves some. */
export function possibleBytes({ rules }: HeaderDetector, fileBytes: number): number[] {
  return rules.map(({ start, end }) => placeOf(end, fileBytes) - placeOf(start, fileBytes))
}

/** The parts of a file that a detector reads, without those that do not lie in it. */
export function testedRanges({ rules }: HeaderDetector, fileBytes: number): Range[] {
  return rules.flatMap(({ tests }) =>
    tests.flatMap((test): Range[] => {
      if (test.test === 'file') return []
      const offset = placeOf(test.offset, fileBytes)
      const { length } = test.value
      return offset >= 0 && offset + length <= fileBytes ? [{ offset, length }] : []
    }),
  )
}

/**
 * The content behind the header of a file.
 * @param read gives the bytes of a range of `testedRanges`; null where they are not known
 * @returns null where no rule applies, and where the rule that does leads outside of the file
 */
export function detectHeader(
  detector: HeaderDetector,
  fileBytes: number,
  read: (range: Range) => Uint8Array | null,
): Headerless | null {
  const rule = detector.rules.find(({ tests }) => tests.every((test) => succeeds(test, fileBytes, read)))
  if (!rule) return null
  const offset = placeOf(rule.start, fileBytes)
  const bytes = placeOf(rule.end, fileBytes) - offset
  if (offset < 0 || bytes < 0 || offset + bytes > fileBytes) return null
  return bytes % UNIT[rule.operation] === 0 ? { offset, bytes, operation: rule.operation } : null
}

function succeeds(
  test: DataTest | SizeTest,
  fileBytes: number,
  read: (range: Range) => Uint8Array | null,
): boolean {
  if (test.test === 'file') return isOfSize(test, fileBytes) === test.result
  const offset = placeOf(test.offset, fileBytes)
  const { value, mask, test: kind } = test
  if (offset < 0 || offset + value.length > fileBytes) return false
  const found = read({ offset, length: value.length })
  if (!found) return false
  const isEqual = value.every((byte, at) => masked(kind, found[at] ?? 0, mask?.[at] ?? 0) === byte)
  return isEqual === test.result
}

function masked(kind: DataTest['test'], byte: number, mask: number): number {
  if (kind === 'and') return byte & mask
  if (kind === 'or') return byte | mask
  return kind === 'xor' ? byte ^ mask : byte
}

function isOfSize({ bytes, operator }: SizeTest, fileBytes: number): boolean {
  if (bytes === null) return fileBytes > 0 && Number.isInteger(Math.log2(fileBytes))
  if (operator === 'less') return fileBytes < bytes
  return operator === 'greater' ? fileBytes > bytes : fileBytes === bytes
}

function placeOf({ bytes, fromEnd }: Offset, fileBytes: number): number {
  return fromEnd ? fileBytes - bytes : bytes
}

/** The bytes that an operation rearranges together. */
export const UNIT: Readonly<Record<HeaderOperation, number>> = {
  none: 1,
  bitswap: 1,
  byteswap: 2,
  wordswap: 4,
  wordbyteswap: 4,
}

/**
 * Rearranges bytes in their place: `bitswap` mirrors each byte, `byteswap` makes `21` of `12`,
 * `wordswap` `4321` of `1234`, and `wordbyteswap` `3412`. The length is in whole units.
 */
export function rearrange(bytes: Uint8Array, operation: HeaderOperation): void {
  if (operation === 'none') return
  if (operation === 'bitswap') {
    for (let at = 0; at < bytes.length; at++) bytes[at] = mirrored(bytes[at] as number)
    return
  }
  const unit = UNIT[operation]
  for (let at = 0; at + unit <= bytes.length; at += unit) {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.subarray(at, at + unit)
    bytes.set(operation === 'byteswap' ? [b, a] : operation === 'wordswap' ? [d, c, b, a] : [c, d, a, b], at)
  }
}

function mirrored(byte: number): number {
  let left = byte
  let mirror = 0
  for (let bit = 0; bit < 8; bit++) {
    mirror = (mirror << 1) | (left & 1)
    left >>= 1
  }
  return mirror
}

/** `80`, `-200`, `EOF`: hexadecimal, a minus counts from the end. @throws DatFault */
export function parseOffset(text: string | undefined, otherwise: 'start' | 'end'): Offset {
  if (text === undefined || text === '') return otherwise === 'start' ? START : END
  if (text.toUpperCase() === 'EOF') return END
  const [, minus, digits] = /^(-?)([\da-f]+)$/i.exec(text) ?? []
  const bytes = Number.parseInt(digits ?? '', 16)
  if (!Number.isSafeInteger(bytes)) throw new DatFault(said`"${text.slice(0, 40)}" is no offset`)
  return { bytes, fromEnd: minus === '-' }
}

const MOST_TESTED = 4096

/** Bytes in hexadecimal. @throws DatFault for none, too many and anything else */
export function parseBytes(text: string | undefined): Uint8Array {
  if (text === undefined || !/^(?:[\da-f]{2})+$/i.test(text) || text.length > 2 * MOST_TESTED)
    throw new DatFault(said`"${(text ?? '').slice(0, 40)}" is no row of bytes`)
  return Uint8Array.from({ length: text.length / 2 }, (_, at) =>
    Number.parseInt(text.slice(2 * at, 2 * at + 2), 16),
  )
}
