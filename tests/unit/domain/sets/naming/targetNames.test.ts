import { describe, expect, test } from 'vitest'
import { type NameLimits, targetNames } from '../../../../../src/domain/sets/naming/targetNames'
import { seededRandom } from '../../../../../src/primitives/seededRandom'

const FREE: NameLimits = {
  foldsCase: false,
  foldsAccents: false,
  utf8Only: false,
  assignedOnly: false,
  forbidden: new Set(),
  cutsEnds: false,
  hasDevices: false,
  longest: { count: 255, of: 'bytes' },
}
const WINDOWS: NameLimits = {
  ...FREE,
  foldsCase: true,
  utf8Only: true,
  forbidden: new Set('"*:<>?\\|\n'),
  cutsEnds: true,
  hasDevices: true,
  longest: { count: 255, of: 'utf16' },
}

const namesOf = (paths: readonly string[], limits: Partial<NameLimits>): string[] => {
  const names = targetNames(paths, { ...FREE, ...limits })
  return paths.map((path) => names.pathIn(path))
}

describe('targetNames', () => {
  test.each<[string, Partial<NameLimits>, string[], string[]]>([
    [
      'the first of several spellings keeps the name',
      { foldsCase: true },
      ['b', 'File', 'file', 'FILE'],
      ['b', 'File', 'file~1', 'FILE~2'],
    ],
    [
      'numbers precede the ending',
      { foldsCase: true },
      ['a.JPG', 'A.jpg', '.A', '.a'],
      ['a.JPG', 'A~1.jpg', '.A', '.a~1'],
    ],
    [
      'a name that is there already is not given',
      { foldsCase: true },
      ['a', 'A', 'A~1'],
      ['a', 'A~2', 'A~1'],
    ],
    [
      'folders are kept apart with what is in them',
      { foldsCase: true },
      ['D/x', 'd/x', 'd/X'],
      ['D/x', 'd~1/x', 'd~1/X~1'],
    ],
    ['accents in two encodings', { foldsAccents: true }, ['\u00e9', 'e\u0301'], ['\u00e9', 'e\u0301~1']],
    [
      'letters with several cases',
      { foldsCase: true },
      ['Σ', 'ς', 'σ', 'K', '\u212a'],
      ['Σ', 'ς~1', 'σ~2', 'K', '\u212a~1'],
    ],
    [
      'characters that are refused',
      { forbidden: new Set(':*') },
      ['a:b', 'a*b', 'a_b'],
      ['a_b~1', 'a_b~2', 'a_b'],
    ],
    ['bytes that are not UTF-8', { utf8Only: true }, ['caf\udce9', '\udcff', '😀'], ['caf_', '_', '😀']],
    ['code points without a character', { assignedOnly: true }, ['a\u0378', 'é'], ['a_', 'é']],
    ['dots and spaces at the end', { cutsEnds: true }, ['a.', 'b. .', 'c. d'], ['a_', 'b___', 'c. d']],
    [
      'names of devices',
      { hasDevices: true },
      ['CON', 'aux.txt', 'console', 'com1 .x'],
      ['_CON', '_aux.txt', 'console', '_com1 .x'],
    ],
    [
      'the list of names',
      { foldsCase: true },
      ['restored-names.TSV', 'd/RESTORED-NAMES.tsv'],
      ['restored-names~1.TSV', 'd/RESTORED-NAMES.tsv'],
    ],
  ])('%s', (_, limits, paths, expected) => {
    expect(namesOf(paths, limits)).toEqual(expected)
  })

  test('cuts long names before their ending, and no character', () => {
    const long = `${'日'.repeat(50)}.jpeg`
    const [first, second] = namesOf([long, `${'日'.repeat(49)}本.jpeg`], {
      longest: { count: 143, of: 'bytes' },
    })
    expect(first).toBe(`${'日'.repeat(46)}.jpeg`)
    expect(second).toBe(`${'日'.repeat(45)}~1.jpeg`)
  })

  test('lists what is changed with its place, folders before what is in them', () => {
    expect(targetNames(['D/x', 'd/x', 'd/X'], { ...FREE, foldsCase: true }).renamed).toEqual([
      { restored: 'd~1', original: 'd' },
      { restored: 'd~1/X~1', original: 'd/X' },
    ])
  })

  test.each([1, 2, 3, 4, 5])('never gives one name to two entries (seed %i)', (seed) => {
    const random = seededRandom(seed)
    const letters = [
      'a',
      'A',
      'b',
      'B',
      '~',
      '1',
      '_',
      ':',
      '*',
      '.',
      ' ',
      '/',
      'é',
      'É',
      '\udcff',
      'CON',
      'x'.repeat(130),
    ]
    const paths = new Set<string>()
    for (let count = 0; count < 3000; count++) {
      let path = ''
      for (let length = 1 + random.below(5); length > 0; length--)
        path += letters[random.below(letters.length)]
      if (!/^\/|\/\/|\/$|(^|\/)\.\.?(\/|$)/.test(path)) paths.add(path)
    }
    const names = targetNames(paths, WINDOWS)
    const entries = new Set([...paths].flatMap(entriesIn))
    const places = [...entries].map((path) => names.pathIn(path).toLowerCase())
    expect(new Set(places).size).toBe(entries.size)
    for (const place of places)
      expect(place).not.toMatch(/["*:<>?\\|\ud800-\udfff]|[. ](\/|$)|(^|\/)con(\/|$)/)
    for (const place of places)
      for (const name of place.split('/')) expect(name.length).toBeLessThanOrEqual(255)
  })
})

function entriesIn(path: string): string[] {
  const names = path.split('/')
  return names.map((_, count) => names.slice(0, count + 1).join('/'))
}
