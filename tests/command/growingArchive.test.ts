import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { PlanDocument } from '../../src/contract/dto/plan'
import type { Growth } from '../../src/domain/sets/growing/growth'
import { OpenedSets } from '../../src/engine/sets/restore/openedSets'
import { seededRandom } from '../../src/primitives/seededRandom'
import { type Bench, openBench, temporaryFolder } from '../support/archiveRun'
import { damagedCopy, partsOf } from '../support/damagedImage'
import { expectEachGeneration } from '../support/eachGeneration'
import { LivingSource } from '../support/livingSource'
import { noNotes } from '../support/noNotes'
import { runRestore } from '../support/restoreRun'
import { type TreeFact, treeContents, treeFacts } from '../support/treeFacts'

const folder = temporaryFolder('growing')
afterAll(() => folder.dispose())

const SOURCES = 10
const GENERATIONS = 5
const MEDIA = ['custom:1MB', 'folder:1MB'] as const

interface Grown {
  readonly bench: Bench
  readonly plans: readonly PlanDocument[]
  readonly folders: readonly string[]
  /** The source at each generation. */
  readonly states: readonly Record<string, TreeFact>[]
  readonly source: string
}

async function grown(seed: number): Promise<Grown> {
  const place = join(folder.path, `archive ${seed}`)
  const source = new LivingSource(join(place, 'source'), seed, 1_300_000)
  const bench = openBench(join(place, 'data'))
  const plans: PlanDocument[] = []
  const folders: string[] = []
  const states: Record<string, TreeFact>[] = []
  for (let generation = 1; generation <= GENERATIONS; generation++) {
    if (generation > 1) source.grow()
    states.push(treeFacts(source.path))
    const before = plans.at(-1)
    const made = await bench.plan(await bench.survey([source.path]), MEDIA[seed % 2] ?? '', {
      labelPrefix: 'PHOTOS',
      recipe: seed % 2 === 0 ? 'plain-hardlinks' : 'plain',
      ...(before && { addTo: before.id }),
    })
    const directory = join(place, `plan ${generation}`)
    await bench.export(made.id, directory)
    const { error } = await bench.build(directory)
    expect(error).toBeNull()
    plans.push(made)
    folders.push(directory)
  }
  return { bench, plans, folders, states, source: source.path }
}

const volumesIn = (directory: string): string[] =>
  ['images', 'folders']
    .map((name) => join(directory, name))
    .filter((path) => existsSync(path))
    .flatMap((path) => readdirSync(path).map((name) => join(path, name)))
    .toSorted()

/** One source for each medium is for every change; all others are long. */
const SEEDS = Array.from({ length: SOURCES }, (_, seed) => seed)

describe.each(SEEDS)('growing source %i', (seed) => {
  const tags = seed < MEDIA.length ? [] : ['long']
  test('comes back as it was in each generation, and no content is on two volumes', { tags }, async () => {
    const archive = await grown(seed)
    const { bench, plans, folders, states } = archive
    const volumes = folders.flatMap(volumesIn)
    const opened = await expectEachGeneration(bench, { volumes, folder: folder.path }, states)
    for (const { generations } of opened)
      expect(generations).toEqual(
        plans.map(({ createdWallMs }, before) => ({ generation: before + 1, createdWallMs })),
      )
    const holders = new Map<string, Set<string>>()
    for (const plan of plans)
      for (const { index, label } of plan.volumes)
        for (const entry of bench.catalog.planEntries(plan.id, index))
          if (entry.kind === 'file' && entry.bytes > 0)
            holders.set(entry.sha256, (holders.get(entry.sha256) ?? new Set()).add(label))
    expect([...holders].filter(([, labels]) => labels.size > 1)).toEqual([])
    const labels = plans.flatMap((plan) => plan.volumes.map(({ label }) => label))
    expect(labels).toEqual(labels.map((_, at) => `PHOTOS_${String(at + 1).padStart(2, '0')}`))
    for (const [at, plan] of plans.entries()) {
      const files = Object.values(states[at] ?? {}).filter(({ kind }) => kind === 'file').length
      if (plan.growth) expect(filesNow(plan.growth)).toBe(files)
    }
    if (MEDIA[seed % 2] === 'folder:1MB') {
      const to = join(folder.path, `by script ${seed}`)
      execFileSync('sh', [join(volumes.at(-1) ?? '', 'STOWAGE/RESTORE.sh'), to, ...volumes], {
        stdio: 'pipe',
      })
      expect(treeFacts(to)).toEqual(states.at(-1))
      rmSync(to, { recursive: true })
    }
    await expectRebuilt(archive)
    bench.close()
  })
})

