import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { seededRandom } from '../../src/primitives/seededRandom'
import { stowage } from '../fixtures/stowageCommand'
import { type Bench, openBench, temporaryFolder } from '../support/archiveRun'

let folder: ReturnType<typeof temporaryFolder>
let bench: Bench
let surveyId: string
let target: string
const at = (...names: string[]): string => join(target, ...names)
/** Not UTF-8, with a line feed and what looks like an option. */
const HOSTILE = Buffer.from('--x\n\xff\x1b[2J', 'latin1')

/** Three files of 300 kB: one volume of 2 MB, or two of 700 kB. */
beforeEach(async () => {
  folder = temporaryFolder('replace-plan')
  target = join(folder.path, 'plan')
  const source = join(folder.path, 'source')
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

async function exportNew(medium: string, force = true): Promise<string> {
  const plan = await bench.plan(surveyId, medium)
  await bench.export(plan.id, target, force)
  return plan.id
}

async function buildOld(medium: string): Promise<string> {
  const id = await exportNew(medium, false)
  expect((await bench.build(target)).error).toBeNull()
  return id
}

/** Every name below the folder with its time and content. */
function state(folderPath = Buffer.from(target)): Record<string, string> {
  const found: Record<string, string> = {}
  for (const name of readdirSync(folderPath, { encoding: 'buffer' })) {
    const path = Buffer.concat([folderPath, Buffer.from('/'), name])
    const facts = lstatSync(path)
    found[path.toString('latin1')] =
      `${facts.mtimeMs} ${facts.isFile() ? readFileSync(path).toString('latin1') : ''}`
    if (facts.isDirectory()) Object.assign(found, state(path))
  }
  return found
}

describe('a plan that replaces another by force', () => {
  test('keeps the files of a person wherever they lie, and removes what was made for the old plan', async () => {
    await buildOld('custom:2MB')
    const built = readdirSync(at('runs'))
    mkdirSync(at('images', 'scans', 'old'), { recursive: true })
    mkdirSync(at('folders'))
    mkdirSync(at('photos'))
    const mine = ['images/scans/old/a.png', 'images/notes', 'folders/list', 'runs/my.json', 'photos/a.jpg']
    for (const name of mine) writeFileSync(at(name), `mine: ${name}`)
    writeFileSync(Buffer.concat([Buffer.from(`${at('images')}/`), HOSTILE]), 'hostile')
    symlinkSync('/nowhere', at('runs', 'link'))
    const id = await exportNew('custom:700kB')
    for (const name of mine) expect(readFileSync(at(name), 'utf8')).toBe(`mine: ${name}`)
    expect(readFileSync(Buffer.concat([Buffer.from(`${at('images')}/`), HOSTILE]), 'utf8')).toBe('hostile')
    expect(readdirSync(at('images')).length).toBe(3)
    expect(existsSync(at('images', '01.iso'))).toBe(false)
    expect(readdirSync(at('runs')).toSorted()).toEqual(['link', 'my.json'])
    expect(built).not.toEqual([])
    expect(JSON.parse(readFileSync(at('plan.json'), 'utf8')).id).toBe(id)
    expect(readdirSync(folder.path).toSorted()).toEqual(['home', 'plan', 'source'])
    const again = await bench.build(target)
    expect(again.error).toBeNull()
    expect((await bench.verify(target)).error).toBeNull()
  })

  test('removes the scripts of a plan of images and the folders of a plan of folders', async () => {
    await buildOld('custom:2MB')
    await exportNew('folder:700kB')
    expect(existsSync(at('build.sh'))).toBe(false)
    expect((await bench.build(target)).error).toBeNull()
    await exportNew('custom:2MB')
    expect([existsSync(at('folders')), existsSync(at('images'))]).toEqual([false, false])
  })

  test('keeps everything that was built when it is the same plan', async () => {
    const id = await buildOld('custom:2MB')
    writeFileSync(at('images', 'notes'), 'mine')
    const image = statSync(at('images', '01.iso')).ino
    await bench.export(id, target, true)
    expect(statSync(at('images', '01.iso')).ino).toBe(image)
    expect(readFileSync(at('images', 'notes'), 'utf8')).toBe('mine')
  })

  test('goes to where a link leads, and the link stays', async () => {
    await buildOld('custom:2MB')
    writeFileSync(at('images', 'notes'), 'mine')
    const real = join(folder.path, 'real')
    renameSync(target, real)
    symlinkSync(real, target)
    await exportNew('custom:700kB')
    expect(lstatSync(target).isSymbolicLink()).toBe(true)
    expect(readFileSync(join(real, 'images', 'notes'), 'utf8')).toBe('mine')
    expect(readdirSync(folder.path).toSorted()).toEqual(['home', 'plan', 'real', 'source'])
  })

  const refused: [string, string, string, () => void][] = [
    [
      'an image of a planned name and another size',
      'custom:2MB',
      'images/01.iso',
      () => truncateSync(at('images', '01.iso'), 10),
    ],
    [
      'an image of a planned name and size that is another image',
      'custom:2MB',
      'images/01.iso',
      () => {
        const { size } = statSync(at('images', '01.iso'))
        rmSync(at('images', '01.iso'))
        writeFileSync(at('images', '01.iso'), Buffer.alloc(size, 1))
      },
    ],
    [
      'an image of a volume that the plan does not have',
      'custom:2MB',
      'images/09.iso',
      () => writeFileSync(at('images', '09.iso'), 'mine'),
    ],
    [
      'a link in the place of the images',
      'custom:2MB',
      'images',
      () => {
        renameSync(at('images'), join(folder.path, 'disk'))
        symlinkSync(join(folder.path, 'disk'), at('images'))
      },
    ],
    ['a changed README', 'custom:2MB', 'README.txt', () => writeFileSync(at('README.txt'), 'my own notes')],
    [
      'a file among the lists',
      'custom:2MB',
      'volumes/01/mine',
      () => writeFileSync(at('volumes', '01', 'mine'), 'mine'),
    ],
    [
      'a folder among the lists',
      'custom:2MB',
      'volumes/mine',
      () => mkdirSync(at('volumes', 'mine', 'deep'), { recursive: true }),
    ],
    [
      'a file in a volume that was built',
      'folder:2MB',
      'folders/01/mine',
      () => writeFileSync(at('folders', '01', 'mine'), 'mine'),
    ],
    [
      'an edited file of a volume that was built',
      'folder:2MB',
      'folders/01/b',
      () => {
        writeFileSync(at('folders', '01', 'b'), Buffer.alloc(300_000))
        utimesSync(at('folders', '01', 'b'), 5, 5)
      },
    ],
    [
      'a plan that is no plan of Stowage',
      'custom:2MB',
      'plan.json',
      () => writeFileSync(at('plan.json'), '{"id":"p-1"}'),
    ],
  ]
  test.each(refused)('refuses %s, names it and changes nothing', async (_what, medium, named, change) => {
    await buildOld(medium)
    change()
    const before = state()
    await expect(exportNew('custom:700kB')).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringContaining(`cannot replace the plan in ${target}: move ${named} away first, as `),
      path: at(named),
    })
    expect(state()).toEqual(before)
    expect(readdirSync(folder.path).filter((name) => name.startsWith('plan'))).toEqual(['plan'])
  })

  test('refuses a file of a person whose name the new plan needs', async () => {
    await buildOld('folder:2MB')
    writeFileSync(at('build.sh'), 'mine')
    const before = state()
    await expect(exportNew('custom:700kB')).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringContaining('move build.sh away first, as the new plan has a file of this name'),
    })
    // The lease is an empty file that builds have made already.
    expect(state()).toEqual(before)
  })

  test('replaces plans that older versions exported without digests', async () => {
    await buildOld('custom:2MB')
    const { lists, ...document } = JSON.parse(readFileSync(at('plan.json'), 'utf8'))
    expect(lists.length).toBeGreaterThan(0)
    writeFileSync(at('plan.json'), JSON.stringify(document))
    writeFileSync(at('README.txt'), 'as an older version wrote it')
    await exportNew('custom:700kB')
    expect(existsSync(at('images'))).toBe(false)
    writeFileSync(at('volumes', '01', 'mine'), 'mine')
    await expect(exportNew('custom:2MB')).rejects.toMatchObject({ code: 'refused' })
  })
})

test('stowage plan --force names what cannot stay in one line, with exit code 7, before it reads anything', async () => {
  await buildOld('custom:2MB')
  mkdirSync(at('volumes', '01', 'deep'))
  writeFileSync(Buffer.concat([Buffer.from(`${at('volumes', '01', 'deep')}/`), HOSTILE]), 'mine')
  const before = state()
  const home = join(folder.path, 'own home')
  const args = ['plan', join(folder.path, 'source'), '--medium', 'custom:700kB', '--out', target, '--force']
  const end = await stowage(args, { home })
  expect([end.code, end.stdout]).toEqual([7, ''])
  expect(end.stderr).toBe(
    `stowage: cannot replace the plan in ${target}: move volumes/01/deep away first, as Stowage did not make it for this plan\n`,
  )
  expect(state()).toEqual(before)
  const listed = JSON.parse((await stowage(['catalog', 'list', '--json'], { home })).stdout)
  expect(listed).toMatchObject({ surveys: [], plans: [] })

  const elsewhere = join(folder.path, 'elsewhere')
  cpSync(at('volumes', '01', 'deep'), elsewhere, { recursive: true })
  rmSync(at('volumes', '01', 'deep'), { recursive: true })
  expect((await stowage(args, { home })).code).toBe(0)
})
