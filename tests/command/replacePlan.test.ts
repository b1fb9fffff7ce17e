import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { SetAside } from '../../src/contract/dto/job'
import { seededRandom } from '../../src/primitives/seededRandom'
import { stowage } from '../fixtures/stowageCommand'
import { type Bench, openBench, temporaryFolder } from '../support/archiveRun'
import { smallDisk } from '../support/smallDisk'

let folder: ReturnType<typeof temporaryFolder>
let source: string
let bench: Bench
let surveyId: string
let target: string
const at = (...names: string[]): string => join(target, ...names)
/** Not UTF-8, with a line feed and what looks like an option. */
const HOSTILE = Buffer.from('--x\n\xff\x1b[2J', 'latin1')
const ASIDE = /^plan\.replaced-\d{4}-\d\d-\d\d(-\d+)?$/

/** Three files of 300 kB: one volume of 2 MB, or two of 700 kB. */
beforeEach(async () => {
  folder = temporaryFolder('replace-plan')
  target = join(folder.path, 'plan')
  source = join(folder.path, 'source')
  mkdirSync(source)
  const random = seededRandom(7)
  for (const name of ['a', 'b', 'c']) {
    const content = new Uint8Array(300_000)
    random.fillBytes(content)
    writeFileSync(join(source, name), content)
  }
  bench = openBench(join(folder.path, 'home'))
  surveyId = await bench.survey([source])
})
afterEach(() => {
  bench.close()
  folder.dispose()
})

async function exportNew(medium: string): Promise<{ id: string; setAside: SetAside }> {
  const { id } = await bench.plan(surveyId, medium)
  const setAside = await bench.export(id, target, true)
  if (setAside === null) throw new Error('nothing was replaced')
  return { id, setAside }
}

async function buildOld(medium: string): Promise<string> {
  const { id } = await bench.plan(surveyId, medium)
  await bench.export(id, target)
  expect((await bench.build(target)).error).toBeNull()
  return id
}

/** Every name below the folder with its time and content. */
function state(root: string, below = Buffer.from(root)): Record<string, string> {
  const found: Record<string, string> = {}
  for (const name of readdirSync(below, { encoding: 'buffer' })) {
    const path = Buffer.concat([below, Buffer.from('/'), name])
    const facts = lstatSync(path)
    found[path.toString('latin1').slice(root.length)] =
      `${facts.mtimeMs} ${facts.isFile() ? readFileSync(path).toString('latin1') : ''}`
    if (facts.isDirectory()) Object.assign(found, state(root, path))
  }
  return found
}

function planIdAt(path: string): unknown {
  return (JSON.parse(readFileSync(join(path, 'plan.json'), 'utf8')) as { id: unknown }).id
}

const directoryOf = (id: string): string | null | undefined =>
  bench.catalog.plans().find((plan) => plan.id === id)?.directory

