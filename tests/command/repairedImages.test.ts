import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { RebuildDocument } from '../../src/contract/dto/rebuild'
import type { RepairDocument } from '../../src/contract/dto/repair'
import { KeptResults } from '../../src/engine/jobs/keptResults'
import { openListed } from '../../src/engine/sets/check/openListed'
import { writeImage } from '../../src/engine/sets/mastering/writeImage'
import { planJob } from '../../src/engine/sets/plan/planJob'
import { mendedLists } from '../../src/engine/sets/recovery/mendedLists'
import { recoveryPlaces } from '../../src/engine/sets/recovery/recoveryPlaces'
import { rebuildJob } from '../../src/engine/sets/repair/rebuildJob'
import { repairJob } from '../../src/engine/sets/repair/repairJob'
import { requireWhole } from '../../src/engine/sets/repair/requireWhole'
import { writeAgain } from '../../src/engine/sets/repair/writeAgain'
import { openDamagedImage } from '../../src/engine/sets/volume/image/damagedImage'
import { foundLists } from '../../src/engine/sets/volume/lists/foundLists'
import { openFolder } from '../../src/engine/sets/volume/lists/volume'
import { volumeLists } from '../../src/engine/sets/volume/open/volumeLists'
import { openPlanFolder } from '../../src/engine/sets/volume/planned/planFolder'
import { readPlannedVolume } from '../../src/engine/sets/volume/planned/plannedLists'
import { seededRandom } from '../../src/primitives/seededRandom'
import { type Bench, openBench, runJob, temporaryFolder } from '../support/archiveRun'
import { editToFit } from '../support/editedToFit'
import { flushedFiles } from '../support/flushedFiles'
import { makePar2Set } from '../support/makePar2Set'

const SECTOR = 2048
const folder = temporaryFolder('repaired')
const source = join(folder.path, 'source')
const plan = join(folder.path, 'plan')
const disc = join(folder.path, 'disc.iso')
const out = join(folder.path, 'out.iso')
const { signal } = new AbortController()
const watch = { signal, onBytes: () => {} }
let bench: Bench

const image = (name: string): string => join(plan, 'images', `${name}.iso`)

/** A set of discs with recovery data and two of parity. */
beforeAll(async () => {
  mkdirSync(source)
  for (const name of 'abcdef') {
    const content = Buffer.alloc(400_000)
    seededRandom(name.charCodeAt(0)).fillBytes(content)
    writeFileSync(join(source, name), content)
  }
  bench = openBench(join(folder.path, 'data'))
  const surveyId = await bench.survey([source])
  const wanted = {
    surveyId,
    mediumId: 'custom:3MB',
    labelPrefix: 'D',
    protection: 10,
    protectSet: 2 as const,
  }
  const planId = await runJob(planJob({ catalog: bench.catalog }, wanted))
  if (typeof planId !== 'string') throw new Error('no plan')
  await bench.export(planId, plan)
  await bench.build(plan)
  const { plan: document } = await openPlanFolder(plan)
  expect(document.volumes).toHaveLength(2)
})
afterAll(() => {
  bench.close()
  folder.dispose()
})
beforeEach(() => {
  copyFileSync(image('01'), disc)
  rmSync(out, { force: true })
})
afterEach(() => vi.restoreAllMocks())

it('a repair or rebuild with --force replaces an image of the same disc alone', async () => {
  change(disc, (bytes) => bytes.fill(0, 300 * SECTOR, 302 * SECTOR))
  const repairs = new KeptResults<RepairDocument>('repair')
  const rebuilds = new KeptResults<RebuildDocument>('rebuild')
  const repairOver = () =>
    runJob(repairJob({ catalog: bench.catalog, results: repairs }, { volume: disc, image: out, force: true }))
  const rebuildOver = (volumes: string[], lost: number) =>
    runJob(
      rebuildJob({ catalog: bench.catalog, results: rebuilds }, { volumes, lost, image: out, force: true }),
    )
  const others = [image('02'), image('P')]
  writeFileSync(out, 'a thesis')
  for (const work of [repairOver, () => rebuildOver(others, 1)])
    await expect(work()).rejects.toThrow('what is there is no image of D_01; choose another name')
  expect(readFileSync(out, 'utf8')).toBe('a thesis')
  copyFileSync(image('02'), out)
  await expect(repairOver()).rejects.toThrow('what is there is no image of D_01')
  copyFileSync(disc, out)
  await repairOver()
  await rebuildOver(others, 1)
  expect(readFileSync(out).equals(readFileSync(image('01')))).toBe(true)
})

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

function change(path: string, changes: (bytes: Buffer) => void): void {
  const bytes = readFileSync(path)
  changes(bytes)
  writeFileSync(path, bytes)
}

