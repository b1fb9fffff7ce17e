import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { DECLARATIONS } from '../../../src/cli/declarations/every'
import { helpText } from '../../../src/cli/help'
import { dialectIn, READ_BY_PEOPLE, textForPeople } from './plainWords'
import { houseFiles } from './sourceFiles'

const PROSE = /\.(md|json|ts)$/
const LONGEST_LINE = 100

const read = houseFiles().filter(
  (file) =>
    PROSE.test(file) &&
    READ_BY_PEOPLE.some((place) => (place.endsWith('/') ? file.startsWith(place) : file === place)),
)

describe('text for people', () => {
  it('has none of the phrases of the old dialect in docs, the window and what commands print', () => {
    for (const place of READ_BY_PEOPLE)
      expect(
        read.some((file) => file.startsWith(place)),
        place,
      ).toBe(true)
    expect(read.flatMap((file) => dialectIn(file, textForPeople(file, readFileSync(file, 'utf8'))))).toEqual(
      [],
    )
  })

  it.each([null, ...Object.keys(DECLARATIONS)])('has none of them in help of %s', (command) => {
    expect(dialectIn(`help ${command ?? ''}`, helpText(command))).toEqual([])
  })

  it('is wrapped at 100 columns, tables and code apart', () => {
    const isWrapped = (line: string): boolean =>
      line.length <= LONGEST_LINE ||
      line.startsWith('|') ||
      /^\s*(\| |!\[|\[)/.test(line) ||
      !line.slice(0, LONGEST_LINE).trim().includes(' ')
    const long = read
      .filter((file) => file.endsWith('.md'))
      .flatMap((file) => {
        const prose = readFileSync(file, 'utf8').replaceAll(/^```.*?^```/gms, (code) =>
          code.replaceAll(/[^\n]/g, ''),
        )
        return prose.split('\n').flatMap((line, at) => (isWrapped(line) ? [] : [`${file}:${at + 1}`]))
      })
    expect(long).toEqual([])
  })
})

describe('the search for phrases', () => {
  it.each([
    ['What builds of an option came to corrects later forecasts.', 'came to'],
    ['Dear codecs see a part of the sample.', 'Dear'],
    ['It reads past\nthe cache.', 'past the cache'],
    ['The range holds the luck of boundaries.', 'luck'],
  ])('finds one in %j', (text, phrase) => {
    expect(dialectIn('page', text).some((fault) => fault.includes(`"${phrase}"`))).toBe(true)
  })

  it('names the line', () => {
    expect(dialectIn('page', 'one\ntwo\nIt stands there')).toEqual(['page:3 "stands": write is'])
  })

  it('reads the values of a copy file and the quoted texts of a source, not their names', () => {
    const copy = '{\n  "preferences.label": "Settings",\n  "goal.own": "as the cache told"\n}'
    expect(dialectIn('copy', textForPeople('assets/copy/en/window.json', copy))).toEqual([
      'copy:3 "told": write reported',
    ])
    const source = "// it stands\nconst stands = 'wishes'\nout.line(`${stands} came to ${1}`)\n"
    expect(dialectIn('source', textForPeople('a.ts', source))).toEqual([
      'source:3 "came to": write actual size, is',
    ])
  })

  it('leaves code alone', () => {
    expect(dialectIn('page', '`--wishes`\n```\nstands\n```\n')).toEqual([])
  })
})
