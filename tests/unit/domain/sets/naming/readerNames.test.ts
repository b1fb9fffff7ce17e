import { describe, expect, it } from 'vitest'
import { readerNames } from '../../../../../src/domain/sets/naming/readerNames'
import type { InventoryItem } from '../../../../../src/domain/sets/packing/inventory'

const items = (...paths: string[]): InventoryItem[] =>
  paths.map((path, index) => ({ index, path, kind: 'file', bytes: 1 }))
const codesOf = (...paths: string[]): string[] => readerNames(items(...paths)).map(({ code }) => code)

describe('the names that a reader of discs shows otherwise', () => {
  it('has none of what every system shows as it is', () => {
    expect(
      codesOf('Fotos/Ün 日本.jpg', 'a', 'a.b.c', '.hidden', 'con-tour.txt', 'com10', 'x'.repeat(200)),
    ).toEqual([])
  })

  it.each([
    'a:b',
    'why?',
    'a*',
    'a"b',
    'a<b',
    'a|b',
    'a\\b',
    'a\tb',
    'end.',
    'end ',
    'CON',
    'aux.txt',
    'lpt¹.log',
  ])('lists %j, which Windows shows under another name', (path) =>
    expect(codesOf(`folder/${path}`)).toEqual(['name-on-windows']),
  )

  it('lists what UDF cannot hold: 254 characters of Latin-1 or 127 of others, and bytes', () => {
    const windows = 'd/'.repeat(4)
    expect(codesOf('é'.repeat(127))).toEqual([])
    expect(codesOf('日'.repeat(127))).toEqual([])
    expect(codesOf(`${windows}${'日'.repeat(128)}`)).toEqual(['name-not-in-udf'])
    expect(codesOf('\udcff.txt')).toEqual(['name-not-in-udf'])
    expect(codesOf('\ufeffa.txt')).toEqual(['name-not-in-udf'])
    expect(codesOf('x'.repeat(255))).toEqual(['name-not-in-udf'])
  })

  it('lists long paths, and names that differ in case or accents only', () => {
    expect(codesOf(`${'folder/'.repeat(36)}name`)).toEqual([])
    expect(codesOf(`${'folder/'.repeat(36)}names`)).toEqual(['path-on-windows'])
    const [case_] = readerNames(items('A.txt', 'a.txt'))
    expect(case_).toMatchObject({ code: 'names-differ-in-form', path: 'a.txt', blocking: false })
    expect(case_?.message).toContain('A.txt differ in upper and lower case only')
    expect(readerNames(items('\u00e9', 'e\u0301'))[0]?.message).toContain('how accents are encoded')
    expect(codesOf('a/x', 'b/X')).toEqual([])
  })

  it('lists twenty of each kind and counts the rest; links are in no tree that Windows reads', () => {
    const many = readerNames(items(...Array.from({ length: 25 }, (_, at) => `${at}:`)))
    expect(many).toHaveLength(21)
    expect(many.at(-1)).toMatchObject({ names: 5, message: '5 more names of this kind are not listed' })
    expect(many[0]).toMatchObject({ path: '0:', reason: 'has : in its name' })
    expect(many[0]?.names).toBeUndefined()
    expect(readerNames([{ index: 1, path: 'a:b', kind: 'symlink', bytes: 0 }])).toEqual([])
  })
})
