import { cpSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { OpenedSet, SetRow } from '../../src/contract/dto/openedSet'
import type { PlanDocument } from '../../src/contract/dto/plan'
import { type QueueRequest, queueRequestSchema, type RestoreQueue } from '../../src/contract/dto/restoreQueue'
import { queueOf } from '../../src/engine/sets/queue/queueOf'
import { OpenedSets } from '../../src/engine/sets/restore/openedSets'
import { pathToBytes } from '../../src/primitives/pathText'
import { makeHostileTree } from '../fixtures/hostileTree'
import { type Bench, openBench, temporaryFolder } from '../support/archiveRun'
import { noCatalog } from '../support/noCatalog'
import { noNotes } from '../support/noNotes'
import { packedSet } from '../support/packedSet'
import { runRestore } from '../support/restoreRun'
import { type TreeFact, treeFacts } from '../support/treeFacts'

const folder = temporaryFolder('choose-from-set')
const source = join(folder.path, 'source')
const to = join(folder.path, 'restored')
const planFolder = join(folder.path, 'plan')
/** The images alone, in a folder that is no plan's. */
const discs = join(folder.path, 'discs')
let bench: Bench
let plan: PlanDocument
let wanted: Record<string, TreeFact>
let sets: OpenedSets

beforeAll(async () => {
  makeHostileTree(source, { seed: 21, bigBytes: 5_000_000 })
  wanted = treeFacts(source)
  bench = openBench(join(folder.path, 'data'))
  plan = await bench.plan(await bench.survey([source]), 'custom:3MB')
  await bench.export(plan.id, planFolder)
  const { error } = await bench.build(planFolder)
  expect(error).toBeNull()
  cpSync(join(planFolder, 'images'), discs, { recursive: true })
})
beforeEach(() => {
  rmSync(to, { recursive: true, force: true })
  sets = new OpenedSets({ notes: noNotes, catalog: bench.catalog })
})
afterAll(() => {
  bench.close()
  folder.dispose()
})

const withoutCatalog = (): OpenedSets => new OpenedSets({ notes: noNotes, catalog: noCatalog })

const allDiscs = (): string[] =>
  readdirSync(discs)
    .toSorted()
    .map((name) => join(discs, name))

const open = (volumes: readonly string[], password?: string): Promise<OpenedSet> =>
  sets.open({ volumes: [...volumes], password: password === undefined ? null : Buffer.from(password) })

/** All rows of a set, from the top down. */
function allRows(id: string, at = ''): SetRow[] {
  const { rows } = sets.folder({ id, folder: at, offset: 0, limit: 10_000 })
  return rows.flatMap((row) => (row.kind === 'folder' ? [row].concat(allRows(id, row.path)) : [row]))
}

/** Names as `treeFacts` has them. */
const named = (path: string): string => Buffer.from(pathToBytes(path)).toString('latin1')

function factsOf(paths: readonly string[]): Record<string, TreeFact> {
  const names = new Set(paths.map(named))
  return Object.fromEntries(Object.entries(wanted).filter(([name]) => names.has(name)))
}

function contents(facts: Record<string, TreeFact>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(facts).flatMap(([name, fact]) => (fact.kind === 'file' ? [[name, fact.content]] : [])),
  )
}

/** Restores exactly these paths, and compares each content. */
async function restoresExactly(
  volumes: readonly string[],
  paths: readonly string[],
  password?: string,
): Promise<void> {
  rmSync(to, { recursive: true, force: true })
  const { document, error } = await runRestore({
    volumes: [...volumes],
    to,
    chosen: { paths: [...paths], except: [] },
    password: password === undefined ? null : Buffer.from(password),
  })
  expect(error).toBeNull()
  expect(document).toMatchObject({ outcome: 'done', files: paths.length, restored: paths.length })
  expect(contents(treeFacts(to))).toEqual(contents(factsOf(paths)))
}

let packed: ReturnType<typeof packedSet> | undefined
/** Another set of the same source, packed when it is first asked for. */
const otherSet = (): ReturnType<typeof packedSet> =>
  (packed ??= packedSet('7z-files', source, join(folder.path, 'other set')))

