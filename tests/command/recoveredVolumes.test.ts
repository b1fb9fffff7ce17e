import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CheckDocument } from '../../src/contract/dto/check'
import type { RestoreDocument } from '../../src/contract/dto/restore'
import { seededRandom } from '../../src/primitives/seededRandom'
import { stowage } from '../fixtures/stowageCommand'
import { openBench, temporaryFolder } from '../support/archiveRun'
import { makePar2Set } from '../support/makePar2Set'

const BLOCK_BYTES = 4096
const RECOVERY_BLOCKS = 40
const folder = temporaryFolder('recovered')
const source = join(folder.path, 'source')
const home = join(folder.path, 'data')
const whole = join(folder.path, 'whole')
const volume = join(folder.path, 'volume')
const target = join(folder.path, 'restored')
const NAMES = ['a', 'x/b', 'x/c c', 'x/d', 'z']

beforeAll(async () => {
  mkdirSync(join(source, 'x'), { recursive: true })
  const random = seededRandom(5)
  for (const [at, name] of NAMES.entries()) {
    const content = new Uint8Array(50_001 + 30_000 * at)
    random.fillBytes(content)
    writeFileSync(join(source, name), content)
  }
  const bench = openBench(home)
  const plan = await bench.plan(await bench.survey([source]), 'folder:100MB', { labelPrefix: 'DISC' })
  await bench.export(plan.id, join(folder.path, 'plan'))
  await bench.build(join(folder.path, 'plan'))
  bench.close()
  cpSync(join(folder.path, 'plan/folders/01'), whole, { recursive: true })
  const own = join(whole, 'STOWAGE')
  const files = readdirSync(whole, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(whole, name)).isFile())
    .map((name) => ({ name, path: join(whole, name), offset: 0, bytes: statSync(join(whole, name)).size }))
  await makePar2Set({
    files,
    blockBytes: BLOCK_BYTES,
    recoveryBlocks: RECOVERY_BLOCKS,
    threads: 2,
    index: join(own, 'recovery-1.par2'),
    recovery: join(own, `recovery-1.vol0+${RECOVERY_BLOCKS}.par2`),
  })
})
afterAll(() => folder.dispose())

/** A copy of the volume with bytes of a file changed, at a place and from there on. */
function damaged(changes: readonly (readonly [name: string, at: number, bytes: number])[]): void {
  rmSync(volume, { recursive: true, force: true })
  rmSync(target, { recursive: true, force: true })
  cpSync(whole, volume, { recursive: true })
  for (const [name, at, bytes] of changes) {
    const path = join(volume, name)
    const content = readFileSync(path)
    for (let byte = at; byte < at + bytes; byte++) content[byte] = (content[byte] ?? 0) ^ 0x5a
    writeFileSync(path, content)
  }
}

async function check(): Promise<{ code: number | null; document: CheckDocument }> {
  const { code, stdout } = await stowage(['verify', volume, '--json'], { home })
  return { code, document: JSON.parse(stdout) as CheckDocument }
}

async function restore(): Promise<{ code: number | null; document: RestoreDocument }> {
  const { code, stdout, stderr } = await stowage(['restore', volume, '--to', target, '--json'], { home })
  if (stdout === '') throw new Error(stderr)
  return { code, document: JSON.parse(stdout) as RestoreDocument }
}

function expectRestored(): void {
  for (const name of NAMES)
    expect(readFileSync(join(target, name)).equals(readFileSync(join(source, name))), name).toBe(true)
}

test('a volume without damage is good, and its recovery data is counted', async () => {
  damaged([])
  const { code, document } = await check()
  expect(code).toBe(0)
  expect(document.volumes[0]).toMatchObject({
    verdict: 'good',
    recovery: { blocks: RECOVERY_BLOCKS, lost: 0, blockBytes: BLOCK_BYTES },
  })
})

