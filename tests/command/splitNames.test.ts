import {
  existsSync,
  ftruncateSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { seededRandom } from '../../src/primitives/seededRandom'
import { stowage } from '../fixtures/stowageCommand'
import { runScript } from '../support/volumeFolders'

let folder: string
let source: string
let to: string
const content = new Uint8Array(2_400_000)

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'stowage-names-'))
  source = join(folder, 'source')
  to = join(folder, 'restored')
  mkdirSync(join(source, 'sub'), { recursive: true })
  seededRandom(4).fillBytes(content)
  writeFileSync(join(source, 'film'), content, { mode: 0o640 })
  linkSync(join(source, 'film'), join(source, 'again'))
  linkSync(join(source, 'film'), join(source, 'sub/third'))
  const sparse = openSync(join(source, 'sparse'), 'w')
  writeSync(sparse, 'begin', 0)
  writeSync(sparse, 'end', 4_000_000)
  ftruncateSync(sparse, 5_000_000)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))
beforeEach(() => rmSync(to, { recursive: true, force: true }))

const run = async (...args: string[]): Promise<number | null> =>
  (await stowage(args, { home: join(folder, 'home') })).code

describe.each([
  ['images', 'custom:1500kB'],
  ['folders', 'folder:1500kB'],
])('a file larger than a volume with several names, on %s', (kind, medium) => {
  let plan: string
  let volumes: string[]

  beforeAll(async () => {
    plan = join(folder, kind)
    for (const args of [
      ['plan', source, '--medium', medium, '--out', plan],
      ['build', plan],
      ['verify', plan],
    ])
      expect(await run(...args)).toBe(0)
    volumes = readdirSync(join(plan, kind))
      .toSorted()
      .map((name) => join(plan, kind, name))
  })

  test('is stored once', async () => {
    const { volumes: planned } = JSON.parse(readFileSync(join(plan, 'plan.json'), 'utf8'))
    const bytes = planned.reduce((sum: number, one: { bytes: number }) => sum + one.bytes, 0)
    expect(bytes).toBe(content.length + 5_000_000)
    expect(await run('verify', ...volumes)).toBe(0)
  })

  test('is restored as one file with its names, and holes of split files stay holes', async () => {
    expect(await run('restore', plan, '--to', to)).toBe(0)
    const inodes = ['film', 'again', 'sub/third'].map((name) => statSync(join(to, name)).ino)
    expect(new Set(inodes).size).toBe(1)
    expect(statSync(join(to, 'film')).nlink).toBe(3)
    expect(readFileSync(join(to, 'film')).equals(content)).toBe(true)
    expect(readFileSync(join(to, 'sparse')).equals(readFileSync(join(source, 'sparse')))).toBe(true)
    expect(statSync(join(to, 'sparse')).blocks * 512).toBeLessThan(100_000)
  })

  test('is restored under one of its further names alone', async () => {
    expect(await run('restore', plan, '--to', to, '--files', 'sub/third')).toBe(0)
    expect(readFileSync(join(to, 'sub/third')).equals(content)).toBe(true)
    expect(existsSync(join(to, 'film'))).toBe(false)
  })

  test('waits under all of its names for the volumes that are missing', async () => {
    const [first = '', ...others] = volumes
    expect(await run('restore', ...others, '--to', to)).toBe(3)
    expect(existsSync(join(to, 'again'))).toBe(false)
    expect(await run('restore', first, '--to', to)).toBe(0)
    expect(statSync(join(to, 'again')).nlink).toBe(3)
  })
})

test('a file larger than a volume is restored with its names by RESTORE.sh', async () => {
  const plan = join(folder, 'plan for the script')
  expect(await run('plan', source, '--medium', 'folder:1500kB', '--out', plan)).toBe(0)
  expect(await run('build', plan)).toBe(0)
  const folders = join(plan, 'folders')
  const volumes = readdirSync(folders)
    .toSorted()
    .map((name) => join(folders, name))
  const script = join(volumes[0] ?? '', 'STOWAGE/RESTORE.sh')
  const { status, errors } = runScript({ command: ['sh'] }, script, { words: [to, ...volumes] })
  expect([status, errors]).toEqual([0, ''])
  expect(statSync(join(to, 'film')).nlink).toBe(3)
  expect(readFileSync(join(to, 'sub/third')).equals(content)).toBe(true)
  if (process.platform === 'linux') expect(statSync(join(to, 'sparse')).blocks * 512).toBeLessThan(100_000)
})
