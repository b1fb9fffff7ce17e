import { execFileSync } from 'node:child_process'
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { PlanDocument, PlanEntry } from '../../src/contract/dto/plan'
import { currentPlan, packedMembers } from '../../src/engine/sets/volume/planned/currentPlan'
import { openPlanFolder } from '../../src/engine/sets/volume/planned/planFolder'
import { requireTool } from '../../src/engine/tools/externalTool'
import { sevenZip } from '../../src/engine/tools/sevenZip'
import { seededRandom } from '../../src/primitives/seededRandom'
import { type Bench, openBench, temporaryFolder } from '../support/archiveRun'
import { expectEachGeneration } from '../support/eachGeneration'
import { LivingSource } from '../support/livingSource'
import { runRestore } from '../support/restoreRun'
import { type TreeFact, treeFacts } from '../support/treeFacts'

const folder = temporaryFolder('growing-packed')
/** With 7-Zip under the name by which scripts look for it. */
const programs = join(folder.path, 'programs')
beforeAll(async () => {
  mkdirSync(programs)
  symlinkSync((await requireTool(sevenZip)).path, join(programs, '7zz'))
})
afterAll(() => folder.dispose())

/** The folders of containers that are added, which do not show what is in them. */
const ADDED = /\badded-\d\//g

interface Archive {
  readonly medium: string
  /** The recipe of each generation. */
  readonly recipes: readonly string[]
  readonly stream: boolean
  /** The password of an archive that is encrypted. */
  readonly secret?: string
}

const ARCHIVES: readonly Archive[] = [
  { medium: 'custom:1MB', recipes: ['7z-files', 'plain', 'plain'], stream: false },
  { medium: 'folder:1MB', recipes: ['tar-zst-19-1m-path', 'plain', 'plain'], stream: false },
  { medium: 'custom:1MB', recipes: ['files-zstd-3', 'plain'], stream: false },
  { medium: 'folder:1MB', recipes: ['7z-files', 'plain', 'plain'], stream: true },
  { medium: 'folder:1MB', recipes: ['7z-files', '7z-files', '7z-files'], stream: false, secret: 'tea & 7' },
  { medium: 'custom:1MB', recipes: ['7z-files', '7z-files'], stream: true, secret: 'tea & 7' },
  { medium: 'custom:1MB', recipes: ['7z-files', '7z-files', 'plain'], stream: false },
  { medium: 'folder:1MB', recipes: ['plain', 'tar-zst-19-1m-path', 'squashfs-lz4-128k'], stream: false },
  { medium: 'folder:1MB', recipes: ['files-zstd-3', '7z-files', '7z-files'], stream: true },
  { medium: 'custom:1MB', recipes: ['files-zstd-3', 'files-zstd-3', '7z-titles', 'plain'], stream: false },
  { medium: 'folder:1MB', recipes: ['7z-titles', '7z-titles', '7z-titles'], stream: false },
  {
    medium: 'folder:1MB',
    recipes: ['7z-groups', '7z-groups', '7z-titles'],
    stream: false,
    secret: 'tea & 7',
  },
]

interface Grown {
  readonly bench: Bench
  readonly plans: readonly PlanDocument[]
  readonly folders: readonly string[]
  /** The source at each generation. */
  readonly states: readonly Record<string, TreeFact>[]
}

async function grown(seed: number): Promise<Grown> {
  const { medium, recipes, stream, secret } = ARCHIVES[seed] as Archive
  const place = join(folder.path, `archive ${seed}`)
  const source = new LivingSource(join(place, 'source'), seed)
  const bench = openBench(join(place, 'data'))
  const plans: PlanDocument[] = []
  const folders: string[] = []
  const states: Record<string, TreeFact>[] = []
  for (const [at, recipe] of recipes.entries()) {
    if (at > 0) source.grow()
    states.push(treeFacts(source.path))
    const before = plans.at(-1)
    const made = await bench.plan(
      await bench.survey([source.path], { samples: 'fast', full: recipe.startsWith('7z-') }),
      medium,
      {
        labelPrefix: 'PHOTOS',
        recipe,
        ...(secret !== undefined && { encryption: 'aes-256' }),
        ...(before && { addTo: before.id }),
      },
    )
    const directory = join(place, `plan ${at + 1}`)
    await bench.export(made.id, directory)
    const password = (): { password?: Uint8Array } =>
      secret === undefined ? {} : { password: Buffer.from(secret) }
    const { error } = await bench.build(directory, { stream: stream && recipe !== 'plain', ...password() })
    expect(error).toBeNull()
    expect((await bench.verify(directory, password())).error).toBeNull()
    plans.push(bench.catalog.plan(made.id))
    folders.push(directory)
  }
  return { bench, plans, folders, states }
}

