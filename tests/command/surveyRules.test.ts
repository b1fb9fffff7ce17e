import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { linkSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  type SurveyDocument,
  surveyDocumentSchema,
  type WalkDocument,
  walkDocumentSchema,
} from '../../src/contract/dto/survey'
import { makeHostileTree } from '../fixtures/hostileTree'
import { placeOfEachTest } from '../support/place'

const here = placeOfEachTest('rules')
const { run, done } = here
const put = (path: string, content: number | string): void => here.files({ [path]: content })

async function survey(path: string, ...more: string[]): Promise<SurveyDocument> {
  const { stdout } = await done('survey', path, '--json', ...more)
  return surveyDocumentSchema.parse(JSON.parse(stdout))
}

async function walk(...args: string[]): Promise<WalkDocument> {
  const { stdout } = await done('survey', here.source, '--list-excluded', '--json', ...args)
  return walkDocumentSchema.parse(JSON.parse(stdout))
}

const digestOf = (content: Buffer): string => createHash('sha256').update(content).digest('hex')

/** Every path below a folder as the bytes of its name, with what is there. */
function treeOf(root: string): Map<string, string> {
  const tree = new Map<string, string>()
  const found = execFileSync('find', ['.', '-mindepth', '1', '-print0'], { cwd: root })
  for (const name of found.toString('latin1').split('\0').slice(0, -1)) {
    const below = name.slice('./'.length)
    const path = Buffer.concat([Buffer.from(`${root}/`), Buffer.from(below, 'latin1')])
    const stats = lstatSync(path)
    const what = stats.isDirectory() ? 'folder' : stats.isFile() ? digestOf(readFileSync(path)) : 'link'
    tree.set(below, what)
  }
  return tree
}

/** What git would keep of the source, by a file of rules. */
function keptByGit(rules: string): Map<string, string> {
  const git = here.at('git')
  execFileSync('git', ['init', '-q', '--bare', git])
  const file = here.at('git.rules')
  writeFileSync(file, rules)
  const tree = treeOf(here.source)
  let left: string[] = []
  try {
    const found = execFileSync(
      'git',
      [
        `--git-dir=${git}`,
        `--work-tree=${here.source}`,
        '-c',
        `core.excludesFile=${file}`,
        'check-ignore',
        '--no-index',
        '-z',
        '--stdin',
      ],
      { cwd: here.source, input: Buffer.from([...tree.keys()].join('\0'), 'latin1') },
    )
    left = found.toString('latin1').split('\0').slice(0, -1)
  } catch (thrown) {
    if ((thrown as { status?: number }).status !== 1) throw thrown
  }
  for (const path of left) tree.delete(path)
  return tree
}

const SOURCES: readonly {
  readonly name: string
  readonly make: () => void
  readonly rules: string
}[] = [
  {
    name: 'photographs with previews',
    rules: '*.tmp\n/Lightroom/*Previews.lrdata/\n!keep.tmp\n',
    make() {
      for (let at = 0; at < 8; at++) put(`2024/${at}.raw`, 20_000 + at)
      put('2024/keep.tmp', 900)
      put('2024/drop.tmp', 900)
      put('Lightroom/Catalog.lrcat', 5_000)
      put('Lightroom/Catalog Previews.lrdata/a/b.lrprev', 7_000)
    },
  },
  {
    name: 'hostile names',
    rules: '*.txt\n[[:cntrl:]]*\nfol*\n\\#hash\n*é*\n',
    make() {
      rmSync(here.source, { recursive: true })
      makeHostileTree(here.source, { seed: 4 })
    },
  },
  {
    name: 'links of both kinds',
    rules: '/first/one\nskip-*\n',
    make() {
      put('first/one', 4_000)
      mkdirSync(join(here.source, 'second'))
      linkSync(join(here.source, 'first/one'), join(here.source, 'second/two'))
      linkSync(join(here.source, 'first/one'), join(here.source, 'second/three'))
      symlinkSync('two', join(here.source, 'second/link'))
      symlinkSync('two', join(here.source, 'second/skip-link'))
    },
  },
  {
    name: 'a deep tree',
    rules: '**/4/**\n!**/4/keep/\n**/9/*.o\n',
    make() {
      for (let at = 0; at < 12; at++) {
        const path = Array.from({ length: at + 1 }, (_, level) => level).join('/')
        put(`${path}/a.o`, 300 + at)
        put(`${path}/b.c`, 400 + at)
      }
      put('0/1/2/3/4/keep/kept', 100)
    },
  },
  {
    name: 'everything but one kind',
    rules: '*\n!*/\n!*.flac\n',
    make() {
      put('a/one.flac', 9_000)
      put('a/one.mp3', 3_000)
      put('b/c/two.flac', 9_001)
      put('b/c/cover.jpg', 2_000)
    },
  },
]