const overwrite = (path: string, first: number, sectors: number): void =>
  change(path, (bytes) => bytes.fill(0xa5, first * SECTOR, (first + sectors) * SECTOR))

function repair(): ReturnType<typeof runJob> {
  const results = new KeptResults<RepairDocument>('repair')
  return runJob(repairJob({ catalog: bench.catalog, results }, { volume: disc, image: out, force: false }))
}

function rebuild(volumes: string[]): ReturnType<typeof runJob> {
  const results = new KeptResults<RebuildDocument>('rebuild')
  const request = { volumes, lost: 1, image: out, force: false }
  return runJob(rebuildJob({ catalog: bench.catalog, results }, request))
}

/** A parity disc whose list says another digest of an image. */
function withOtherDigest(kind: 'P' | 'Q', label: string): string {
  const path = join(folder.path, `${kind}.iso`)
  copyFileSync(image(kind), path)
  change(path, (bytes) => {
    const row = bytes.indexOf(`\timage\t${label}\t`)
    const digit = bytes.indexOf('\n', row) - 1
    bytes[digit] = bytes[digit] === 0x30 ? 0x31 : 0x30
  })
  return path
}

it('an image whose lists were changed to fit is not repaired: they are not those of its plan', async () => {
  await editToFit(disc, 'a')
  await expect(repair()).rejects.toMatchObject({
    code: 'verification-failed',
    message: expect.stringContaining('its lists are not those that were made of plan'),
  })
  expect(existsSync(out)).toBe(false)
})

describe('a repaired image', () => {
  it('is flushed before it takes its name', async () => {
    overwrite(disc, 18, 4)
    const isFlushed = await flushedFiles()
    await repair()
    expect(await isFlushed(out)).toBe(true)
  })

  it('is announced as another one before it is written, where something of it is not known', async () => {
    const plain = join(folder.path, 'plain')
    const surveyId = await bench.survey([source])
    await bench.export((await bench.plan(surveyId, 'custom:9MB')).id, plain)
    await bench.build(plain)
    copyFileSync(join(plain, 'images/01.iso'), disc)
    overwrite(disc, 16, 4)
    const other = openBench(join(folder.path, 'other'))
    const results = new KeptResults<RepairDocument>('repair')
    const seen: [cautions: readonly string[], isThere: boolean][] = []
    await runJob(repairJob({ catalog: other.catalog, results }, { volume: disc, image: out, force: false }), {
      onProgress: ({ cautions }) => {
        if (cautions) seen.push([cautions, existsSync(out)])
      },
    })
    other.close()
    const caution =
      'some bytes may not be as they were: the version of Stowage that made it could not be read: the image names this one'
    expect(seen[0]).toEqual([[caution], false])
  })

  it('is read back as the image of its set, with undamaged folders', async () => {
    const lists = await volumeLists(await openDamagedImage(disc))
    expect(await requireWhole(disc, lists, watch)).toBeGreaterThan(3)
    const other = { ...lists, setId: '0'.repeat(64) }
    await expect(requireWhole(disc, other, watch)).rejects.toThrow('is not whole')
    overwrite(disc, 18, 4)
    await expect(requireWhole(disc, lists, watch)).rejects.toThrow('is not whole')
  })

  it('takes a list that recovery data does not give back from its second copy', async () => {
    const bytes = readFileSync(disc)
    const end = Math.ceil(bytes.lastIndexOf('PAR 2.0\0Creator') / SECTOR)
    const first = bytes.indexOf('PAR2\0PKT') / SECTOR
    overwrite(disc, first, end - first)
    overwrite(disc, bytes.indexOf('# Index of all volumes.') / SECTOR, 1)
    await repair()
    expect(readFileSync(out).equals(readFileSync(image('01')))).toBe(true)
  })

  it('is made of no list that is not as the checksums say', async () => {
    const lists = await volumeLists(await openDamagedImage(disc))
    const { places } = await (await openListed(lists, watch.signal)).read(watch)
    const contents = new Map(places)
    contents.set('STOWAGE/RESTORE.txt', contents.get('STOWAGE/RESTORE.sh') as never)
    await expect(writeAgain(lists, 1, { contents, planned: null })).rejects.toThrow(
      'cannot use STOWAGE/RESTORE.txt: its content differs',
    )
    await expect(writeAgain(lists, 1, { contents: places, planned: null })).resolves.toMatchObject({
      unknown: [],
    })
  })
})

