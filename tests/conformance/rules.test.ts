import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { PRESET_NAMES, presetPatterns } from '../../src/domain/survey/rules/presets'
import { patternFor } from '../../src/domain/survey/rules/rules'
import { loadAddon } from '../../src/engine/native/loadAddon'
import { pathToBytes } from '../../src/primitives/pathText'
import { seededRandom } from '../../src/primitives/seededRandom'
import { temporaryFolder } from '../support/surveyedFolder'
import { walkedPaths } from '../support/walkedPaths'

/** The names of a tree in which every pattern below has something to match and to miss. */
const FILES = [
  'a',
  'b.txt',
  'c.TXT',
  'Thumbs.db',
  '.DS_Store',
  '.hidden',
  '#hash',
  '!bang',
  ' lead',
  'trail ',
  'two  spaces',
  'star*name',
  'quest?',
  '[set]',
  'back\\slash',
  'tab\tname',
  'new\nline',
  'ümlaut.jpg',
  '日本.raw',
  'a-b',
  'a]b',
  'file1',
  'file2',
  'file10',
  'foo/a',
  'foo/b.txt',
  'foo/bar/a',
  'foo/bar/baz/a.o',
  'foo/bar/baz/b.c',
  'foo/node_modules/x/index.js',
  'node_modules/y/package.json',
  'node_modules2/z',
  'bar/foo/a',
  'bar/foobar',
  'bar/x/foo/y',
  'deep/1/2/3/4/foo/end.log',
  'deep/1/foo.log',
  'deep/log',
  'deep/Log',
  'build/out.o',
  'build/keep.o',
  'src/build/out.o',
  'src/main.c',
  'src/main.o',
  'cache/keep.txt',
  'cache/x/keep.txt',
  'x/cache/y',
  'dir.d/inside',
  'dir.d/sub/inside',
  'café/été.txt',
  'foox/y',
  'foo.bar/qux',
  'ab/ab/ab',
  'abab',
  'aab',
  'ba/aa/b',
]
const FOLDERS = ['empty', 'empty2/inside', 'foo/empty', 'log']