describe('a plan that replaces another by force', () => {
  test('keeps the whole folder of the old one under another name, where it is found and verified', async () => {
    const oldId = await buildOld('custom:2MB')
    mkdirSync(at('images', 'scans'))
    writeFileSync(at('images', 'scans', 'a.png'), 'mine')
    writeFileSync(at('README.txt'), 'my own notes')
    writeFileSync(at('volumes', '01', 'mine'), 'mine')
    writeFileSync(Buffer.concat([Buffer.from(`${at('images')}/`), HOSTILE]), 'hostile')
    symlinkSync('/nowhere', at('runs', 'link'))
    const before = state(target)
    const image = statSync(at('images', '01.iso'))
    const { id, setAside } = await exportNew('custom:930kB')
    expect(dirname(setAside.path)).toBe(folder.path)
    expect(basename(setAside.path)).toMatch(/^plan\.replaced-\d{4}-\d\d-\d\d$/)
    expect(state(setAside.path)).toEqual(before)
    expect(statSync(join(setAside.path, 'images', '01.iso')).ino).toBe(image.ino)
    expect(setAside.bytes).toBeGreaterThan(image.size)
    expect([planIdAt(target), existsSync(at('images'))]).toEqual([id, false])
    expect([directoryOf(id), directoryOf(oldId)]).toEqual([target, setAside.path])

    expect((await bench.verify(setAside.path)).error).toBeNull()
    expect((await bench.build(target)).error).toBeNull()
    expect((await bench.verify(target)).error).toBeNull()
  })

  test('leaves the old one whole: it is verified, built again and replaced in its new place', async () => {
    const oldId = await buildOld('custom:2MB')
    const { setAside } = await exportNew('custom:930kB')
    expect((await bench.verify(setAside.path)).error).toBeNull()
    expect((await bench.build(setAside.path, { force: true })).error).toBeNull()
    expect(directoryOf(oldId)).toBe(setAside.path)
  })

  test('gives each replaced folder a name of its own', async () => {
    const ids = [await buildOld('custom:2MB')]
    for (const medium of ['folder:700kB', 'custom:930kB', 'folder:2MB'])
      ids.push((await exportNew(medium)).id)
    const kept = readdirSync(folder.path).filter((name) => ASIDE.test(name))
    expect(kept).toHaveLength(3)
    const asides = ids.slice(0, 3).map((id) => directoryOf(id) ?? '')
    expect(asides.map((path) => basename(path)).toSorted()).toEqual(kept.toSorted())
    expect(asides.map(planIdAt)).toEqual(ids.slice(0, 3))
  })

  test('keeps the folder of the same plan too, and the catalog has the new one', async () => {
    const id = await buildOld('custom:2MB')
    const setAside = await bench.export(id, target, true)
    expect(existsSync(join(setAside?.path ?? '', 'images', '01.iso'))).toBe(true)
    expect([planIdAt(target), existsSync(at('images')), directoryOf(id)]).toEqual([id, false, target])
  })

  test('goes to where a link leads, and the link stays', async () => {
    const oldId = await buildOld('custom:2MB')
    const real = join(folder.path, 'real')
    renameSync(target, real)
    symlinkSync(real, target)
    const { id, setAside } = await exportNew('custom:930kB')
    expect(lstatSync(target).isSymbolicLink()).toBe(true)
    expect(setAside.path.startsWith(`${real}.replaced-`)).toBe(true)
    expect([planIdAt(real), directoryOf(oldId)]).toEqual([id, setAside.path])
  })

  test('takes the place of an empty folder, and nothing is kept', async () => {
    mkdirSync(target)
    const { id } = await bench.plan(surveyId, 'custom:2MB')
    expect(await bench.export(id, target, true)).toBeNull()
    expect(readdirSync(folder.path).toSorted()).toEqual(['home', 'plan', 'source'])
  })

  test('does not replace a plan that is no plan of Stowage', async () => {
    await buildOld('custom:2MB')
    writeFileSync(at('plan.json'), '{"id":"p-1"}')
    const before = state(target)
    await expect(exportNew('custom:930kB')).rejects.toMatchObject({
      code: 'refused',
      message: `cannot replace ${target}: it contains files, but no plan exported by Stowage`,
    })
    expect(state(target)).toEqual(before)
    expect(readdirSync(folder.path).toSorted()).toEqual(['home', 'plan', 'source'])
  })

  test.for([0, 100_000])('is refused with both sizes on a disk with %d bytes left', async (left, context) => {
    const disk = smallDisk(folder.path, 8)
    if (typeof disk === 'string') return context.skip(disk)
    try {
      target = join(disk.path, 'plan')
      await buildOld('custom:2MB')
      writeFileSync(join(disk.path, 'filler'), '')
      for (;;) {
        try {
          writeFileSync(join(disk.path, 'filler'), Buffer.alloc(4096), { flag: 'a' })
        } catch {
          break
        }
      }
      truncateSync(join(disk.path, 'filler'), statSync(join(disk.path, 'filler')).size - left)
      const before = state(target)
      const error = await exportNew('custom:930kB').catch((thrown: unknown) => thrown)
      expect(error).toMatchObject({ code: 'no-space', path: target })
      expect((error as Error).message).toMatch(
        /^cannot replace the plan in .*: no space left after [\d.]+ k?B of the new plan, and the old one is kept \(\d+ files, [\d.]+ MB\)$/,
      )
      expect(state(target)).toEqual(before)
      expect(readdirSync(disk.path).toSorted()).toEqual(['filler', 'lost+found', 'plan'])
    } finally {
      disk.unmount()
    }
  })
})

test('stowage plan --force names the folder of the old plan with its size, and surveys leave it out', async () => {
  const home = join(folder.path, 'own home')
  target = join(source, 'plan')
  const args = ['plan', source, '--medium', 'custom:930kB', '--out', target]
  expect((await stowage(args, { home })).code).toBe(0)
  const end = await stowage([...args, '--force'], { home })
  expect(end.code).toBe(0)
  const said = end.stderr.replace(/\s+/g, ' ')
  const [, aside] =
    /the plan that was in \S+ is now in (\S+\.replaced-\d{4}-\d\d-\d\d) \(\d+ files, [\d.]+ kB\)/.exec(
      said,
    ) ?? []
  expect(aside, said).toBeDefined()
  expect(readdirSync(source).toSorted()).toEqual(['a', 'b', 'c', 'plan', basename(aside ?? '')])
  const { stdout } = await stowage(['survey', source, '--samples', 'none', '--json'], { home })
  const { totals, leftOut } = JSON.parse(stdout) as {
    totals: { files: number }
    leftOut: { path: string }[]
  }
  expect(totals.files).toBe(3)
  expect(leftOut.map(({ path }) => path).toSorted()).toEqual([target, aside])
})
