import { describe, expect, it } from 'vitest'
import { Session } from '../../../renderer/src/app/session'
import { tileFolder, tilesWithin } from '../../../renderer/src/charts/folderTiles'
import { initialJobs, reduceJobs, shownJobs } from '../../../renderer/src/state/jobs'
import { initialKept, isOut, reduceKept } from '../../../renderer/src/state/source/keptState'
import {
  foldersAbove,
  isLeftOut,
  leaveOut,
  movedUp,
  placeOf,
  takeBack,
} from '../../../renderer/src/state/source/leaveOut'
import { countOf, effectOf, ruleGroups } from '../../../renderer/src/state/source/ruleWords'
import { samePaths } from '../../../renderer/src/state/source/sourcesState'
import { parentOf, treeRows } from '../../../renderer/src/steps/source/kept/treeRows'
import type { JobProgress } from '../../../src/contract/dto/job'
import {
  type Excluded,
  NO_RULES,
  type Rules,
  type SourceFolder,
  type SourceRow,
  type WalkDocument,
} from '../../../src/contract/dto/survey'
import { FakeEngine } from '../../fixtures/fakeEngine/fakeEngine'

const rulesOf = (...patterns: string[]): Rules => ({ ...NO_RULES, patterns })
const FOLDER = { below: 'a/b', isFolder: true }

function row(path: string, changes: Partial<SourceRow> = {}): SourceRow {
  const name = path.split('/').at(-1) ?? ''
  return {
    path,
    name,
    isFolder: true,
    files: 1,
    bytes: 10,
    excludedFiles: 0,
    excludedBytes: 0,
    rule: null,
    classes: [],
    years: null,
    ...changes,
  }
}

const NONE: SourceFolder['others'] = {
  files: 0,
  bytes: 0,
  excludedFiles: 0,
  excludedBytes: 0,
  classes: [],
  years: null,
}
const folder = (rows: SourceRow[], others = NONE): SourceFolder => ({ rows, others, classes: [], years: [] })

const EXCLUDED: Excluded = {
  files: 5,
  bytes: 50,
  folders: 3,
  counted: true,
  rules: [
    { from: 'given', pattern: '*.tmp', files: 2, bytes: 20, folders: 0 },
    {
      from: 'preset',
      preset: 'trash',
      pattern: '.Trash/',
      files: 0,
      bytes: 0,
      folders: 1,
      folderFiles: 1,
      folderBytes: 10,
    },
    {
      from: 'preset',
      preset: 'trash',
      pattern: '.Trashes/',
      files: 0,
      bytes: 0,
      folders: 2,
      folderFiles: 2,
      folderBytes: 20,
    },
  ],
  paths: [],
  unused: ['*.bak', '!x'],
  faults: [],
}

const DOCUMENT: WalkDocument = {
  schema: 'stowage.walk/1',
  id: 'w1',
  roots: ['/s'],
  rules: rulesOf('*.tmp', '*.bak', '!x', '!y'),
  totals: { files: 10, bytes: 100, folders: 3, symlinks: 0, hardLinks: 0, special: 0, skipped: 0 },
  excluded: EXCLUDED,
  presets: [],
  skipped: [],
  elapsedMs: 1,
}

describe('leaving out', () => {
  it('adds exactly the pattern of the place, once and as the last', () => {
    expect(leaveOut(rulesOf('*.tmp'), FOLDER).patterns).toEqual(['*.tmp', '/a/b/'])
    expect(leaveOut(rulesOf('/a/b/', '*.tmp'), FOLDER).patterns).toEqual(['*.tmp', '/a/b/'])
    expect(leaveOut(NO_RULES, { below: 'x [1]*.jpg', isFolder: false }).patterns).toEqual([
      String.raw`/x \[1]\*.jpg`,
    ])
  })

  it('drops rules that keep the place or something in it, which the engine would refuse', () => {
    const rules = rulesOf('!/a/b/', '!/a/b/c.jpg', '!a/b/d', '!/a/bc', '!*.jpg')
    expect(leaveOut(rules, FOLDER).patterns).toEqual(['!/a/bc', '!*.jpg', '/a/b/'])
  })

  it('is taken back by removing its own pattern, or by one that keeps where another rule does it', () => {
    expect(takeBack(rulesOf('/a/b/', '*.tmp'), FOLDER).patterns).toEqual(['*.tmp'])
    expect(takeBack(rulesOf('!/a/b/', 'b/'), FOLDER).patterns).toEqual(['b/', '!/a/b/'])
  })

  it('is known before the next walk', () => {
    const walked = rulesOf('/a/b/')
    expect(isLeftOut(FOLDER, true, walked, NO_RULES)).toBe(false)
    expect(isLeftOut(FOLDER, false, NO_RULES, walked)).toBe(true)
    expect(isLeftOut(FOLDER, true, NO_RULES, rulesOf('!/a/b/'))).toBe(false)
    expect(isLeftOut(FOLDER, true, NO_RULES, rulesOf('*.tmp'))).toBe(true)
    expect(isLeftOut(null, false, NO_RULES, walked)).toBe(false)
  })

  it('finds places in their sources', () => {
    expect(placeOf('/s/a/b', true, ['/r', '/s'])).toEqual(FOLDER)
    expect(placeOf('/a/b', true, ['/'])).toEqual(FOLDER)
    expect(placeOf('/s', true, ['/s'])).toBeNull()
    expect(foldersAbove('/s/a/b/c', ['/s'])).toEqual(['/s/a', '/s/a/b'])
    expect(foldersAbove('/s/a', ['/s'])).toEqual([])
  })

  it('moves a pattern up by one', () => {
    expect(movedUp(['a', 'b', 'c'], 2)).toEqual(['a', 'c', 'b'])
    expect(movedUp(['a', 'b'], 0)).toEqual(['a', 'b'])
  })
})