describe('a set of images', () => {
  test.each([
    ['the plan folder', () => [planFolder], () => sets],
    ['the images alone, without any catalog', allDiscs, withoutCatalog],
  ])('shows every folder and file by %s', async (_, volumes, made) => {
    sets = made()
    const opened = await open(volumes())
    const rows = allRows(opened.id)
    expect(new Set(rows.map(({ path }) => named(path)))).toEqual(
      new Set(Object.keys(wanted).filter((name) => name !== '')),
    )
    const files = rows.filter(({ kind }) => kind === 'file')
    expect(opened).toMatchObject({
      planId: plan.id,
      isEncrypted: false,
      files: files.length,
      bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
      folders: rows.filter(({ kind }) => kind === 'folder').length,
      damaged: [],
    })
    expect(opened.volumes).toEqual(plan.volumes.map(({ index, label }) => ({ index, label, atHand: true })))
    for (const row of rows.filter(({ kind }) => kind === 'folder')) {
      const below = rows.filter(({ path, kind }) => kind === 'file' && path.startsWith(`${row.path}/`))
      expect([row.files, row.bytes]).toEqual([below.length, below.reduce((sum, { bytes }) => sum + bytes, 0)])
    }
  })

  test('answers in pages, folders first and each by name', async () => {
    const { id } = await open([planFolder])
    const whole = sets.folder({ id, folder: '', offset: 0, limit: 10_000 })
    const pages = [0, 7, 14].map((offset) => sets.folder({ id, folder: '', offset, limit: 7 }))
    expect(pages.flatMap(({ rows }) => rows)).toEqual(whole.rows.slice(0, 21))
    expect(pages.every(({ total }) => total === whole.total)).toBe(true)
    const kinds = whole.rows.map(({ kind }) => kind === 'folder')
    expect(kinds).toEqual(kinds.toSorted((one, other) => Number(other) - Number(one)))
  })

  test('restores names with wildcards, line feeds and bytes that are not UTF-8 as such', async () => {
    const { id } = await open([planFolder])
    const hostile = ['*glob?[a]', 'new\nline', '\udcff\udcfe', 'caf\udce9', 'back\\slash', ' lead']
    const there = new Set(allRows(id).map(({ path }) => path))
    for (const name of hostile) {
      expect(there).toContain(name)
      await restoresExactly(allDiscs(), [name])
    }
  })

  test('restores a folder but for one file in it', async () => {
    const { id } = await open([planFolder])
    const rows = allRows(id)
    const inside = rows.filter(({ path, kind }) => kind === 'file' && path.startsWith('fol"der\n=\\/'))
    const [left, ...kept] = inside.map(({ path }) => path)
    const chosen = { paths: ['fol"der\n=\\'], except: [left ?? ''] }
    expect(sets.needs({ id, chosen })).toMatchObject({ folders: 1, files: kept.length, links: 1 })
    const { document } = await runRestore({ volumes: allDiscs(), to, chosen })
    expect(document).toMatchObject({ outcome: 'done', restored: kept.length, folders: 1, symlinks: 1 })
    expect(contents(treeFacts(to))).toEqual(contents(factsOf(kept)))
  })

  test('names the volumes of a split file, and which of them are not given', async () => {
    const { id } = await open(allDiscs().slice(0, 1))
    const big = allRows(id).find(({ path }) => path === 'big file.bin')
    expect(big?.volumeCount).toBeGreaterThan(1)
    const needs = sets.needs({ id, chosen: { paths: ['big file.bin'], except: [] } })
    expect(needs).toMatchObject({ files: 1, bytes: 5_000_000, folders: 0 })
    expect(needs.volumes.map(({ index }) => index)).toEqual(big?.volumes)
    expect(needs.volumes.filter(({ atHand }) => atHand).map(({ index }) => index)).toEqual(
      (big?.volumes ?? []).filter((index) => index === 1),
    )
    await restoresExactly(allDiscs(), ['big file.bin'])
  })

  test('forecasts the time by the plan: all of it for all files, less for one of them', async () => {
    const { id } = await open([planFolder])
    const all = sets.needs({ id, chosen: { paths: [''], except: [] } })
    expect(all.seconds?.value).toBeCloseTo(plan.times?.total.restore.value ?? Number.NaN, 6)
    expect(all.volumes).toHaveLength(plan.volumes.length)
    const one = sets.needs({ id, chosen: { paths: ['caf\udce9'], except: [] } })
    expect(one.seconds?.value).toBeGreaterThan(0)
    expect(one.seconds?.value).toBeLessThan((all.seconds?.value ?? 0) / 2)
    const none = sets.needs({ id, chosen: { paths: [], except: [] } })
    expect(none).toEqual({ folders: 0, files: 0, links: 0, bytes: 0, volumes: [], seconds: null })
  })

  test('finds by the patterns of find: folders first, and in a found folder by the name alone', async () => {
    const { id } = await open([planFolder])
    const found = async (pattern: string): Promise<string[]> =>
      (await sets.search({ id, pattern, limit: 100 })).rows.map(({ path }) => path)
    expect(await found('SECTOR')).toEqual(['a sector and a byte', 'exactly one sector'])
    expect(await found('*.exe')).toEqual(['\u202egnp.exe'])
    expect(await found('big?file*')).toEqual(['big file.bin'])
    expect((await found('deep'))[0]).toBe('deep')
    expect(await found('deep/file')).toEqual(['deep/file'])
    expect(await found('no such name')).toEqual([])
    const { total, rows } = await sets.search({ id, pattern: '*', limit: 3 })
    expect(rows).toHaveLength(3)
    expect(total).toBe(allRows(id).length)
  })

  test('takes the index of another volume where one is damaged, and says so', async () => {
    const damaged = join(folder.path, 'damaged.iso')
    const [first = '', ...others] = allDiscs()
    const bytes = readFileSync(first)
    const at = bytes.indexOf('# Index of all volumes.')
    bytes.fill(0x20, at + 400, at + 420)
    writeFileSync(damaged, bytes)
    const whole = await open(allDiscs())
    const files = allRows(whole.id)
    const opened = await open([damaged, ...others])
    expect(opened.setId).toBe(whole.setId)
    expect(opened.damaged.map(({ error }) => error.code)).toEqual(['verification-failed'])
    expect(allRows(opened.id)).toEqual(files)
  })

  test('shows the set by its plan while no volume of it is at hand, if the index is as planned', async () => {
    const images = join(planFolder, 'images')
    const index = join(planFolder, 'index.tsv')
    const text = readFileSync(index)
    renameSync(images, `${images} elsewhere`)
    try {
      const opened = await open([planFolder])
      expect(opened.planId).toBe(plan.id)
      expect(opened.volumes.every(({ atHand }) => !atHand)).toBe(true)
      expect(allRows(opened.id).length).toBeGreaterThan(50)
      writeFileSync(index, Buffer.concat([text, Buffer.from('\n')]))
      await expect(open([planFolder])).rejects.toThrow('no volume of this plan is built')
    } finally {
      writeFileSync(index, text)
      renameSync(`${images} elsewhere`, images)
    }
  })

  test('refuses volumes of two sets, and folders of a set that was closed', async () => {
    const { id } = await open([planFolder])
    sets.close(id)
    expect(() => sets.folder({ id, folder: '', offset: 0, limit: 10 })).toThrow(`no opened set ${id}`)
    const other = await otherSet()
    await expect(open([planFolder, ...other.volumes])).rejects.toThrow('they belong to different sets')
    await expect(open([source])).rejects.toThrow('neither a plan folder nor a volume')
  })

  test('refuses a choice of which nothing is in the set, before anything is written', async () => {
    const chosen = { paths: ['*'], except: [] }
    await expect(runRestore({ volumes: allDiscs(), to, chosen })).rejects.toThrow(
      'nothing that was chosen is in this set',
    )
    expect(readdirSync(folder.path)).not.toContain('restored')
  })
})

