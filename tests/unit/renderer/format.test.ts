import { describe, expect, it } from 'vitest'
import { toCsv } from '../../../renderer/src/format/csv'
import { formatDuration, formatTimeLeft } from '../../../renderer/src/format/durations'
import {
  formatBlockSize,
  formatExactBytes,
  formatShare,
  formatSize,
  formatSizeRange,
} from '../../../renderer/src/format/numbers'
import { nameOf, shortenPath, titleOfRoots } from '../../../renderer/src/format/paths'
import { pathFromBytes } from '../../../src/primitives/pathText'

describe('sizes', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1.00 kB'],
    [9994, '9.99 kB'],
    [9996, '10.0 kB'],
    [99_949, '99.9 kB'],
    [99_950, '100 kB'],
    [999_499, '999 kB'],
    [999_500, '1.00 MB'],
    [25_025_314_816, '25.0 GB'],
    [Number.MAX_SAFE_INTEGER, '9.01 PB'],
  ])('%i bytes in powers of ten are %s', (bytes, text) => {
    expect(formatSize(bytes, 'decimal')).toBe(text)
  })

  it.each([
    [1023, '1,023 B'],
    [1024, '1.00 KiB'],
    [1024 * 1024 - 1, '1.00 MiB'],
    [25_025_314_816, '23.3 GiB'],
  ])('%i bytes in powers of two are %s', (bytes, text) => {
    expect(formatSize(bytes, 'binary')).toBe(text)
  })

  it('keep their exact bytes at hand', () => {
    expect(formatExactBytes(3_330_211_904)).toBe('3,330,211,904 bytes')
    expect(formatExactBytes(1)).toBe('1 byte')
  })

  it('show a range in the unit and with the decimals of the value', () => {
    expect(formatSizeRange(3.33e9, 3.2e9, 3.5e9, 'decimal')).toBe('3.20–3.50')
    expect(formatSizeRange(998e6, 990e6, 1004e6, 'decimal')).toBe('990–1004')
  })

  it('name block sizes as people do', () => {
    expect([512, 2048, 131_072, 1_048_576, 2 ** 30, 1000].map(formatBlockSize)).toEqual([
      '512 B',
      '2 KiB',
      '128 KiB',
      '1 MiB',
      '1 GiB',
      '1,000 B',
    ])
  })
})

describe('shares', () => {
  it('never claim everything or nothing by rounding', () => {
    expect([0, 0.0004, 0.5, 0.9994, 0.99951, 1].map(formatShare)).toEqual([
      '0 %',
      '<0.1 %',
      '50.0 %',
      '>99.9 %',
      '>99.9 %',
      '100 %',
    ])
  })
})

describe('durations', () => {
  it.each([
    [0, '0 ms'],
    [30.4, '30 ms'],
    [430, '0.4 s'],
    [9949, '9.9 s'],
    [9950, '10 s'],
    [59_499, '59 s'],
    [59_500, '1 min 00 s'],
    [3_599_600, '1 h 00 min'],
    [86_399_000, '1 d 0 h'],
    [90_000_000, '1 d 1 h'],
  ])('%d ms read %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text)
  })

  it('leave time in steps that do not flicker', () => {
    expect([200, 11_000, 54_000, 61_000, 3_500_000, 3_599_000, 7_500_000].map(formatTimeLeft)).toEqual([
      '5 s',
      '15 s',
      '55 s',
      '1 min',
      '58 min',
      '1 h 00 min',
      '2 h 05 min',
    ])
  })
})

describe('paths', () => {
  it('lose their middle, keep their end, and never exceed the limit', () => {
    const path = `/${'deep/'.repeat(60)}name.cr2`
    const short = shortenPath(path, 40)
    expect(Array.from(short)).toHaveLength(40)
    expect(short).toMatch(/^\/deep\/.*….*name\.cr2$/)
    expect(shortenPath('/a/b', 40)).toBe('/a/b')
  })

  it('show hostile names on one line', () => {
    expect(nameOf('/a/two\nlines')).toBe('two␊lines')
    expect(nameOf(pathFromBytes(Uint8Array.from([0x2f, 0x61, 0xe4])))).toBe('a\ufffd')
    expect(nameOf('/a/\u202egpj.exe')).toBe('\ufffdgpj.exe')
  })

  it('cut between characters, not inside of one', () => {
    expect(shortenPath('📷'.repeat(30), 10)).toBe(`${'📷'.repeat(3)}…${'📷'.repeat(6)}`)
  })

  it('name what they lead to', () => {
    expect([nameOf('/'), nameOf('/a/b/'), nameOf('C:\\Photos')]).toEqual(['/', 'b', 'Photos'])
    expect(titleOfRoots(['/a/Photos', '/b'])).toBe('Photos +1')
    expect(titleOfRoots([])).toBe('')
  })
})

describe('CSV', () => {
  it('quotes what must be quoted and leaves numbers bare', () => {
    expect(toCsv(['path', 'bytes'], [['a "b",\nc', 12]])).toBe('path,bytes\r\n"a ""b"",\nc",12\r\n')
  })

  it('gives a spreadsheet no formula', () => {
    expect(toCsv(['path'], [['=1+1'], ['-dash'], ['@x'], ['+1']])).toBe(
      "path\r\n'=1+1\r\n'-dash\r\n'@x\r\n'+1\r\n",
    )
    expect(toCsv(['delta'], [[-3]])).toBe('delta\r\n-3\r\n')
  })
})