describe('the lines of the tree', () => {
  const folders = new Map<string | null, SourceFolder>([
    [null, folder([row('/s')])],
    [
      '/s',
      folder([row('/s/a'), row('/s/b', { rule: 0 }), row('/s/c.jpg', { isFolder: false })], {
        ...NONE,
        files: 3,
      }),
    ],
  ])

  it('are those of open folders; what is left out as a whole does not open', () => {
    const lines = treeRows(folders, new Set(['/s', '/s/a', '/s/b']), new Set())
    expect(lines.map(({ key, level }) => [key, level])).toEqual([
      ['/s', 1],
      ['/s/a', 2],
      ['/s/a\0loading', 3],
      ['/s/b', 2],
      ['/s/c.jpg', 2],
      ['/s\0others', 2],
    ])
    expect([0, 1, 2, 5].map((index) => parentOf(lines, index))).toEqual([-1, 0, 1, 0])
  })

  it('has no folder to open where the source is a file', () => {
    expect(treeRows(folders, new Set(['/s']), new Set(['/s']))).toHaveLength(1)
  })
})

describe('the words of rules', () => {
  it('take the patterns of a preset as one rule', () => {
    expect(
      ruleGroups(EXCLUDED).map(({ text, files, bytes, folders }) => [text, files, bytes, folders]),
    ).toEqual([
      ['*.tmp', 2, 20, 0],
      ['Wastebaskets', 3, 30, 3],
    ])
  })

  it('know the effect of a pattern once a walk asked it', () => {
    const effect = (pattern: string) => effectOf(pattern, DOCUMENT.rules, EXCLUDED)
    expect(effect('*.tmp')).toMatchObject({ files: 2 })
    expect(['*.bak', '!x', '!y', '*.new'].map(effect)).toEqual(['none', 'keepsNone', 'keeps', null])
  })

  it('count what a person has set', () => {
    expect(countOf(NO_RULES)).toBe(0)
    expect(
      countOf({
        ...rulesOf('a', 'b'),
        presets: ['trash'],
        caches: true,
        largerThanBytes: 1,
        oneFileSystem: true,
      }),
    ).toBe(6)
  })
})

describe('the map of a folder', () => {
  it('gives each row its area, and those that are too small one together', () => {
    const tiles = tileFolder(
      folder(
        [
          row('/s/a', { bytes: 900_000 }),
          row('/s/b', { bytes: 0, excludedBytes: 99_000, rule: 0 }),
          row('/s/c', { bytes: 100 }),
        ],
        {
          ...NONE,
          files: 7,
          bytes: 900,
        },
      ),
      1000,
      100,
    )
    expect(tiles.map(({ row: each, bytes, files }) => [each?.path ?? null, bytes, files])).toEqual([
      ['/s/a', 900_000, 1],
      ['/s/b', 99_000, 1],
      [null, 1000, 8],
    ])
    const areas = tiles.map(({ rect }) => rect.width * rect.height)
    expect(areas[0]).toBeCloseTo(90_000, 0)
    expect(tileFolder(folder([]), 100, 100)).toEqual([])
  })

  it('places what is in a folder within its tile, below its name, where there is room', () => {
    const inside = folder([row('/s/a/b', { bytes: 300 }), row('/s/a/c', { bytes: 100 })])
    const frame = { x: 40, y: 10, width: 200, height: 120 }
    const tiles = tilesWithin(inside, frame)
    expect(tiles.map(({ row: each }) => each?.path)).toEqual(['/s/a/b', '/s/a/c'])
    const [one, other] = tiles.map(({ rect }) => rect.width * rect.height)
    expect((one ?? 0) / (other ?? 1)).toBeCloseTo(3, 5)
    for (const { rect } of tiles) {
      expect(rect.x).toBeGreaterThan(frame.x)
      expect(rect.y).toBeGreaterThan(frame.y + 31)
      expect(rect.x + rect.width).toBeLessThan(frame.x + frame.width)
      expect(rect.y + rect.height).toBeLessThan(frame.y + frame.height)
    }
    expect(tilesWithin(inside, { ...frame, height: 50 })).toEqual([])
    expect(tilesWithin(inside, { ...frame, width: 20 })).toEqual([])
  })
})

