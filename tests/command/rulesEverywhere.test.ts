import { createHash } from 'node:crypto'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { walkDocumentSchema } from '../../src/contract/dto/survey'
import type { Rules } from '../../src/domain/survey/rules/rules'
import { pathToBytes } from '../../src/primitives/pathText'
import { seededRandom } from '../../src/primitives/seededRandom'
import { makeHostileTree } from '../fixtures/hostileTree'
import { stowage } from '../fixtures/stowageCommand'
import { type SurveyEngine, surveyEngine } from '../support/surveyEngine'

/** The bytes of a file, or its size alone where a list has no more. */
type Content = string | number
/** The regular files of a list: the bytes of each path as Latin-1 text, with the content. */
type FileList = Map<string, Content>

let folder: string
let home: string
let window: SurveyEngine
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'stowage-rules-everywhere-')))
  home = join(folder, 'home')
  window = surveyEngine(join(folder, 'data of the window'))
})
afterEach(async () => {
  await window.engine.close()
  rmSync(folder, { recursive: true, force: true })
})

async function done(...args: string[]): Promise<string> {
  const end = await stowage(args, { home })
  expect(end.code, `${args.join(' ')}: ${end.stderr}`).toBe(0)
  return end.stdout
}

const random = seededRandom(37)

/** Writes files by their paths below the folder of the test: a size, or a text. */
function write(files: Readonly<Record<string, number | string>>): void {
  for (const [path, what] of Object.entries(files)) {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    const content = typeof what === 'string' ? Buffer.from(what) : Buffer.alloc(what)
    if (typeof what === 'number') random.fillBytes(content)
    writeFileSync(file, content)
  }
}

const CACHE_TAG = 'Signature: 8a477f597d28d172789f06886806bc55\n'
const names = (path: string): string[] => path.split('/')

interface Source {
  readonly name: string
  /** The sources of one survey, below the folder of the test. */
  readonly roots: readonly string[]
  make(): void
  /** The same rules as options and as the window asks for them. */
  readonly options: readonly string[]
  readonly rules: Partial<Rules>
  /** The judge: true for a path below its root that has to be kept. */
  keeps(path: string): boolean
}