/** Each set is a file of rules. */
const SETS: readonly string[] = [
  'a',
  '/a',
  'a/',
  '*.txt',
  '*.TXT',
  '*',
  '**',
  '/*',
  '/**',
  '*/',
  '**/',
  'foo',
  '/foo',
  'foo/',
  '/foo/',
  'foo/*',
  'foo/**',
  '**/foo',
  '**/foo/',
  '**/foo/**',
  'foo/**/a',
  '/foo/**/a',
  'foo/*/a',
  'foo/bar',
  'bar/foo',
  '/bar/foo',
  '**/bar/foo',
  'foo*',
  'foo?',
  '*foo',
  '*foo*',
  'f*o',
  'f?o',
  'f??',
  'fo[o]',
  'fo[a-z]',
  'fo[!o]',
  'fo[^o]',
  '[a-c]',
  '[!a-c]*',
  '[abc].txt',
  'file[0-9]',
  'file[0-9]*',
  'file?',
  'file[[:digit:]]',
  'file[[:digit:]]*',
  '[[:upper:]]*',
  '[[:lower:]]*',
  '[[:punct:]]*',
  '[[:alpha:]]',
  '*[[:space:]]*',
  '[[:alnum:]]-[[:alnum:]]',
  'a[]]b',
  'a[]-]b',
  'a[x-]b',
  'a[-x]b',
  'a[!]]b',
  'a[%-.]b',
  String.raw`a\-b`,
  String.raw`\a`,
  String.raw`\#hash`,
  '#hash',
  String.raw`\!bang`,
  '!bang',
  String.raw`star\*name`,
  'star*name',
  String.raw`quest\?`,
  'quest?',
  String.raw`\[set\]`,
  '[set]',
  '[[]set[]]',
  String.raw`back\\slash`,
  String.raw`back[\\]slash`,
  ' lead',
  'trail ',
  String.raw`trail\ `,
  String.raw`trail\  `,
  'two  spaces',
  'tab\tname',
  'tab?name',
  'ümlaut.jpg',
  'ümlaut*',
  '?mlaut.jpg',
  '??mlaut.jpg',
  '*.raw',
  '日本*',
  '日??本*',
  'café/',
  'café/*',
  'cafe/',
  '.*',
  '.DS_Store',
  '/.DS_Store',
  '.hidden/',
  'node_modules',
  'node_modules/',
  '/node_modules/',
  '**/node_modules',
  'node_modules*',
  'node_modules*/',
  'build/',
  'build/*\n!build/keep.o',
  'build/\n!build/keep.o',
  '*.o\n!keep.o',
  '*.o\n!/build/keep.o',
  '!keep.o\n*.o',
  '*.o\n!*.o',
  '*\n!*/',
  '*\n!*/\n!*.c',
  '/*\n!/foo',
  '/*\n!/foo/\n/foo/*\n!/foo/bar',
  'cache/*\n!cache/keep.txt',
  'cache\n!cache/keep.txt',
  '**/cache/*\n!**/cache/y',
  'cache/**\n!cache/x/',
  'cache/**\n!cache/**/',
  'deep/**/foo',
  'deep/**/log',
  'deep/*/foo',
  'deep/**/4/**',
  '/deep/**/*.log',
  'deep/1/**/end.log',
  '**/4/foo/*.log',
  '**/deep/log',
  'log',
  'log/',
  'Log',
  '[Ll]og',
  '*log',
  '*.log',
  'deep/[Ll]*',
  'foo**',
  'foo**/bar',
  'foo**/',
  'f**',
  '**foo',
  '**o/a',
  'a/**/b',
  'ab/**',
  'ab/**/ab',
  'ab**',
  '*ab',
  '*ab*',
  '**ab',
  'a*b',
  'a**b',
  'a*a*b',
  '*a*b*',
  'ba/**/b',
  'ba/*/b',
  'ba/**',
  '*/*/*',
  '/*/*/*',
  '*/foo/*',
  '**/*/foo',
  'foo/../a',
  './a',
  'a//',
  '//a',
  'foo//bar',
  '/',
  '!',
  '!!bang',
  '',
  '   ',
  '# comment',
  '\\',
  'foo\\',
  'x[',
  '[',
  '[]',
  '[a',
  'foo/[',
  '[[:bogus:]]',
  '[z-a]',
  '*[',
  'a\\/b',
  'foo\\/bar',
  '**\\/a',
  'foo/**\\/a',
  '***',
  '***/a',
  'foo/***',
  'foo/***/a',
  '*.d',
  '*.d/',
  '*.d/*',
  'dir.d/sub',
  'dir.?',
  'dir.d/**/inside',
  'empty',
  'empty/',
  'empty2/*',
  '**/empty',
  '**/inside',
  'foo.bar',
  'foo.bar/',
  'foo?bar',
  'foo[/]bar',
  'foo[!x]bar',
  'foox/y',
  'Thumbs.db',
  'thumbs.db',
  '[Tt]humbs.db',
  '*.[ch]',
  '*.[!o]',
  'src/*.o',
  '/src/**/*.o',
  'src/**/out.o',
  '\uFEFFa\nb.txt',
  'a\r\nb.txt\r',
  '*\n!a',
  '*\n!foo\n!foo/a',
  '/*/\n!/foo/',
  'foo\n!foo',
  '!foo\nfoo',
  'foo/\n!/foo/bar/',
  '**/a\n!/foo/a',
]

/** Rules of several folders: `[folder, rules]`. */
const NESTED: readonly (readonly [string, string])[][] = [
  [
    ['', '*.o'],
    ['build', '!keep.o'],
  ],
  [
    ['', 'a'],
    ['foo', '!a'],
  ],
  [
    ['', 'a'],
    ['foo', '!a'],
    ['foo/bar', 'a'],
  ],
  [['foo', '/a']],
  [['foo', '/bar/baz/']],
  [['foo', 'bar/baz/*.o']],
  [
    ['foo', '*'],
    ['foo/bar', '!baz'],
  ],
  [
    ['', 'foo/'],
    ['foo', '!a'],
  ],
  [
    ['', '*.txt'],
    ['cache', '!keep.txt'],
    ['cache/x', '*'],
  ],
  [['deep', '**/foo']],
  [
    ['deep/1', '/foo.log'],
    ['deep', '!foo.log'],
  ],
  [
    ['src', 'build'],
    ['', '!build'],
  ],
  [
    ['', '/*\n!/src'],
    ['src', '*.o'],
  ],
  [
    ['foo', '!b.txt'],
    ['', '*.txt'],
  ],
]

let root: string
let gitFolder: string
const ALL = new Set<string>()

beforeEach(() => {
  root = temporaryFolder()
  gitFolder = temporaryFolder()
  for (const file of FILES) put(file, '')
  for (const folder of FOLDERS) mkdirSync(join(root, folder), { recursive: true })
  execFileSync('git', ['init', '-q', '--bare', gitFolder])
  for (const path of [...FILES, ...FOLDERS]) {
    for (let at = path; at !== '.'; at = dirname(at)) ALL.add(at)
  }
})

function put(path: string, content: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), content)
}