test('damage that recovery data gives back is repairable, and a restore repairs it', async () => {
  damaged([
    ['a', 10_000, 5000],
    ['x/d', 0, 1],
    ['x/d', 90_000, 20_000],
  ])
  truncateSync(join(volume, 'x/b'), 60_000)
  rmSync(join(volume, 'STOWAGE/recovery-1.par2'))
  const { code, document } = await check()
  expect(code).toBe(6)
  const [checked] = document.volumes
  expect(checked).toMatchObject({ state: 'damaged', verdict: 'repairable' })
  expect(checked?.damaged.map(({ path, verdict }) => [path, verdict])).toEqual([
    ['a', 'repairable'],
    ['x/b', 'repairable'],
    ['x/d', 'repairable'],
  ])
  const text = await stowage(['verify', volume], { home })
  expect(text.stdout.replaceAll(/\s+/g, ' ')).toContain('Recovery data on the volume gives all of it back.')
  const restored = await restore()
  expect(restored.code).toBe(0)
  expect(restored.document).toMatchObject({ outcome: 'done', restored: 5, repaired: 3, damaged: [] })
  expect(restored.document.repairedFiles?.toSorted()).toEqual(['a', 'x/b', 'x/d'])
  expectRestored()
  expect(readdirSync(target).toSorted()).toEqual(['a', 'x', 'z'])
})

test('a missing file comes back, and one whose checksums are damaged, too', async () => {
  damaged([['STOWAGE/SHA256SUMS', 5, 3]])
  rmSync(join(volume, 'x/c c'))
  const { document } = await check()
  expect(document.volumes[0]?.verdict).toBe('repairable')
  expect((await restore()).document.repaired).toBe(1)
  expectRestored()
})

test('damaged lists come back, and with them times, permissions and names', async () => {
  damaged([
    ['STOWAGE/SHA256SUMS', 5, 3],
    ['STOWAGE/INDEX.tsv', 200, 300],
    ['z', 70_000, 10],
  ])
  const { code, document } = await restore()
  expect(code).toBe(0)
  expect(document).toMatchObject({ restored: 5, repaired: 1, damagedLists: [] })
  expectRestored()
  for (const name of NAMES) {
    const [is, was] = [statSync(join(target, name)), statSync(join(source, name))]
    expect([is.mode, is.mtimeMs], name).toEqual([was.mode, was.mtimeMs])
  }
})

test('damaged recovery data alone is repairable, and nothing of the files is lost', async () => {
  damaged([[`STOWAGE/recovery-1.vol0+${RECOVERY_BLOCKS}.par2`, 30_000, 9000]])
  const { code, document } = await check()
  expect(code).toBe(6)
  const [checked] = document.volumes
  expect(checked).toMatchObject({ verdict: 'repairable', recovery: { blocks: RECOVERY_BLOCKS - 4 } })
  expect(checked?.damaged.map(({ path }) => path)).toEqual([
    `STOWAGE/recovery-1.vol0+${RECOVERY_BLOCKS}.par2`,
  ])
  const restored = await restore()
  expect(restored.code).toBe(0)
  expect(restored.document.repaired).toBe(0)
})

test('more damage than recovery data gives back is lost, and no wrong byte is restored', async () => {
  damaged([['z', 0, 165_000]])
  const { code, document } = await check()
  expect(code).toBe(6)
  expect(document.volumes[0]?.verdict).toBe('lost')
  const text = await stowage(['verify', volume], { home })
  expect(text.stdout.replaceAll(/\s+/g, ' ')).toContain(
    'Recovery data gives none of them back; 1 file is lost on this copy.',
  )
  const restored = await restore()
  expect(restored.code).toBe(6)
  expect(restored.document).toMatchObject({ restored: 4, repaired: 0 })
  expect(restored.document.damaged.map(({ path }) => path)).toEqual(['z'])
  expect(readdirSync(target).toSorted()).toEqual(['a', 'x'])
})