/** Every name that a source has now. */
function filesNow({ unchanged, new: added, changed, moved, copied }: Growth): number {
  return [unchanged, added, changed, moved, copied].reduce((sum, { files }) => sum + files, 0)
}

/** The second volume is deleted and built again, from the source as it was then: it is the same. */
async function expectRebuilt({ bench, folders, source }: Grown): Promise<void> {
  const volumes = folders.flatMap(volumesIn)
  const second = volumes[1] ?? ''
  const at = folders.findIndex((one) => second.startsWith(`${one}/`))
  rmSync(source, { recursive: true })
  const { error } = await runRestore({ volumes, to: source, asOf: String(at + 1) })
  expect(error).toBeNull()
  const before = contentOf(second)
  rmSync(second, { recursive: true })
  const built = await bench.build(folders[at] ?? '')
  expect(built.error).toBeNull()
  expect(contentOf(second)).toEqual(before)
}

const contentOf = (volume: string): unknown =>
  lstatSync(volume).isDirectory()
    ? treeContents(volume)
    : createHash('sha256').update(readFileSync(volume)).digest('hex')

describe('an archive that grows', () => {
  const place = join(folder.path, 'small')
  const source = join(place, 'source')
  const put = (name: string, bytes: number, letter: string): void => {
    mkdirSync(dirname(join(source, name)), { recursive: true })
    writeFileSync(join(source, name), Buffer.alloc(bytes, letter))
  }
  let bench: Bench
  beforeAll(() => {
    bench = openBench(join(place, 'data'))
  })
  beforeEach(() => {
    for (const each of readdirSync(place)) if (each !== 'data') rmSync(join(place, each), { recursive: true })
    put('a/1', 300_000, 'a')
    put('a/2', 300_000, 'b')
  })
  afterAll(() => bench.close())

  const planned = async (name: string, more: Parameters<Bench['plan']>[2] = {}): Promise<PlanDocument> => {
    const made = await bench.plan(await bench.survey([source]), 'custom:1MB', { labelPrefix: 'A', ...more })
    await bench.export(made.id, join(place, name))
    return made
  }
  const made = async (name: string, more: Parameters<Bench['plan']>[2] = {}): Promise<PlanDocument> => {
    const plan = await planned(name, more)
    expect((await bench.build(join(place, name))).error).toBeNull()
    return plan
  }

  test('says what is new, changed, moved, copied and deleted, and what a full restore reads', async () => {
    const first = await made('1')
    put('b', 5, 'n')
    put('a/2', 200_000, 'c')
    renameSync(join(source, 'a/1'), join(source, 'renamed'))
    const second = await planned('2', { addToFolder: join(place, '1') })
    expect(second).toMatchObject({
      addsTo: [{ generation: 1, planId: first.id, volumes: [{ label: 'A_01' }, { label: 'A_02' }] }],
      growth: {
        new: { files: 1, bytes: 5 },
        changed: { files: 1, bytes: 200_000 },
        moved: { files: 1, bytes: 300_000 },
        copied: { files: 0 },
        deleted: { files: 0 },
        unchanged: { files: 0 },
        stored: { files: 2, bytes: 200_005 },
        restoreVolumes: 2,
      },
    })
    expect(second.volumes.map(({ label }) => label)).toEqual(['A_03'])
    expect(bench.catalog.find('renamed', 10)).toMatchObject([
      { volume: { label: 'A_01', needs: ['A_01', 'A_03'] } },
    ])
  })

  test('is added to by the catalog alone, where the folder of the plan is gone', async () => {
    const first = await made('1')
    cpSync(join(place, '1/images'), join(place, 'discs'), { recursive: true })
    rmSync(join(place, '1'), { recursive: true })
    put('b', 5, 'n')
    await made('2', { addTo: first.id })
    const discs = [...volumesAt(join(place, 'discs')), ...volumesIn(join(place, '2'))]
    const { document, error } = await runRestore({ volumes: discs, to: join(place, 'to') })
    expect([error, document.outcome]).toEqual([null, 'done'])
    expect(treeFacts(join(place, 'to'))).toEqual(treeFacts(source))
  })

  test('notes a volume whose last verification failed, and another plan that adds to the same one', async () => {
    const first = await made('1')
    const image = join(place, '1/images/01.iso')
    const { content } = partsOf(image)
    damagedCopy(image, image, content.slice(0, 100), seededRandom(1))
    expect((await bench.verify(join(place, '1'))).error).not.toBeNull()
    put('b', 5, 'n')
    const second = await made('2', { addTo: first.id })
    expect(second.problems).toMatchObject([
      { code: 'earlier-failed', message: expect.stringContaining('A_01') },
    ])
    const again = await planned('2b', { addTo: first.id })
    expect(again.problems.map(({ code }) => code)).toEqual(['earlier-failed', 'added-before'])
    expect(again.problems[1]?.message).toContain(second.id)
  })

  test('opens as one set to choose from, with the volumes that a choice needs', async () => {
    const first = await made('1')
    renameSync(join(source, 'a/1'), join(source, 'moved'))
    put('b', 5, 'n')
    const second = await made('2', { addTo: first.id })
    const sets = new OpenedSets({ notes: noNotes, catalog: bench.catalog })
    const opened = await sets.open({ volumes: [join(place, '1'), join(place, '2')], password: null })
    expect(opened).toMatchObject({ files: 3, bytes: 600_005, damaged: [] })
    expect(opened.volumes.map(({ label, atHand }) => [label, atHand])).toEqual([
      ['A_01', true],
      ['A_02', true],
      [second.volumes[0]?.label, true],
    ])
    const needed = sets.needs({ id: opened.id, chosen: { paths: ['moved'], except: [] } })
    expect(needed).toMatchObject({ files: 1, volumes: [{ label: 'A_01' }], seconds: null })
    sets.closeAll()
  })

  test('takes pins of kept files for done, and places new ones', async () => {
    const first = await made('1')
    put('b', 5, 'n')
    put('c', 5, 'm')
    const pins = [
      { path: 'a/1', volume: 1 },
      { path: 'b', volume: 2 },
    ]
    const second = await planned('2', { addTo: first.id, placement: { pins, order: 'name' } })
    const paths = second.volumes.map(({ index }) =>
      [...bench.catalog.planEntries(second.id, index)].map(({ path }) => path),
    )
    expect(paths).toEqual([['c'], ['b']])
  })

  test('names the volumes that are missing by their labels, and those alone that hold something', async () => {
    const first = await made('1')
    rmSync(join(source, 'a/2'))
    put('b', 5, 'n')
    await made('2', { addTo: first.id })
    const { document } = await runRestore({ volumes: [join(place, '2')], to: join(place, 'to') })
    expect(document).toMatchObject({ outcome: 'incomplete', restored: 1 })
    expect(document.volumesNeeded.map(({ label }) => label)).toEqual(['A_01'])
  })

  test('plans what is on a volume that was never made again, and refuses a plan of which none was', async () => {
    const first = await planned('1')
    await expect(planned('2', { addTo: first.id })).rejects.toMatchObject({ code: 'refused' })
    expect((await bench.build(join(place, '1'), { volumes: [1] })).error).toBeNull()
    const second = await planned('2', { addTo: first.id })
    expect(second.growth).toMatchObject({ stored: { files: 1, bytes: 300_000 }, unchanged: { files: 2 } })
    expect(second.problems).toMatchObject([{ code: 'not-made', message: expect.stringContaining('A_02') }])
  })

  test('refuses discs of another set, a generation that they do not list, and a plan without anything new', async () => {
    const first = await made('1')
    await expect(planned('2', { addTo: first.id })).rejects.toMatchObject({ code: 'nothing-to-do' })
    put('b', 5, 'n')
    await made('2', { addTo: first.id })
    await made('other')
    const volumes = [join(place, '2'), join(place, 'other')]
    const to = join(place, 'to')
    await expect(runRestore({ volumes, to })).rejects.toMatchObject({ code: 'refused' })
    await expect(runRestore({ volumes: [join(place, '2')], to, asOf: '3' })).rejects.toMatchObject({
      code: 'refused',
    })
    const before = runRestore({ volumes: [join(place, '2')], to, asOf: '2001-01-01' })
    await expect(before).rejects.toMatchObject({ code: 'refused' })
  })

  test('is restored from volumes with damaged folders by the sectors in the newest index', async () => {
    const first = await made('1')
    renameSync(join(source, 'a/1'), join(source, 'moved'))
    put('b', 5, 'n')
    await made('2', { addTo: first.id })
    const image = join(place, '1/images/01.iso')
    const damaged = join(place, 'damaged.iso')
    const { isoFolders, udfFolders } = partsOf(image)
    damagedCopy(image, damaged, [...isoFolders, ...udfFolders], seededRandom(1))
    const volumes = [damaged, join(place, '1/images/02.iso'), join(place, '2')]
    const { document } = await runRestore({ volumes, to: join(place, 'to') })
    expect(document).toMatchObject({ restored: 3, damaged: [], missing: [] })
    expect(treeFacts(join(place, 'to')).moved).toEqual(treeFacts(source).moved)
  })
})

const volumesAt = (path: string): string[] => readdirSync(path).map((name) => join(path, name))