/** What git leaves out of the tree, by a file of rules or by those in the tree. */
function leftOutByGit(excludesFile: string): string[] {
  const args = [`--git-dir=${gitFolder}`, `--work-tree=${root}`, '-c', `core.excludesFile=${excludesFile}`]
  try {
    const found = execFileSync('git', [...args, 'check-ignore', '--no-index', '-z', '--stdin'], {
      cwd: root,
      input: [...ALL].join('\0'),
      env: { ...process.env, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' },
    })
    return found.toString().split('\0').slice(0, -1).toSorted()
  } catch (thrown) {
    // 1: it leaves out nothing.
    if ((thrown as { status?: number }).status === 1) return []
    throw thrown
  }
}

/** What a walk leaves out of it. */
async function leftOutByWalk(given: readonly string[], ignoreFiles: boolean): Promise<string[]> {
  const left = new Set(ALL)
  for (const path of await walkedPaths(root, given, ignoreFiles)) left.delete(path)
  return [...left].toSorted()
}

/** The rules of a file that we can carry out. */
function textsOf(content: string): string[] {
  return loadAddon()
    .rulesOfFile(pathToBytes(content))
    .rules.map(({ text }) => Buffer.from(text).toString())
}

describe('rules', () => {
  const likeGit = (sets: readonly string[]) => async () => {
    const file = join(temporaryFolder(), 'rules')
    let matching = 0
    for (const set of sets) {
      writeFileSync(file, set)
      const expected = leftOutByGit(file)
      if (expected.length > 0) matching += 1
      // What we refuse matches nothing for git; the other rules of a file count for both.
      expect(await leftOutByWalk(textsOf(set), false), JSON.stringify(set)).toEqual(expected)
    }
    expect(matching).toBeGreaterThan(sets.length * 0.75)
  }

  const exactly = 'leave out exactly what git leaves out'
  test(`${exactly}, for a fifth of the patterns`, likeGit(SETS.filter((_, at) => at % 5 === 0)))
  test(`${exactly}, whatever the pattern`, { tags: 'long' }, likeGit(SETS))

  const likeGitAtRandom = (rounds: number) => async () => {
    const random = seededRandom(7)
    const parts = [
      'a',
      'b',
      'foo',
      '/',
      '/',
      '*',
      '*',
      '**',
      '?',
      '[ab]',
      '[!a]',
      '\\',
      '.',
      'o',
      'deep',
      '1',
    ]
    const file = join(temporaryFolder(), 'rules')
    for (let round = 0; round < rounds; round++) {
      const line = (): string =>
        Array.from({ length: 1 + random.below(6) }, () => parts[random.below(parts.length)]).join('')
      const set = [line(), random.unit() < 0.3 ? `!${line()}` : line()].join('\n')
      writeFileSync(file, set)
      expect(await leftOutByWalk(textsOf(set), false), JSON.stringify(set)).toEqual(leftOutByGit(file))
    }
  }

  const atRandom = 'leave out what git leaves out, for patterns drawn at random'
  test(atRandom, likeGitAtRandom(40))
  test(`${atRandom}, 150 times`, { tags: 'long' }, likeGitAtRandom(150))

  test('made for a path leave out exactly that path and what is below it', async () => {
    for (const path of ALL) {
      const isFolder = statSync(join(root, path)).isDirectory()
      const expected = [...ALL].filter((each) => each === path || each.startsWith(`${path}/`)).toSorted()
      expect(await leftOutByWalk([patternFor(path, isFolder)], false), path).toEqual(expected)
    }
  })

  test('of presets are all understood, and none leaves out an ordinary name', async () => {
    const patterns = presetPatterns(PRESET_NAMES).map(({ pattern }) => pattern)
    expect(loadAddon().checkRules(patterns.map(pathToBytes))).toEqual({ faults: [], ineffective: [] })
    const left = await leftOutByWalk(patterns, false)
    expect(left.filter((path) => !path.includes('node_modules'))).toEqual(['.DS_Store', 'Thumbs.db'])
  })

  test('in files of several folders count as git counts them', async () => {
    for (const files of NESTED) {
      for (const [folder, rules] of files) {
        put(join(folder, '.gitignore'), rules)
        put(join(folder, '.stowageignore'), rules)
      }
      const own = (paths: string[]): string[] => paths.filter((path) => ALL.has(path))
      expect(own(await leftOutByWalk([], true)), JSON.stringify(files)).toEqual(
        own(leftOutByGit('/dev/null')),
      )
      for (const [folder] of files) {
        rmSync(join(root, folder, '.gitignore'))
        rmSync(join(root, folder, '.stowageignore'))
      }
    }
  })
})
