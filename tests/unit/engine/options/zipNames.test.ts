import { expect, it } from 'vitest'
import { inZipOrder, zipName } from '../../../../src/engine/options/builders/torrentZip/zipNames'

it('has every character of code page 437 in one byte', () => {
  // IBM's table as Unicode publishes it (CP437.TXT), some rows of it.
  const rows: readonly [number, string][] = [
    [0x80, 'Ç'],
    [0x82, 'é'],
    [0x9b, '¢'],
    [0xa4, 'ñ'],
    [0xb0, '░'],
    [0xc5, '┼'],
    [0xdb, '█'],
    [0xe1, 'ß'],
    [0xe3, 'π'],
    [0xea, 'Ω'],
    [0xf8, '°'],
    [0xfd, '²'],
    [0xfe, '■'],
    [0xff, '\u00a0'],
  ]
  for (const [byte, character] of rows)
    expect(zipName(`a${character}`), character).toEqual({ bytes: Buffer.of(0x61, byte), isUtf8: false })
})

it('takes UTF-8 as soon as a character is not there, also for symbols that stand for control codes', () => {
  for (const name of ['é日', 'Ł', '☺', 'a\u0301'])
    expect(zipName(name)).toEqual({ bytes: Buffer.from(name), isUtf8: true })
})

it('refuses names that programs read in several ways', () => {
  for (const name of ['a\\b', 'a\nb', 'a\u007f', 'a\u0085', '\udc80', 'n'.repeat(65_536)])
    expect(zipName(name), JSON.stringify(name).slice(0, 20)).toBeNull()
  expect(zipName('n'.repeat(65_535))?.bytes).toHaveLength(65_535)
})

it('orders names by code units with A to Z as a to z', () => {
  const names = ['b', 'A', 'a_', 'a-', 'Sub/z', 'sub/A', 'É', 'é', 'a']
  expect(names.toSorted(inZipOrder)).toEqual(['A', 'a', 'a-', 'a_', 'b', 'sub/A', 'Sub/z', 'É', 'é'])
})
