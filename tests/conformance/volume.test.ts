import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rangeOf } from '../../src/engine/files/read'
import { openImage } from '../../src/engine/sets/volume/image/image'
import { type Expected, expectedTree, inRockRidge } from '../../src/engine/sets/volume/lists/expectedTree'
import { payloadFiles } from '../../src/engine/sets/volume/lists/payloadFiles'
import { openFolder, type Volume } from '../../src/engine/sets/volume/lists/volume'
import { volumeLists } from '../../src/engine/sets/volume/open/volumeLists'
import { openPlanFolder } from '../../src/engine/sets/volume/planned/planFolder'
import { readPlannedVolume } from '../../src/engine/sets/volume/planned/plannedLists'
import { makeHostileTree } from '../fixtures/hostileTree'
import { type Bench, openBench } from '../support/archiveRun'
import { runRestore } from '../support/restoreRun'
import { type TreeFact, treeFacts } from '../support/treeFacts'
import { runScript } from '../support/volumeFolders'

/*
 * Every way to read a volume reads the same corpus: a tree with hostile names on an image, on a block device that holds the image,
 * and in a folder. RESTORE.sh, which shares no code with them, must restore the same.
 */
const root = mkdtempSync(join(tmpdir(), 'stowage-volume-'))
const source = join(root, 'source')
const signal = new AbortController().signal
let bench: Bench
let loop = ''

interface Source {
  readonly plan: string
  open(): Promise<Volume>
  readonly path: string
}

/** The sources by name; a text says why there is none here. */
const sources = new Map<string, Source | string>()

/** What an ISO image holds of a tree: no link whose target is too long, and targets without doubled slashes. */
const WITHOUT = { image: ['long link'], folder: [] }

beforeAll(async () => {
  mkdirSync(source)
  makeHostileTree(source, { seed: 7 })
  bench = openBench(join(root, 'data'))
  const survey = await bench.survey([source], { sha256: true })
  const made = async (medium: string, name: string): Promise<string> => {
    const directory = join(root, name)
    await bench.export((await bench.plan(survey, medium)).id, directory)
    expect((await bench.build(directory)).error).toBeNull()
    return directory
  }
  const images = await made('dvd-r', 'images')
  const folders = await made('folder:1GB', 'folders')
  const image = join(images, 'images', '01.iso')
  const folder = join(folders, 'folders', '01')
  sources.set('an image', { plan: images, path: image, open: () => openImage(image) })
  sources.set('a folder', { plan: folders, path: folder, open: () => openFolder(folder) })
  try {
    loop = execFileSync('losetup', ['-r', '-f', '--show', image], { encoding: 'utf8', stdio: 'pipe' }).trim()
    sources.set('a device', { plan: images, path: loop, open: () => openImage(loop) })
  } catch (thrown) {
    sources.set('a device', `no loop device can be made here: ${String(thrown).split('\n')[0]}`)
  }
})

afterAll(() => {
  if (loop !== '') execFileSync('losetup', ['-d', loop])
  bench.close()
  rmSync(root, { recursive: true, force: true })
})

/** What the plan's lists say that must be on it. */
async function planned({ plan }: Source): Promise<Map<string, Expected>> {
  const folder = await openPlanFolder(plan)
  const [first] = folder.plan.volumes
  if (!first) throw new Error('a plan without volumes')
  const volume = await readPlannedVolume(folder, first, signal)
  const tree = expectedTree(volume, await payloadFiles(plan, volume))
  return folder.plan.medium.kind === 'image' ? inRockRidge(tree) : tree
}

async function digest(volume: Volume, path: string): Promise<string | null> {
  const place = await volume.placeOf(path)
  if (place === null) return null
  const hash = createHash('sha256')
  for await (const piece of rangeOf(place, signal)) hash.update(piece)
  return hash.digest('hex')
}

/** A restored tree without its times, which RESTORE.sh sets by the tools of the system, and without links that images lack. */
function comparable(path: string, kind: keyof typeof WITHOUT): Record<string, Partial<TreeFact>> {
  const facts = Object.entries(treeFacts(path)).filter(([name]) => !WITHOUT[kind].some((one) => one === name))
  return Object.fromEntries(facts.map(([name, fact]) => [name, { ...fact, mtimeNs: '' }]))
}