const volumesIn = (directory: string): string[] =>
  ['images', 'folders']
    .map((name) => join(directory, name))
    .filter((path) => existsSync(path))
    .flatMap((path) => readdirSync(path).map((name) => join(path, name)))
    .toSorted()

/** The files of the source on the volumes of a plan. */
async function contentsOf(bench: Bench, plan: PlanDocument, directory: string): Promise<PlanEntry[]> {
  const current = await currentPlan(await openPlanFolder(directory))
  if (current.plan.packing) return packedMembers(current)
  return plan.volumes.flatMap(({ index }) => [...bench.catalog.planEntries(plan.id, index)])
}

describe.each(
  ARCHIVES.map(({ medium, recipes, secret }, seed) => {
    const kinds = recipes.join(', then ')
    return [secret === undefined ? kinds : `${kinds}, encrypted`, medium, seed, secret] as const
  }),
)('an archive of %s on %s', (_recipes, medium, seed, secret) => {
  test('comes back as it was in each generation, and no content is in two of them', {
    tags: 'long',
  }, async () => {
    const { bench, plans, folders, states } = await grown(seed)
    const volumes = folders.flatMap(volumesIn)
    await expectEachGeneration(bench, { volumes, folder: folder.path, secret: secret ?? null }, states)
    const holders = new Map<string, Set<number>>()
    for (const [at, plan] of plans.entries())
      for (const entry of await contentsOf(bench, plan, folders[at] ?? ''))
        if (entry.kind === 'file' && entry.bytes > 0)
          holders.set(entry.sha256, (holders.get(entry.sha256) ?? new Set()).add(at))
    expect([...holders].filter(([, generations]) => generations.size > 1)).toEqual([])
    expect(holders.size).toBeGreaterThan(25)
    if (medium.startsWith('folder:')) {
      const to = join(folder.path, `by script ${seed}`)
      const script = join(volumes.at(-1) ?? '', 'STOWAGE/RESTORE.sh')
      const env = { ...process.env, PATH: `${programs}:${process.env['PATH']}` }
      if (secret !== undefined)
        for (const volume of volumes)
          expect(readFileSync(join(volume, 'STOWAGE/INDEX.tsv'), 'utf8').replaceAll(ADDED, '')).not.toContain(
            '/',
          )
      execFileSync('sh', [script, to, ...volumes], { stdio: 'pipe', env, input: `${secret ?? ''}\n` })
      expect(treeFacts(to)).toEqual(states.at(-1))
      rmSync(to, { recursive: true })
    }
    bench.close()
  })
})

/** More than one volume holds. */
const FILES = 6