const queueOfAll = (volumes: readonly string[], more: Partial<QueueRequest> = {}): Promise<RestoreQueue> =>
  queueOf(queueRequestSchema.parse({ volumes, limit: 5, ...more }), {
    catalog: bench.catalog,
    notes: noNotes,
    nowWallMs: 0,
    signal: new AbortController().signal,
  })

describe('the discs of a set, given one after another', () => {
  test('are distinguished by their labels, and from those of other sets', async () => {
    const { id } = await open([planFolder])
    const [first = ''] = allDiscs()
    const label = plan.volumes[0]?.label
    expect(await sets.identify({ id, path: first })).toEqual([{ label, isOfSet: true }])
    expect(await sets.identify({ id, path: discs }).catch(({ code }) => code)).toBe('bad-input')
    const { volumes } = await otherSet()
    const [other] = await sets.identify({ id, path: volumes[0] ?? '' })
    expect(other?.isOfSet).toBe(false)
  })

  test('are not asked for again once they were given, and not those whose copies are left out', async () => {
    const images = join(planFolder, 'images')
    renameSync(images, `${images} elsewhere`)
    try {
      const all = await queueOfAll([planFolder])
      expect(all.volumes.map(({ label }) => label)).toEqual(plan.volumes.map(({ label }) => label))
      const [first, second] = all.volumes
      const rest = await queueOfAll([planFolder], { given: [first?.label ?? ''] })
      expect(rest.volumes).toEqual(all.volumes.slice(1))
      expect(rest.lostFiles).toBe(0)
      const left = await queueOfAll([planFolder], {
        given: [first?.label ?? ''],
        without: [{ label: second?.label ?? '', copy: second?.copy ?? null }],
      })
      // A file in parts needs each of its volumes.
      expect(left.volumes.map(({ label }) => label)).toEqual(all.volumes.slice(2).map(({ label }) => label))
      expect(left.lostFiles).toBeGreaterThan(0)
    } finally {
      renameSync(`${images} elsewhere`, images)
    }
  })
})

