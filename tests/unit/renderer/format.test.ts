import { describe, expect, it } from 'vitest'
import { toCsv } from '../../../renderer/src/format/csv'
import { nameOf, shortenPath, titleOfRoots } from '../../../renderer/src/format/paths'
import { sentence } from '../../../renderer/src/format/sentence'
import { pathFromBytes } from '../../../src/primitives/pathText'

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

it('a failure is a sentence with a capital and a full stop', () => {
  expect(sentence('cannot read /a/b: permission denied')).toBe('Cannot read /a/b: permission denied.')
  expect(sentence('/a/b is already there')).toBe('/a/b is already there.')
})