const NO_SAMPLES = ['--samples', 'none']

describe('rules', () => {
  it.each(SOURCES)(
    'give the same files in a walk, a survey, a plan, a build and a restore: $name',
    async ({ make, rules }) => {
      make()
      // Of a pattern git knows one form alone: names in the other one are left out by it too.
      const forms = rules.split('\n').flatMap((line) => Array.from(new Set([line, line.normalize('NFD')])))
      const expected = keptByGit(forms.join('\n'))
      const file = here.at('rules')
      writeFileSync(file, rules)
      const files = [...expected.values()].filter((what) => what !== 'folder' && what !== 'link').length
      const listed = await walk('--exclude-from', file)
      expect(listed.totals.files + listed.totals.hardLinks).toBe(files)
      const { stdout } = await done(
        'survey',
        here.source,
        '--samples',
        'none',
        '--json',
        '--exclude-from',
        file,
      )
      const { totals, excluded } = surveyDocumentSchema.parse(JSON.parse(stdout))
      expect(totals.files + totals.hardLinks).toBe(files)
      expect(totals.folders).toBe([...expected.values()].filter((what) => what === 'folder').length + 1)
      expect(excluded?.rules.map(({ pattern }) => pattern)).toEqual(
        listed.excluded?.rules.map(({ pattern }) => pattern),
      )
      const plan = here.at('plan')
      await done('plan', here.source, '--exclude-from', file, '--medium', 'disk', '--out', plan)
      // A change among files that are left out is no change of the source.
      for (const { path, isFolder } of listed.excluded?.paths ?? [])
        if (isFolder) writeFileSync(join(path, 'new since the survey'), 'x')
      await done('build', plan)
      await done('verify', plan)
      const target = here.at('target')
      await done('restore', plan, '--to', target)
      expect(treeOf(target)).toEqual(expected)
    },
  )

  it('that change after a survey have no kept file read again, and files taken back are read', async () => {
    for (let at = 0; at < 12; at++) put(`kept/${at}.bin`, 40_000 + at)
    for (let at = 0; at < 12; at++) put(`other/${at}.bin`, 30_000 + at)
    // A file that was changed within two seconds before a survey is read again.
    await new Promise((resolve) => setTimeout(resolve, 2_100))
    const all = await survey(here.source, ...NO_SAMPLES)
    const less = await survey(here.source, ...NO_SAMPLES, '--exclude', 'other/')
    expect(less.trusted).toMatchObject({ files: 12, bytes: less.totals.bytes })
    const again = await survey(here.source, ...NO_SAMPLES, '--exclude', 'other/')
    expect(again.trusted).toMatchObject({ surveyId: less.id, bytes: less.totals.bytes })
    const whole = await survey(here.source, ...NO_SAMPLES)
    expect(whole.trusted).toMatchObject({ surveyId: all.id, bytes: all.totals.bytes })
    expect(whole.fixedBlocks).toEqual(all.fixedBlocks)
    rmSync(here.home, { recursive: true })
    const first = await survey(here.source, ...NO_SAMPLES, '--exclude', 'other/')
    const back = await survey(here.source, ...NO_SAMPLES)
    expect(back.trusted).toMatchObject({ surveyId: first.id, files: 12 })
    expect(back.totals.bytes - (back.trusted?.bytes ?? 0)).toBe(all.totals.bytes - less.totals.bytes)
    expect(back.fixedBlocks.map(({ uniqueBytes }) => uniqueBytes)).toEqual(
      all.fixedBlocks.map(({ uniqueBytes }) => uniqueBytes),
    )
  })

  it('are named in the plan, its report and the readme of its volumes', async () => {
    put('a.jpg', 5_000)
    put('b.tmp', 700)
    const plan = here.at('plan')
    const { stdout } = await done(
      'plan',
      here.source,
      '--exclude',
      '*.tmp',
      '--medium',
      'disk',
      '--out',
      plan,
    )
    expect(stdout).toContain('Left out: 1 file, 700 B by 1 rule.')
    const document = JSON.parse(readFileSync(join(plan, 'plan.json'), 'utf8'))
    expect(document.rules.patterns).toEqual(['*.tmp'])
    expect(document.excluded).toMatchObject({ files: 1, bytes: 700 })
    expect(readFileSync(join(plan, 'report.html'), 'utf8')).toContain('<code>*.tmp</code>')
    await done('build', plan)
    const readme = execFileSync('find', [plan, '-name', 'README.txt', '-path', '*folders*'])
    expect(readFileSync(readme.toString().trim(), 'utf8')).toContain(
      'Left out: 1 file, 700 B by 1 rule: *.tmp',
    )
  })

  it('of presets are counted before one is used, without leaving anything out', async () => {
    put('2024/a.jpg', 5_000)
    put('2024/.DS_Store', 300)
    put('work/node_modules/x/index.js', 70)
    put('work/node_modules/x/.DS_Store', 20)
    put('work/node_modules/y/module.pyc', 8)
    put('.cache/thumbs/1.png', 900)
    put('.cache/keep.png', 1)
    const figures = ({ presets }: WalkDocument) =>
      Object.fromEntries(presets.map(({ preset, files, bytes }) => [preset, [files, bytes]]))
    const rules = ['--exclude', '/.cache/keep.png']
    const before = await walk(...rules)
    expect(before.totals.files).toBe(6)
    expect(figures(before)).toEqual({
      litter: [2, 320],
      trash: [0, 0],
      caches: [2, 908],
      dependencies: [3, 98],
      previews: [0, 0],
    })
    for (const preset of ['litter', 'dependencies'] as const) {
      const after = await walk(...rules, '--exclude-preset', preset)
      expect(figures(after)[preset]).toEqual(figures(before)[preset])
      expect(before.totals.files - after.totals.files).toBe(figures(before)[preset]?.[0])
      expect(before.totals.bytes - after.totals.bytes).toBe(figures(before)[preset]?.[1])
    }
    const kept = await walk(...rules, '--include', '.DS_Store')
    expect(figures(kept)).toMatchObject({ litter: [0, 0] })
  })

  it('that cannot be carried out are refused in one line, before anything is read', async () => {
    put('cache/keep', 10)
    put('b', 10)
    const bad = here.at('bad')
    writeFileSync(bad, '*.o\n\n  a[\n')
    const latin = here.at('latin')
    writeFileSync(latin, Buffer.from([0xe9, 0x0a]))
    const cases: readonly (readonly [string[], number, RegExp])[] = [
      [['--exclude', 'a[b'], 2, /rule "a\[b", column 2: \[ without \]/],
      [['--exclude', 'a\\'], 2, /column 2: \\ with nothing after it/],
      [['--exclude', ''], 2, /--exclude is empty/],
      [['--exclude-from', bad], 2, /bad:3:4: \[ without \]/],
      [['--exclude-from', latin], 2, /latin: it is not UTF-8/],
      [['--exclude-from', here.at('none')], 2, /no such file/],
      [['--exclude', 'cache/', '--include', '/cache/keep'], 2, /write "\*\*\/cache\/\*" instead/],
      [['--exclude-preset', 'everything'], 2, /no preset "everything": one of litter, /],
      [['--exclude-larger-than', 'much'], 2, /much/],
      [['--exclude', '*'], 7, /nothing is left to survey: everything is left out by \*/],
    ]
    for (const [args, code, message] of cases) {
      const end = await run('survey', here.source, ...args)
      expect(end.stderr, args.join(' ')).toMatch(message)
      expect(end.stderr.trimEnd().split('\n'), args.join(' ')).toHaveLength(1)
      expect(end.code, args.join(' ')).toBe(code)
      expect(end.stdout).toBe('')
    }
    const listed = await done('catalog', 'list', '--json')
    expect(JSON.parse(listed.stdout).surveys ?? []).toEqual([])
  })

  it('without effect are named, and so is an ignore file that cannot be used', async () => {
    put('a', 10)
    put('b/.stowageignore', '*.o\n[\n')
    put('b/c.o', 10)
    const end = await run('survey', here.source, '--samples', 'none', '--exclude', 'nothing')
    expect(end.stderr).toContain('the rule "nothing" left nothing out')
    expect(end.stderr).toContain(`cannot use the rules in ${here.source}/b/.stowageignore:2:1: [ without ]`)
    expect(end.code).toBe(3)
    const off = await run('survey', here.source, '--samples', 'none', '--no-ignore-files')
    expect(off.stderr).toBe('')
    expect(off.code).toBe(0)
  })

  it('leave out folders of other file systems and caches only when asked', async () => {
    put('photo', 10)
    put('cache/CACHEDIR.TAG', 'Signature: 8a477f597d28d172789f06886806bc55\n')
    put('cache/file', 10)
    expect((await walk()).excluded).toBeNull()
    const { totals, excluded } = await walk('--exclude-caches', '--one-file-system')
    expect(totals.files).toBe(1)
    expect(excluded?.paths).toEqual([
      { path: join(here.source, 'cache'), isFolder: true, files: 2, bytes: 54, rule: 0 },
    ])
  })
})