const SOURCES: readonly Source[] = [
  {
    name: 'photo folders with presets and a limit of size',
    roots: ['photos'],
    make() {
      for (let at = 0; at < 40; at++) write({ [`photos/2024/${at % 5}/IMG_${at}.raw`]: 9_000 + at })
      write({
        'photos/.DS_Store': 6_148,
        'photos/2024/Thumbs.db': 2_000,
        'photos/2024/huge.mov': 300_000,
        'photos/2024/limit.mov': 100_000,
        'photos/Lightroom/Catalog.lrcat': 5_000,
        'photos/Lightroom/Catalog Previews.lrdata/a/b.lrprev': 7_000,
        'photos/.Trash-1000/files/old.raw': 4_000,
      })
    },
    options: [
      ...['litter', 'previews', 'trash'].flatMap((preset) => ['--exclude-preset', preset]),
      '--exclude-larger-than',
      '100kB',
    ],
    rules: { presets: ['litter', 'previews', 'trash'], largerThanBytes: 100_000 },
    keeps: (path) => !/\.DS_Store|Thumbs\.db|huge|Previews|\.Trash/.test(path),
  },
  {
    name: 'hostile names',
    roots: ['hostile'],
    make: () => void makeHostileTree(join(folder, 'hostile'), { seed: 5 }),
    options: ['--exclude', '*a*', '--include', 'tab*', '--exclude', '\\\\*'],
    rules: { patterns: ['*a*', '!tab*', '\\\\*'] },
    keeps: (path) =>
      names(path).every((name) => (!name.includes('a') || name.startsWith('tab')) && !name.startsWith('\\')),
  },
  {
    name: 'a checkout with ignore files in several folders',
    roots: ['checkout'],
    make() {
      write({
        'checkout/.stowageignore': '*.o\n/build/\n*.log\n!keep.o\n',
        'checkout/src/.stowageignore': '# taken back here\n!*.log\ngenerated/\n',
        'checkout/src/deep/.stowageignore': '/only-here\n',
      })
      for (const at of ['', 'src/', 'src/deep/', 'docs/'])
        for (const name of ['a.c', 'a.o', 'keep.o', 'a.log', 'build/out', 'generated/x', 'only-here'])
          write({ [`checkout/${at}${name}`]: 700 + random.below(5_000) })
      write({ 'checkout/src/a.swp': 300 })
    },
    options: ['--exclude', '*.swp'],
    rules: { patterns: ['*.swp'] },
    keeps(path) {
      if (/\.swp$|(?<!keep)\.o$|^build\//.test(path)) return false
      if (path.endsWith('.log')) return path.startsWith('src/')
      return !/^src\/(?:.*\/)?generated\//.test(path) && path !== 'src/deep/only-here'
    },
  },
  {
    name: 'a deep tree with folders that are marked as caches',
    roots: ['tree'],
    make() {
      for (let depth = 1; depth <= 30; depth++) {
        const at = Array.from({ length: depth }, (_, level) => `level ${level}`).join('/')
        write({ [`tree/${at}/kept`]: 500 + depth })
        if (depth % 7 === 0)
          write({
            [`tree/${at}/thumbs/CACHEDIR.TAG`]: CACHE_TAG,
            [`tree/${at}/thumbs/a/b`]: 800 + depth,
          })
      }
      write({ 'tree/no cache/CACHEDIR.TAG': 'another signature\n', 'tree/no cache/kept': 900 })
    },
    options: ['--exclude-caches'],
    rules: { caches: true },
    keeps: (path) => !path.includes('/thumbs/'),
  },
  {
    name: 'several sources at once, with ignore files off',
    roots: ['one', 'two', 'three'],
    make() {
      for (const root of ['one', 'two', 'three'])
        write({
          [`${root}/.stowageignore`]: '*\n',
          [`${root}/a.txt`]: 1_000 + random.below(3_000),
          [`${root}/cache/a`]: 2_000,
          [`${root}/below/cache/a`]: 2_000 + random.below(100),
          [`${root}/node_modules/x/index.js`]: 400,
          [`${root}/below/node_modules/y/index.js`]: 500,
        })
    },
    options: ['--no-ignore-files', '--exclude', '/cache/', '--exclude-preset', 'dependencies'],
    rules: { ignoreFiles: false, patterns: ['/cache/'], presets: ['dependencies'] },
    keeps: (path) => !/^cache\/|node_modules/.test(path),
  },
]

const bytesOf = (path: string): string => Buffer.from(pathToBytes(path)).toString('latin1')
const digestOf = (content: Buffer): string => createHash('sha256').update(content).digest('hex')

/** Every regular file below a folder, read with nothing of the product. */
function filesBelow(root: string, isLeftOut: (name: string) => boolean = () => false): FileList {
  const list: FileList = new Map()
  const look = (at: Buffer, below: string): void => {
    for (const name of readdirSync(at, { encoding: 'buffer' })) {
      const path = Buffer.concat([at, Buffer.from('/'), name])
      const shown = `${below}${name.toString('latin1')}`
      if (isLeftOut(shown)) continue
      const stats = lstatSync(path)
      if (stats.isDirectory()) look(path, `${shown}/`)
      else if (stats.isFile()) list.set(shown, digestOf(readFileSync(path)))
    }
  }
  look(Buffer.from(root), '')
  return list
}

/** The window's list: the rows of every folder that its tree can open. */
async function listOfWindow(roots: string[], rules: Partial<Rules>): Promise<FileList> {
  const { id } = await window.walk(roots, rules)
  const list: FileList = new Map()
  const open = async (path: string | null): Promise<void> => {
    const { rows, others, classes, years } = await window.engine.handlers.survey.folder({ walkId: id, path })
    expect([others.files, others.excludedFiles], 'files without a row').toEqual([0, 0])
    const kept = rows.reduce((sum, { bytes }) => sum + bytes, 0)
    for (const parts of [classes, years])
      expect(
        parts.reduce((sum, { bytes }) => sum + bytes, 0),
        'bytes of classes, of years',
      ).toBe(kept)
    for (const row of rows)
      if (!row.isFolder && row.rule === null && row.bytes > 0) {
        const year = lstatSync(Buffer.from(pathToBytes(row.path))).mtime.getFullYear()
        expect(row.years).toEqual({ first: year, last: year, middle: year })
      }
    for (const row of rows) {
      if (row.rule !== null) continue
      if (row.isFolder) await open(row.path)
      else list.set(bytesOf(row.path), row.bytes)
    }
  }
  await open(null)
  return list
}

/** What `survey --list-excluded` leaves of the files that are there. */
async function complementOfExcluded(roots: string[], options: readonly string[], all: FileList) {
  const { excluded } = walkDocumentSchema.parse(
    JSON.parse(await done('survey', ...roots, ...options, '--list-excluded', '--json')),
  )
  const list = new Map(all)
  for (const { path, isFolder } of excluded?.paths ?? []) {
    const out = bytesOf(path)
    if (!isFolder) list.delete(out)
    else for (const each of list.keys()) if (each.startsWith(`${out}/`)) list.delete(each)
  }
  return list
}

interface PlanLine {
  readonly kind: string
  readonly source: string
  readonly sha256: string
}

function listOfPlan(plan: string): FileList {
  const list: FileList = new Map()
  for (const volume of readdirSync(join(plan, 'volumes'))) {
    const lines = readFileSync(join(plan, 'volumes', volume, 'entries.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
    for (const line of lines) {
      const { kind, source, sha256 } = JSON.parse(line) as PlanLine
      if (kind === 'file') list.set(bytesOf(source), sha256)
    }
  }
  return list
}

const sorted = (list: FileList): [string, Content][] =>
  [...list].toSorted(([one], [other]) => (one < other ? -1 : 1))

it.each(SOURCES)(
  'rules give the same files in the window, the listing, the plan, its volumes and a restore: $name',
  async ({ roots, make, options, rules, keeps }) => {
    make()
    const places = roots.map((root) => join(folder, root))
    const isSole = places.length === 1
    const all: FileList = new Map()
    /** As volumes name them: below the source, or below its name where there are several. */
    const expectedBelow: FileList = new Map()
    for (const place of places)
      for (const [path, digest] of filesBelow(place)) {
        all.set(`${place}/${path}`, digest)
        if (keeps(path)) expectedBelow.set(isSole ? path : `${basename(place)}/${path}`, digest)
      }
    const expected: FileList = new Map(
      [...expectedBelow].map(([path, digest]) => [`${isSole ? places[0] : folder}/${path}`, digest]),
    )
    expect(expected.size).toBeGreaterThan(0)
    expect(expected.size).toBeLessThan(all.size)

    expect(sorted(await complementOfExcluded(places, options, all))).toEqual(sorted(expected))
    const sizes = [...expected.keys()].map((path): [string, number] => [
      path,
      lstatSync(Buffer.from(path, 'latin1')).size,
    ])
    const shown = await listOfWindow(places, rules)
    expect(sorted(shown)).toEqual(sorted(new Map(sizes)))

    const plan = join(folder, 'plan')
    await done('plan', ...places, ...options, '--medium', 'disk', '--out', plan)
    expect(sorted(listOfPlan(plan))).toEqual(sorted(expected))
    await done('build', plan)
    const volume = join(plan, 'folders', '01')
    const own = readdirSync(volume).find((name) => existsSync(join(volume, name, 'RESTORE.sh')))
    expect(sorted(filesBelow(volume, (name) => name === own))).toEqual(sorted(expectedBelow))
    const target = join(folder, 'target')
    await done('restore', plan, '--to', target)
    expect(sorted(filesBelow(target))).toEqual(sorted(expectedBelow))
  },
)