describe('a packed archive that grows', () => {
  const place = join(folder.path, 'small')
  const source = join(place, 'source')
  const to = join(place, 'to')
  let bench: Bench
  beforeEach(() => {
    rmSync(place, { recursive: true, force: true })
    mkdirSync(source, { recursive: true })
    bench = openBench(join(place, 'data'))
  })
  afterEach(() => bench.close())

  const put = (name: string, bytes: number): void => {
    const content = Buffer.alloc(bytes)
    seededRandom(bytes).fillBytes(content)
    writeFileSync(join(source, name), content)
  }
  const planned = async (name: string, more: Parameters<Bench['plan']>[2]): Promise<PlanDocument> => {
    const survey = await bench.survey([source], { samples: 'fast' })
    const made = await bench.plan(survey, 'custom:1MB', { labelPrefix: 'A', ...more })
    await bench.export(made.id, join(place, name))
    return made
  }

  test('gives a file back by the further name that it had in the archive', async () => {
    put('a', 300_000)
    linkSync(join(source, 'a'), join(source, 'b'))
    const first = await planned('1', { recipe: '7z-files' })
    expect((await bench.build(join(place, '1'))).error).toBeNull()
    rmSync(join(source, 'a'))
    put('c', 5)
    const second = await planned('2', { addTo: first.id })
    expect(second.growth).toMatchObject({ stored: { files: 1, bytes: 5 } })
    expect((await bench.build(join(place, '2'))).error).toBeNull()
    const { document, error } = await runRestore({ volumes: [join(place, '1'), join(place, '2')], to })
    expect([error, document.outcome]).toEqual([null, 'done'])
    expect(treeFacts(to)).toEqual(treeFacts(source))
  })

  test('plans again what is in archives that were never built, and names the discs that it needs', {
    tags: 'long',
  }, async () => {
    for (let at = 1; at <= FILES; at++) put(`file ${at}`, 200_000 + at)
    const first = await planned('1', { recipe: '7z-files' })
    expect((await bench.build(join(place, '1'), { volumes: [1] })).error).toBeNull()
    const built = bench.catalog.plan(first.id).volumes
    put('new', 5)
    const second = await planned('2', { addTo: first.id })
    expect(second.problems.map(({ code }) => code)).toContain('not-made')
    expect(second.growth?.stored.files).toBe(FILES - filesOn(bench, first, 1) + 1)
    expect((await bench.build(join(place, '2'))).error).toBeNull()
    const alone = await runRestore({ volumes: [join(place, '2')], to })
    expect(alone.document.volumesNeeded.map(({ label }) => label)).toEqual([built[0]?.label])
    const { document } = await runRestore({ volumes: [join(place, '1'), join(place, '2')], to })
    expect(document.outcome).toBe('done')
    expect(treeFacts(to)).toEqual(treeFacts(source))
  })

  const JOINED = { recipe: '7z-files', joined: true }
  const ENCRYPTED = { recipe: '7z-files', encryption: 'aes-256' as const }
  test.each([
    ['one archive over all volumes', JOINED, {}, 'one archive is cut over all its volumes'],
    ['plain files', {}, JOINED, 'one archive is cut over all its volumes'],
    ['plain files', {}, { recipe: 'squashfs-zstd-3-128k+as-is.jpg' }, 'earlier plans keep files of them'],
    ['plain files', {}, ENCRYPTED, 'the earlier files are not encrypted'],
    ['encrypted archives', ENCRYPTED, {}, 'the earlier files are encrypted'],
  ])('of %s (%j) does not take %j: %s', { tags: 'long' }, async (_what, before, more, because) => {
    put('a', 300_000)
    const first = await planned('1', before)
    const password = before === ENCRYPTED ? { password: Buffer.from('secret') } : {}
    expect((await bench.build(join(place, '1'), password)).error).toBeNull()
    put('b', 5)
    const refused = { code: 'refused', message: expect.stringContaining(because) }
    await expect(planned('2', { addTo: first.id, ...more })).rejects.toMatchObject(refused)
  })

  test('is encrypted with one password, and built with no other', { tags: 'long' }, async () => {
    put('a', 300_000)
    const first = await planned('1', ENCRYPTED)
    const built = (name: string, secret: string): ReturnType<Bench['build']> =>
      bench.build(join(place, name), { password: Buffer.from(secret) })
    expect((await built('1', 'secret')).error).toBeNull()
    renameSync(join(source, 'a'), join(source, 'renamed'))
    await expect(
      planned('names', { addTo: first.id, recordNames: true, ...ENCRYPTED }),
    ).rejects.toMatchObject({
      code: 'nothing-to-do',
      message: expect.stringContaining('no content is new'),
    })
    put('b', 5)
    const second = await planned('2', { addTo: first.id, ...ENCRYPTED })
    expect(second.growth).toMatchObject({ stored: { files: 1, bytes: 5 } })
    await expect(built('2', 'other')).rejects.toMatchObject({ code: 'wrong-password' })
    expect((await built('2', 'secret')).error).toBeNull()
    await expect(planned('3', { addTo: second.id, ...ENCRYPTED })).rejects.toMatchObject({
      code: 'nothing-to-do',
      message: expect.stringContaining('there is nothing to add'),
    })
    rmSync(join(place, '2'), { recursive: true })
    put('c', 6)
    await expect(planned('3', { addTo: second.id, ...ENCRYPTED })).rejects.toMatchObject({
      message: expect.stringContaining('its folder is gone, and its volumes are encrypted'),
    })
  })
})

function filesOn(bench: Bench, plan: PlanDocument, volume: number): number {
  return [...bench.catalog.planEntries(plan.id, volume)].filter(({ kind }) => kind === 'file').length
}
