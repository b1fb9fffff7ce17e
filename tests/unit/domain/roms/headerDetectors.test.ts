import { describe, expect, it } from 'vitest'
import {
  detectHeader,
  type HeaderDetector,
  type HeaderOperation,
  knownDetector,
  parseBytes,
  parseOffset,
  rearrange,
  testedRanges,
} from '../../../../src/domain/roms/headerDetectors'

function detect(detector: HeaderDetector | null, file: Uint8Array): ReturnType<typeof detectHeader> {
  const ranges = testedRanges(detector as HeaderDetector, file.length)
  return detectHeader(detector as HeaderDetector, file.length, ({ offset, length }) => {
    expect(ranges).toContainEqual({ offset, length })
    return file.subarray(offset, offset + length)
  })
}

/** A file that begins with a header, which has a text in it. */
function headed(headerBytes: number, at: number, ...texts: readonly string[]): Uint8Array {
  const file = new Uint8Array(headerBytes + 4096).fill(7)
  let place = at
  for (const text of texts) {
    file.set(Buffer.from(text, 'latin1'), place)
    place = 0x60
  }
  return file
}

describe('a known detector', () => {
  it.each([
    ['No-Intro_NES.xml', headed(16, 0, 'NES\u001a'), 16],
    ['no-intro_fds.XML', headed(16, 0, 'FDS\u001a'), 16],
    ['No-Intro_LNX.xml', headed(64, 0, 'LYNX'), 64],
    ['No-Intro_A7800.xml', headed(128, 1, 'ATARI7800', '\0\0\0\0ACTUAL CART DATA STARTS HERE'), 128],
    ['SMC', headed(512, 3, '\0'.repeat(509)), 512],
    ['SMC', headed(512, 0, 'GAME DOCTOR SF 3'), 512],
  ])('finds the header of %s', (name, file, headerBytes) => {
    expect(detect(knownDetector(name), file)).toEqual({ offset: headerBytes, bytes: 4096, operation: 'none' })
    expect(detect(knownDetector(name), file.subarray(headerBytes))).toBeNull()
    expect(detect(knownDetector(name), file.subarray(0, 2))).toBeNull()
  })

  it('is none of another name', () => {
    expect(knownDetector('nes.xml')).toBeNull()
  })
})

describe('a rule', () => {
  const rule = (more: Partial<HeaderDetector['rules'][number]>): HeaderDetector => ({
    name: 'own',
    rules: [
      {
        start: parseOffset(undefined, 'start'),
        end: parseOffset(undefined, 'end'),
        operation: 'none',
        tests: [],
        ...more,
      },
    ],
  })
  const file = Uint8Array.from({ length: 0x100 }, (_, at) => at)

  it('counts from the end where an offset is negative, and always applies without tests', () => {
    const both = rule({ start: parseOffset('10', 'start'), end: parseOffset('-40', 'end') })
    expect(detect(both, file)).toEqual({ offset: 0x10, bytes: 0xb0, operation: 'none' })
    expect(detect(rule({ end: parseOffset('EOF', 'end') }), file)).toMatchObject({ offset: 0, bytes: 0x100 })
    expect(detect(rule({ start: parseOffset('200', 'start') }), file)).toBeNull()
    expect(detect(rule({ start: parseOffset('1', 'start'), operation: 'byteswap' }), file)).toBeNull()
  })

  it.each([
    ['data', null, 'fefe', 'fefe', false],
    ['data', null, 'feff', 'feff', true],
    ['and', 'f00f', 'f00f', 'feff', true],
    ['or', '0100', 'ffff', 'feff', true],
    ['xor', 'ffff', '0100', 'feff', true],
  ] as const)('%s with the mask %s and the value %s', (test, mask, value, _bytes, succeeds) => {
    for (const result of [true, false]) {
      const one = {
        test,
        offset: parseOffset('-2', 'start'),
        value: parseBytes(value),
        mask: mask ? parseBytes(mask) : null,
        result,
      }
      expect(detect(rule({ tests: [one] }), file) !== null).toBe(succeeds === result)
    }
  })

  it.each([
    [null, 'equal', true],
    [0x100, 'equal', true],
    [0x100, 'less', false],
    [0x101, 'less', true],
    [0xff, 'greater', true],
  ] as const)('of a size of %s, %s', (bytes, operator, succeeds) => {
    expect(detect(rule({ tests: [{ test: 'file', bytes, operator, result: true }] }), file) !== null).toBe(
      succeeds,
    )
    expect(detect(rule({ tests: [{ test: 'file', bytes, operator, result: false }] }), file) !== null).toBe(
      !succeeds,
    )
  })

  it.each([
    ['none', '01020304'],
    ['bitswap', '8040c020'],
    ['byteswap', '02010403'],
    ['wordswap', '04030201'],
    ['wordbyteswap', '03040102'],
  ] as const)('rearranges by %s', (operation: HeaderOperation, expected) => {
    const bytes = parseBytes('0102030401020304')
    rearrange(bytes, operation)
    expect(Buffer.from(bytes).toString('hex')).toBe(expected + expected)
  })

  it.each(['', 'x', '1', '0x10'])('has no bytes of "%s"', (text) => {
    expect(() => parseBytes(text)).toThrow('is no row of bytes')
  })

  it.each(['x', '1g', '--1', 'fffffffffffffffff'])('has no offset of "%s"', (text) => {
    expect(() => parseOffset(text, 'start')).toThrow('is no offset')
  })
})