describe('the state of what is kept', () => {
  const folders = new Map([
    [null, folder([row('/s')])],
    ['/s', folder([row('/s/a')])],
  ])
  const walked = reduceKept(initialKept, {
    type: 'walked',
    document: DOCUMENT,
    folders,
    open: new Set(['/s']),
  })

  it('shows the only source in the map at first', () => {
    expect(walked).toMatchObject({ at: '/s', status: 'idle' })
  })

  it('drops a folder of an earlier walk', () => {
    expect(reduceKept(walked, { type: 'folder', walkId: 'w0', path: '/s/a', folder: folder([]) })).toBe(
      walked,
    )
  })

  it('goes with its rules when there are no sources', () => {
    const ruled = reduceKept(walked, { type: 'rules', rules: rulesOf('/a/') })
    expect(isOut(ruled, row('/s/a'))).toBe(true)
    const cleared = reduceKept(ruled, { type: 'cleared' })
    expect(cleared).toEqual({ ...initialKept, rules: rulesOf('/a/') })
    expect(isOut(cleared, row('/s/a'))).toBe(false)
  })
})

it('a walk is in the strip only where nothing else runs and it takes long', () => {
  const started = (['walk', 'survey'] as const).reduce(
    (jobs, kind) => reduceJobs(jobs, { type: 'started', jobId: kind, kind }),
    initialJobs,
  )
  expect(shownJobs(started).map(({ kind }) => kind)).toEqual(['survey'])
  const walk = reduceJobs(initialJobs, { type: 'started', jobId: 'walk', kind: 'walk' })
  expect(shownJobs(walk)).toEqual([])
  const progress = { jobId: 'walk', kind: 'walk', elapsedMs: 1000 } as JobProgress
  expect(shownJobs(reduceJobs(walk, { type: 'progress', progress }))).toHaveLength(1)
})

it('a survey is asked for with the rules, and without them where they are the usual ones', async () => {
  const engine = new FakeEngine()
  const session = new Session(engine.api)
  session.sources.store.dispatch({ type: 'added', sources: [{ path: '/a', kind: 'folder', name: 'a' }] })
  await session.survey.start()
  session.jobs.dispatch({ type: 'lost' })
  session.kept.store.dispatch({ type: 'rules', rules: rulesOf('*.tmp') })
  await session.survey.start()
  expect(
    engine.callsOf('survey.start').map((request) => (request as { rules?: Rules }).rules?.patterns),
  ).toEqual([undefined, ['*.tmp']])
})

describe('the tree after a walk', () => {
  const walked = (rows: SourceRow[]) =>
    ({
      type: 'walked',
      document: DOCUMENT,
      folders: new Map([[null, folder(rows)]]),
      open: new Set<string>(),
    }) as const

  it('keeps the picked row while it is there', () => {
    const picked = reduceKept(reduceKept(initialKept, walked([row('/s/a')])), {
      type: 'picked',
      path: '/s/a',
    })
    expect(reduceKept(picked, walked([row('/s/a'), row('/s/b')])).picked).toBe('/s/a')
    expect(reduceKept(picked, walked([row('/s/b')])).picked).toBeNull()
  })

  it.each([
    [{ files: 0, excludedFiles: 3 }, 1],
    [{ files: 3, excludedFiles: 0 }, 1],
    [{ files: 0, excludedFiles: 0 }, 0],
  ])('has a line for files without one of their own, also where all are left out: %j', (others, lines) => {
    const rows = treeRows(new Map([[null, folder([], { ...NONE, ...others })]]), new Set(), new Set())
    expect(rows.filter(({ kind }) => kind === 'others')).toHaveLength(lines)
  })
})

it.each([
  [['/a'], ['/a', '/b'], false],
  [['/a', '/b'], ['/a'], false],
  [['/a', '/b'], ['/b', '/a'], true],
  [['/a', '/a'], ['/a'], true],
])('the sources %j and %j are the same: %s', (one, other, areSame) => {
  expect(samePaths(one, other)).toBe(areSame)
})