describe.each(['an image', 'a folder', 'a device'])('a volume that is %s', (name) => {
  const given = (skip: (why: string) => never): Source => {
    const found = sources.get(name)
    return typeof found === 'object' ? found : skip(found ?? 'it was not made')
  }

  test('holds what the plan lists, and nothing else', async ({ skip }) => {
    const own = given(skip)
    const volume = await own.open()
    const expected = await planned(own)
    const found = await volume.tree(signal)
    expect([...found.keys()].toSorted()).toEqual([...expected.keys()].toSorted())
    for (const [path, wanted] of expected) {
      const { kind, ...facts } = wanted
      const is = found.get(path)
      expect(is?.kind, path).toBe(kind)
      if ('bytes' in facts) expect(is, path).toEqual({ kind, bytes: facts.bytes })
      if ('target' in facts) expect(is, path).toEqual(wanted)
    }
    expect([...found.values()].filter(({ kind }) => kind === 'symlink').length).toBeGreaterThan(5)
  })

  test('gives every content where it says, and none for what it lacks', async ({ skip }) => {
    const own = given(skip)
    const volume = await own.open()
    for (const [path, wanted] of await planned(own))
      expect(await digest(volume, path), path).toBe(wanted.kind === 'file' ? wanted.sha256 : null)
    for (const absent of ['no such file', '', 'a/b', 'link/x'])
      expect(await volume.placeOf(absent)).toBeNull()
  })

  test('says its index, number and set', async ({ skip }) => {
    const own = given(skip)
    const lists = await volumeLists(await own.open())
    const { plan } = await openPlanFolder(own.plan)
    expect(lists).toMatchObject({
      number: 1,
      planId: plan.id,
      setId: plan.lists?.find(({ path }) => path === 'index.tsv')?.sha256,
    })
    expect(lists.index?.unreadable).toEqual([])
  })

  test('restores to the source, with Stowage and with its own script alike', {
    tags: name === 'an image' ? [] : ['long'],
  }, async ({ skip }) => {
    const own = given(skip)
    const kind = name === 'a folder' ? 'folder' : 'image'
    const to = mkdtempSync(join(root, 'restored-'))
    const { document, error } = await runRestore({ volumes: [own.path], to: join(to, 'by stowage') })
    expect(error).toBeNull()
    expect(document.damaged).toEqual([])
    // The script reads folders: what xorriso takes out of an image is one.
    const folder = name === 'a folder' ? own.path : join(to, 'extracted')
    if (name !== 'a folder') {
      mkdirSync(folder)
      execFileSync('xorriso', ['-osirrox', 'on', '-indev', imageOf(own), '-extract', '/', folder], {
        stdio: 'pipe',
      })
    }
    const script = join(folder, scriptFolder(folder), 'RESTORE.sh')
    const { status, errors } = runScript({ command: ['sh'] }, script, {
      words: [join(to, 'by script'), folder],
    })
    expect(status, errors).toBe(0)
    const right = comparable(source, kind)
    expect(Object.keys(right).length).toBeGreaterThan(80)
    expect(comparable(join(to, 'by stowage'), kind)).toEqual(right)
    expect(comparable(join(to, 'by script'), kind)).toEqual(right)
    execFileSync('chmod', ['-R', 'u+rwX', to])
  })
})

describe('what is no volume', () => {
  test('is refused as an image', async () => {
    const file = join(root, 'nothing.iso')
    writeFileSync(file, Buffer.alloc(100_000))
    await expect(openImage(file)).rejects.toMatchObject({ code: 'verification-failed' })
  })

  test('is refused where there is nothing', async () => {
    await expect(openFolder(join(root, 'nowhere'))).rejects.toMatchObject({ code: 'not-found' })
    await expect(openImage(join(root, 'nowhere'))).rejects.toMatchObject({ code: 'not-found' })
  })
})

function imageOf({ plan }: Source): string {
  return join(plan, 'images', '01.iso')
}

function scriptFolder(folder: string): string {
  return readdirSync(folder).find((name) => name.startsWith('STOWAGE-')) ?? 'STOWAGE'
}