describe('the discs of a restore of an earlier day', () => {
  test('are asked for again where the target lacks a file of them', async () => {
    const images = join(planFolder, 'images')
    const resumed = (given: readonly string[]): Promise<RestoreQueue> =>
      queueOfAll([planFolder], { to, resumes: true, given: [...given] })
    rmSync(to, { recursive: true, force: true })
    const built = allDiscs()
    await runRestore({ volumes: [built[0] ?? '', built.at(-1) ?? ''], to })
    renameSync(images, `${images} elsewhere`)
    try {
      const labels = plan.volumes.map(({ label }) => label)
      const labelsOf = ({ volumes }: RestoreQueue): string[] => volumes.map(({ label }) => label)
      const given = [labels[0] ?? '', labels.at(-1) ?? '']
      // A file in parts, of which others are on the disc between, waits in the target.
      expect(labelsOf(await resumed(given))).toEqual(labels.slice(1, -1))
      const [whole = ''] =
        Object.entries(treeFacts(to)).find(
          ([path, { kind, first }]) => kind === 'file' && first === '' && !path.endsWith('.joining'),
        ) ?? []
      rmSync(Buffer.from(`${to}/${whole}`, 'latin1'))
      expect(labelsOf(await resumed(given))).toEqual(labels.slice(1))
      rmSync(to, { recursive: true })
      expect(labelsOf(await resumed(given))).toEqual(labels)
    } finally {
      renameSync(`${images} elsewhere`, images)
    }
  })
})

const PACKED = 'a set packed as %s'
describe.each(['tar-zst-19-1m-path'])(PACKED, showsPacked)
describe.each(['7z-solid-1m-content'])(PACKED, { tags: 'long' }, showsPacked)

function showsPacked(method: string): void {
  test('shows the files in its archive, and the volumes that all of them need', async () => {
    const { volumes } = await packedSet(method, source, join(folder.path, method), { cutAfter: 3_000_000 })
    expect(volumes.length).toBeGreaterThan(1)
    const { id } = await open(volumes)
    const files = allRows(id).filter(({ kind }) => kind === 'file')
    expect(files.every(({ volumeCount }) => volumeCount === volumes.length)).toBe(true)
    const needs = sets.needs({ id, chosen: { paths: ['caf\udce9'], except: [] } })
    expect(needs).toMatchObject({ files: 1, seconds: null })
    expect(needs.volumes).toHaveLength(volumes.length)
    await restoresExactly(volumes, ['caf\udce9', '*glob?[a]'])
  })
}

describe('an encrypted set', () => {
  const password = 'a horse, correct'

  test('asks for its password, shows its files with it, and restores with it again', async () => {
    const { volumes } = await packedSet('7z-files', source, join(folder.path, 'encrypted'), { password })
    await expect(open(volumes)).rejects.toMatchObject({ code: 'wrong-password' })
    await expect(open(volumes, 'a mule')).rejects.toThrow('the password is wrong')
    const opened = await open(volumes, password)
    expect(opened.isEncrypted).toBe(true)
    expect(allRows(opened.id).map(({ path }) => path)).toContain('*glob?[a]')
    const [first = ''] = volumes
    const again = await sets.open({ volumes: [first], password: null, opened: opened.id })
    const kept = sets.passwordOf(again.id)
    expect(Buffer.from(kept ?? []).toString()).toBe(password)
    await restoresExactly(volumes, ['*glob?[a]'], password)
    sets.close(again.id)
    expect(sets.passwordOf(again.id)).toBeNull()
  })
})
