import { execFileSync } from 'node:child_process'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { elided } from '../../../src/cli/shape/elided'
import { namedTables } from '../../../src/cli/shape/namedTables'
import { nextCommand, shellWord } from '../../../src/cli/shape/nextCommand'
import { textTable } from '../../../src/cli/shape/textTable'
import { WIDTH, wrapped } from '../../../src/cli/shape/wrapped'
import { terminal } from '../../../src/cli/terminal'
import { noHome } from '../../support/noHome'

describe('a long line', () => {
  const words = Array.from({ length: 60 }, (_, index) => `word${index}`).join(' ')

  it('is broken at spaces, loses no word and indents its further parts', () => {
    const lines = wrapped(words, '  ')
    expect(lines.length).toBeGreaterThan(3)
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(WIDTH)
    for (const line of lines.slice(1)) expect(line).toMatch(/^ {2}\S/)
    expect(lines.map((line) => line.trim()).join(' ')).toBe(words)
  })

  it('is broken before and after a word that no line holds', () => {
    const path = `/${'x'.repeat(150)}`
    expect(wrapped(`It is at ${path} and in two other places`)).toEqual([
      'It is at',
      path,
      'and in two other places',
    ])
  })
})

describe('a narrow terminal', () => {
  it('has lines of its width, and figures that stay whole', () => {
    for (const line of wrapped('The files take 6.44 MB ● of 20.0 MB in all, for now', '', 0, 20))
      expect(line.length).toBeLessThanOrEqual(20)
    expect(wrapped('6.44 MB ● it', '', 0, 1)).toEqual(['6.44 MB ●', 'it'])
  })

  it('has tables of its width, whose words take several lines and whose numbers take one', () => {
    const rows = [
      ['xorriso', '1.5.6', '6.44 MB', 'images that every system opens'],
      ['7-Zip', 'not found', '148 kB', 'solid archives'],
    ]
    const table = textTable(['tool', 'version', 'size on disk', 'needed for'], rows, [2], 44)
    for (const line of table) expect(line.length).toBeLessThanOrEqual(44)
    expect(table.join(' ').split(/\s+/).toSorted()).toEqual(
      ['tool version size on disk needed for', ...rows.flat()].join(' ').split(' ').toSorted(),
    )
    expect(table.filter((line) => line.includes('6.44 MB'))).toHaveLength(1)
    expect(textTable(['tool', 'version', 'size', 'needed for'], rows, [2])).toHaveLength(3)
  })

  it('breaks what the commands print as one line, under its indent', () => {
    const written: string[] = []
    const stream = { columns: 40, write: (text: string) => written.push(text) }
    const out = terminal({ out: stream, err: stream }, false, noHome)
    out.line('  a line that is wider than forty columns of text')
    out.note('a note that is wider than forty columns of text')
    expect(written.join('').split('\n')).toEqual([
      '  a line that is wider than forty',
      '    columns of text',
      'a note that is wider than forty columns',
      '  of text',
      '',
    ])
  })
})

describe('a figure at the end of a line', () => {
  it.each(['6.44 MB', '148 MB/s', '13.9 %', '12 s ●', '2.88 MiB ◐'])('stays whole: %s', (figure) => {
    for (let fill = WIDTH - 16; fill <= WIDTH; fill++) {
      const lines = wrapped(`${'x'.repeat(fill)} ${figure} and more`)
      expect(lines.some((line) => line.includes(figure))).toBe(true)
    }
  })
})

describe('a word of a command line', () => {
  it('is not quoted where no shell needs it', () => {
    for (const word of ['plan', '--out', '/home/ada/Photos', 's-0123', 'plain@bd-r-25', 'Bücher'])
      expect(shellWord(word, 'linux')).toBe(word)
  })

  it.each(['a b', "it's", '$HOME', '`id`', 'a\nb', "tab\t'and\\", '*', '~', '', '-rf x', 'a;b', '#x', '!x'])(
    'reaches the program as it is from bash: %j',
    (text) => {
      const said = execFileSync('bash', ['-c', `printf '%s.' ${shellWord(text, 'linux')}`], {
        encoding: 'utf8',
      })
      expect(said).toBe(`${text}.`)
      expect(shellWord(text, 'linux')).not.toMatch(/\p{Cc}/u)
    },
  )

  it('is in double quotes on Windows', () => {
    expect(shellWord(String.raw`C:\My files`, 'win32')).toBe(String.raw`"C:\My files"`)
    expect(shellWord(String.raw`C:\Files`, 'win32')).toBe(String.raw`C:\Files`)
  })
})

describe('the next command', () => {
  beforeEach(() => {
    vi.stubEnv('npm_lifecycle_event', undefined)
  })
  afterEach(() => {
    vi.unstubAllEnvs()
  })

  it('is one line where that is wide enough, and as a person of the repository types it', () => {
    expect(nextCommand('Next:', ['build', 'my plan'])).toEqual(["Next: stowage build 'my plan'"])
    vi.stubEnv('npm_lifecycle_event', 'stowage')
    expect(nextCommand('Next:', ['build', 'plan'])).toEqual(['Next: npm run -s stowage -- build plan'])
  })

  it('is continued with backslashes so that a shell reads one command', () => {
    const words = ['plan', '--survey', 's-0123456789ab', '--out', `/${'x'.repeat(70)}`, '--label', 'A B']
    const lines = nextCommand('', words)
    expect(lines.length).toBeGreaterThan(1)
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(WIDTH)
    const said = execFileSync('bash', ['-c', `stowage() { printf '%s\\n' "$@"; }\n${lines.join('\n')}`], {
      encoding: 'utf8',
    })
    expect(said.trimEnd().split('\n')).toEqual(words)
  })
})

describe('tables by name', () => {
  const tables = { blocks: () => ['1'], chunks: () => ['2'] }

  it('are those that were named, in that order', () => {
    expect(namedTables(tables, ['chunks', 'blocks']).map((table) => table(null))).toEqual([['2'], ['1']])
    expect(namedTables(tables, undefined)).toEqual([])
  })

  it('are refused with the names that there are', () => {
    for (const name of ['all', 'toString']) {
      expect(() => namedTables(tables, [name])).toThrow(`no table "${name}": one of blocks, chunks`)
    }
  })
})

it('a table has no spaces at the ends of its lines', () => {
  expect(textTable(['name', 'count', 'note'], [['a', '1', '']], [1])).toEqual([
    'name  count  note',
    'a         1',
  ])
})

describe('an elided path', () => {
  it.each([
    ['/photos/a.jpg', 20, '/photos/a.jpg'],
    ['/home/ana/photos/2020', 14, '…/photos/2020'],
    ['abcdefghij', 5, '…ghij'],
    ['aaaa👨‍👩‍👧bbb', 6, '…bbb'],
    ['aaaa👨‍👩‍👧bbb', 12, '…👨‍👩‍👧bbb'],
    ['aaaaé́bbb', 5, '…bbb'],
  ])('%s in %i columns is %s, with whole signs', (path, room, shown) => {
    expect(elided(path, room)).toBe(shown)
  })
})
