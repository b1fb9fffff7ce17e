import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RepairDocument } from '../../src/contract/dto/repair'
import { KeptResults } from '../../src/engine/jobs/keptResults'
import { planJob } from '../../src/engine/sets/plan/planJob'
import { repairJob } from '../../src/engine/sets/repair/repairJob'
import { openDamagedImage } from '../../src/engine/sets/volume/image/damagedImage'
import type { Volume } from '../../src/engine/sets/volume/lists/volume'
import { seededRandom } from '../../src/primitives/seededRandom'
import { type Bench, openBench, runJob, temporaryFolder } from '../support/archiveRun'
import { runCheck } from '../support/checkRun'

const folder = temporaryFolder('mended-lists')
const source = join(folder.path, 'source')
const plan = join(folder.path, 'plan')
const whole = join(plan, 'images/01.iso')
const disc = join(folder.path, 'disc.iso')
const out = join(folder.path, 'out.iso')
const NAMES = ['a', 'x/b', 'x/y/c ä', 'z']
let bench: Bench
let image: Volume

beforeAll(async () => {
  mkdirSync(join(source, 'x/y'), { recursive: true })
  const random = seededRandom(5)
  for (const [at, name] of NAMES.entries()) {
    const content = new Uint8Array(100_001 + 5000 * at)
    random.fillBytes(content)
    writeFileSync(join(source, name), content)
  }
  bench = openBench(join(folder.path, 'data'))
  const { catalog } = bench
  const surveyId = await bench.survey([source])
  const request = { surveyId, mediumId: 'custom:3MB', protection: 'fill' as const, labelPrefix: 'SAFE' }
  await bench.export((await runJob(planJob({ catalog }, request))) as string, plan)
  await bench.build(plan)
  image = await openDamagedImage(whole)
})
afterAll(() => {
  bench.close()
  folder.dispose()
})

/** Overwrites a part of files of a copy of the image. */
async function damage(names: readonly string[], from = 0, bytes = Number.POSITIVE_INFINITY): Promise<void> {
  copyFileSync(whole, disc)
  const content = readFileSync(disc)
  for (const name of names) {
    const place = await image.placeOf(name)
    if (!place) throw new Error(`no ${name}`)
    content.fill(0xa5, place.offset + from, place.offset + Math.min(place.bytes, from + bytes))
  }
  writeFileSync(disc, content)
}

const both = (names: readonly string[]): string[] =>
  names.flatMap((name) => [`STOWAGE/${name}`, `STOWAGE/copy/${name}`])

const check = () => runCheck(bench.catalog, [disc])

async function repair(): Promise<RepairDocument> {
  const results = new KeptResults<RepairDocument>('repair')
  const request = { volume: disc, image: out, force: true }
  return results.get((await runJob(repairJob({ catalog: bench.catalog, results }, request))) as string)
}

/** Lists by what is damaged of them: from a byte, so many bytes; without these all of them. */
type Damages = readonly [what: string, names: readonly string[], from?: number, bytes?: number][]

const DAMAGES: Damages = [
  ['a part of the index', ['INDEX.tsv'], 200, 100],
  ['all lists', ['INDEX.tsv', 'SHA256SUMS', 'README.txt', 'RECOVERY.tsv', 'RESTORE.sh']],
]
const MORE_DAMAGES: Damages = [
  ['the beginning of the index', ['INDEX.tsv'], 0, 10],
  ['the checksums', ['SHA256SUMS']],
  ['a part of the checksums', ['SHA256SUMS'], 5, 3],
  ['index and checksums', ['INDEX.tsv', 'SHA256SUMS']],
]

const REPAIRABLE = 'an image is repairable where %s, in both copies, are damaged'
test.each(DAMAGES)(REPAIRABLE, (_, ...what) => expectRepairable(...what))
test.each(MORE_DAMAGES)(REPAIRABLE, { tags: 'long' }, (_, ...what) => expectRepairable(...what))

async function expectRepairable(names: readonly string[], from?: number, bytes?: number): Promise<void> {
  await damage(both(names), from, bytes)
  const { document, error } = await check()
  expect(error?.code).toBe('verification-failed')
  const [volume] = document.volumes
  expect(volume).toMatchObject({ state: 'damaged', verdict: 'repairable', index: 1, label: 'SAFE_01' })
  expect(volume?.planId).not.toBeNull()
  const verdicts = new Map(volume?.damaged.map(({ path, verdict }) => [path, verdict]))
  expect(verdicts).toEqual(new Map(both(names).map((name) => [name, 'repairable'])))
  expect((await repair()).repaired).toHaveLength(2 * names.length)
  expect(readFileSync(out).equals(readFileSync(whole))).toBe(true)
}

test('damage to the second copies of lists alone is seen, and mended', async () => {
  const lists = ['INDEX.tsv', 'README.txt', 'RECOVERY.tsv', 'REPAIR.py', 'RESTORE.txt', 'SHA256SUMS']
  const copies = lists.map((name) => `STOWAGE/copy/${name}`)
  await damage(copies, 5, 20)
  const { document } = await check()
  const [volume] = document.volumes
  expect(volume?.verdict).toBe('repairable')
  expect(volume?.damaged.map(({ path }) => path).toSorted()).toEqual(copies)
  await repair()
  expect(readFileSync(out).equals(readFileSync(whole))).toBe(true)
})

test('checksums of which one copy has another digest are repairable', async () => {
  await damage(['STOWAGE/SHA256SUMS'])
  const content = readFileSync(disc)
  const place = await image.placeOf('STOWAGE/SHA256SUMS')
  readFileSync(whole).copy(content, place?.offset, place?.offset, (place?.offset ?? 0) + (place?.bytes ?? 0))
  const at = place?.offset ?? 0
  content.write(content.toString('latin1', at, at + 1) === '0' ? '1' : '0', at, 'latin1')
  writeFileSync(disc, content)
  const { document } = await check()
  expect(document.volumes[0]?.damaged).toMatchObject([{ path: 'STOWAGE/SHA256SUMS', verdict: 'repairable' }])
  await repair()
  expect(readFileSync(out).equals(readFileSync(whole))).toBe(true)
})

test('an image is lost where recovery data does not give its lists back', async () => {
  await damage([...both(['INDEX.tsv', 'SHA256SUMS']), ...NAMES])
  // Recovery data as large as the files would give all of them back.
  const tree = await image.tree(new AbortController().signal)
  const recovery = [...tree.keys()].find((name) => name.includes('.vol0+')) ?? ''
  const { offset, bytes } = (await image.placeOf(recovery)) ?? { offset: 0, bytes: 0 }
  const content = readFileSync(disc)
  content.fill(0xa5, offset + 30_000, offset + bytes - 30_000)
  writeFileSync(disc, content)
  const { document, error } = await check()
  expect(error?.code).toBe('verification-failed')
  const [volume] = document.volumes
  expect(volume).toMatchObject({ state: 'damaged', verdict: 'lost', label: 'SAFE_01' })
  expect(volume?.recovery?.lost).toBeGreaterThan(volume?.recovery?.blocks ?? 0)
  expect(volume?.damaged.map(({ path, verdict }) => [path, verdict])).toEqual([
    ['STOWAGE/INDEX.tsv', 'lost'],
    ['STOWAGE/SHA256SUMS', 'lost'],
  ])
})

test('an image without damage is good', async () => {
  await damage([])
  const { document, error } = await check()
  expect(error).toBeNull()
  expect(document.volumes[0]).toMatchObject({ state: 'good', verdict: 'good', damaged: [] })
})