describe('a rebuilt image', () => {
  const given = (): string[] => [image('02'), image('P')]

  it('is flushed before it takes its name', async () => {
    const isFlushed = await flushedFiles()
    await rebuild(given())
    expect(await isFlushed(out)).toBe(true)
    expect(readFileSync(out).equals(readFileSync(image('01')))).toBe(true)
  })

  it('is kept only with the digest that the list has of it', async () => {
    await expect(rebuild([image('02'), withOtherDigest('P', 'D_01')])).rejects.toThrow(
      'the image of D_01 has another SHA-256 than its list',
    )
    expect(existsSync(out)).toBe(false)
  })

  it('is not made of parity discs of two sets', async () => {
    const both = [image('02'), image('Q'), withOtherDigest('P', 'D_02')]
    await expect(rebuild(both)).rejects.toThrow('it is a parity disc of another set')
  })

  it('is not kept where its lists or its files are not those of its plan', async () => {
    const own = await openDamagedImage(image('01'))
    const parity = await openDamagedImage(image('P'))
    const into = await parity.placeOf('STOWAGE/PARITY_P.bin')
    for (const name of ['STOWAGE/INDEX.tsv', 'a']) {
      const place = await own.placeOf(name)
      if (!place || !into) throw new Error('no such file')
      const at = place.offset + 200
      const other = (bytes: Buffer, from: number): string => {
        for (let byte = from; byte < from + 16; byte++) bytes[byte] = (bytes[byte] ?? 0) ^ 1
        return sha256(bytes)
      }
      const first = readFileSync(image('01'))
      const [was, is] = [sha256(first), other(first, at)]
      copyFileSync(image('P'), disc)
      change(disc, (bytes) => {
        const content = bytes.subarray(into.offset, into.offset + into.bytes)
        const digests = [[was, is] as const, [sha256(content), other(content, at)] as const]
        for (const [before, after] of digests) bytes.write(after, bytes.indexOf(before))
      })
      await expect(rebuild([image('02'), disc])).rejects.toThrow('the image that was made is not whole')
      expect(existsSync(out)).toBe(false)
    }
  })

  it('is not made of an image that ends early, which is named', async () => {
    truncateSync(disc, readFileSync(disc).length - SECTOR)
    const request = { volumes: [disc, image('P')], lost: 2, image: out, force: false }
    const results = new KeptResults<RebuildDocument>('rebuild')
    const job = runJob(rebuildJob({ catalog: bench.catalog, results }, request))
    await expect(job).rejects.toThrow(/disc\.iso \(D_01\): it is shorter than its image was/)
  })
})

describe('recovery data', () => {
  it('is searched for without folders where any of them is damaged', async () => {
    overwrite(disc, 257, 2)
    const files = await openDamagedImage(disc)
    expect(files.damage?.trees).toEqual(['udf'])
    const places = await recoveryPlaces(files, 'STOWAGE', signal)
    expect(places.filter(({ name }) => name === null)).toHaveLength(1)
    expect(places.filter(({ name }) => name !== null).length).toBeGreaterThan(1)
  })
})

describe('an image of a plan', () => {
  it('is not written where its layout has another size than planned', async () => {
    const opened = await openPlanFolder(plan)
    const [volume] = opened.plan.volumes
    if (!volume) throw new Error('no volume')
    const planned = await readPlannedVolume(opened, volume, signal)
    await expect(
      writeImage(opened, { ...planned, sectors: planned.sectors + 32 }, out, watch),
    ).rejects.toMatchObject({ code: 'changed' })
  })
})

describe('the lists of a volume', () => {
  it('are never those of a disc that was archived on it', async () => {
    const volume = join(folder.path, 'volume')
    for (const name of ['ARCHIVED', 'STOWAGE']) mkdirSync(join(volume, name), { recursive: true })
    const index = readFileSync(join(plan, 'index.tsv'))
    const digest = createHash('sha256').update(index).digest('hex')
    const lists = ['ARCHIVED/INDEX.tsv', 'ARCHIVED/SHA256SUMS'].map((name) => join(volume, name)) as [
      string,
      string,
    ]
    writeFileSync(lists[0], index)
    writeFileSync(lists[1], `${digest}  ARCHIVED/INDEX.tsv\n`)
    writeFileSync(join(volume, 'STOWAGE/SHA256SUMS'), `${digest}  STOWAGE/INDEX.tsv\n`)
    await makePar2Set({
      files: lists.map((path) => {
        return { name: path.slice(volume.length + 1), path, offset: 0, bytes: statSync(path).size }
      }),
      blockBytes: 512,
      recoveryBlocks: 8,
      threads: 1,
      index: join(volume, 'STOWAGE/recovery-1.par2'),
      recovery: join(volume, 'STOWAGE/recovery-1.vol0+8.par2'),
    })
    for (const path of lists) change(path, (bytes) => bytes.fill(0xa5, 0, 40))
    const found = await foundLists(await openFolder(volume))
    const mended = await mendedLists(found, { notes: bench.catalog, signal })
    expect([found.own, mended.own, mended.text]).toEqual(['STOWAGE', 'STOWAGE', null])
  })
})
