import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
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
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { CheckDocument } from '../../src/contract/dto/check'
import type { PlanDocument } from '../../src/contract/dto/plan'
import { checkOf } from '../../src/domain/sets/volumeEvent'
import { sha256Line } from '../../src/engine/sets/volume/lists/sha256Sums'
import { seededRandom } from '../../src/primitives/seededRandom'
import { type CommandEnd, stowage } from '../fixtures/stowageCommand'
import { type Bench, openBench, temporaryFolder } from '../support/archiveRun'
import { badSectors } from '../support/badSectors'
import { packedSet } from '../support/packedSet'
import { asPlannedForXorriso } from '../support/xorrisoPlan'

const SECTOR = 2048
const folder = temporaryFolder('check')
const source = join(folder.path, 'source')
const discs = join(folder.path, 'discs')
/** A catalog that has the plan, and one that knows nothing. */
const home = join(folder.path, 'data')
const elsewhere = join(folder.path, 'elsewhere')
const disc = join(folder.path, 'disc.iso')
let bench: Bench
let plan: PlanDocument
let bad: ReturnType<typeof badSectors>

beforeAll(async () => {
  mkdirSync(join(source, 'x'), { recursive: true })
  const random = seededRandom(5)
  for (const name of ['a', 'x/b', 'x/c', 'x/d', 'x/e', 'z']) {
    const content = new Uint8Array(700_001)
    random.fillBytes(content)
    writeFileSync(join(source, name), content)
  }
  bench = openBench(home)
  plan = await bench.plan(await bench.survey([source]), 'custom:3MB', { labelPrefix: 'DISC' })
  await bench.export(plan.id, join(folder.path, 'plan'))
  await bench.build(join(folder.path, 'plan'))
  cpSync(join(folder.path, 'plan/images'), discs, { recursive: true })
  expect(plan.volumes.length).toBe(2)
  bad = badSectors(folder.path)
})
beforeEach(() => copyFileSync(join(discs, '01.iso'), disc))
afterAll(() => {
  bench.close()
  folder.dispose()
})

/** Adds the checksums of what is on a volume of `packedSet`. */
function addSums(volume: string): void {
  const names = readdirSync(volume, { recursive: true, encoding: 'utf8' })
  const files = names.filter((name) => name !== 'STOWAGE/SHA256SUMS' && statSync(join(volume, name)).isFile())
  const digest = (name: string): string =>
    createHash('sha256')
      .update(readFileSync(join(volume, name)))
      .digest('hex')
  writeFileSync(
    join(volume, 'STOWAGE/SHA256SUMS'),
    files.map((name) => sha256Line(digest(name), name)).join(''),
  )
}

async function check(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<CommandEnd & { document: CheckDocument }> {
  const end = await stowage(['verify', ...args, '--json'], { home: elsewhere, env })
  return { ...end, document: JSON.parse(end.stdout) as CheckDocument }
}

/** Where the content of a file lies in an image. */
function offsetOf(image: string, file: string): number {
  const at = readFileSync(image).indexOf(readFileSync(join(source, file)).subarray(0, 512))
  expect(at % SECTOR).toBe(0)
  return at
}

/** Files of the source that are on a volume. */
function filesOn(image: string): string[] {
  const all = readFileSync(image)
  const names = ['a', 'x/b', 'x/c', 'x/d', 'x/e', 'z']
  return names.filter((name) => all.includes(readFileSync(join(source, name)).subarray(0, 512)))
}

describe('a disc without its plan', () => {
  test('is read back file by file, with direct reading where possible, and knows the volumes that are missing', async () => {
    const { code, document } = await check([disc])
    expect(code).toBe(0)
    expect(document).toMatchObject({
      schema: 'stowage.check/1',
      outcome: 'done',
      volumes: [{ label: 'DISC_01', index: 1, planId: plan.id, state: 'good', damaged: [], error: null }],
      notGiven: [{ index: 2, label: 'DISC_02' }],
    })
    const [volume] = document.volumes
    // Its own five files and the source's.
    expect(volume?.files).toBe(filesOn(disc).length + 5)
    expect(['uncached', 'dropped', 'cached']).toContain(volume?.reading?.way)
  })

  test('with bad sectors names each file that they hit, the bytes in it and the sectors, and reads on behind them', {
    tags: 'long',
  }, async () => {
    const [first = '', second = ''] = filesOn(disc)
    const [one, other] = [offsetOf(disc, first), offsetOf(disc, second)]
    const sectors: [number, number][] = [
      [one + 3 * SECTOR, 2 * SECTOR],
      [one + 9 * SECTOR + 100, 5],
      [other, 1],
    ]
    for (const noDirect of [false, true]) {
      const { code, document, stderr } = await check(
        [disc, join(discs, '02.iso')],
        bad.env(disc, sectors, { noDirect }),
      )
      expect(code).toBe(6)
      expect(stderr).toContain('verification of DISC_01 failed')
      const [damaged, good] = document.volumes
      expect(good).toMatchObject({ label: 'DISC_02', state: 'good' })
      expect(damaged?.damaged.map(({ path, kind }) => [path, kind])).toEqual([
        [first, 'unreadable'],
        [second, 'unreadable'],
      ])
      expect(damaged?.damaged[0]?.because).toContain('6,144 bytes cannot be read (input/output error)')
      expect(damaged?.damaged.map(({ unreadable }) => unreadable)).toEqual([
        [
          { offset: 3 * SECTOR, bytes: 2 * SECTOR },
          { offset: 9 * SECTOR, bytes: SECTOR },
        ],
        [{ offset: 0, bytes: SECTOR }],
      ])
      expect(damaged?.damaged[1]?.sectors).toEqual([{ first: other / SECTOR, count: 1 }])
      if (noDirect) expect(damaged?.reading?.way).not.toBe('uncached')
    }
  })

  test('is checked by its checksums where the index cannot be read', { tags: 'long' }, async () => {
    const image = readFileSync(disc)
    const index = image.indexOf(Buffer.from('# Index of all volumes.'))
    const { code, document } = await check([disc], bad.env(disc, [[index, 10]]))
    expect(code).toBe(6)
    const [volume] = document.volumes
    expect(volume?.damaged.map(({ path }) => path)).toEqual(['STOWAGE/INDEX.tsv'])
    expect(volume).toMatchObject({
      label: 'DISC_01',
      index: 1,
      state: 'damaged',
      files: filesOn(disc).length + 5,
    })
    expect(volume?.notes.join()).toContain('its INDEX.tsv cannot be read')
  })

  test('that is cut short names the files behind its end, and a flipped byte the file that it is in', {
    tags: 'long',
  }, async () => {
    // The lists of xorriso's images lie before other content.
    const directory = join(folder.path, 'by xorriso')
    const about = { labelPrefix: 'DISC' } as const
    await bench.export((await bench.plan(plan.surveyId, 'custom:3MB', about)).id, directory)
    await asPlannedForXorriso(directory, [1, 2])
    const second = join(directory, 'images/02.iso')
    copyFileSync(join(directory, 'images/01.iso'), disc)
    const index = readFileSync(disc).indexOf(Buffer.from('# Index of all volumes.'))
    const inOrder = filesOn(disc).toSorted((x, y) => offsetOf(disc, x) - offsetOf(disc, y))
    const last = inOrder.at(-1) ?? ''
    expect(offsetOf(disc, last)).toBeGreaterThan(index)
    truncateSync(disc, offsetOf(disc, last) + 10 * SECTOR)
    const cut = await check([disc])
    expect(cut.code).toBe(6)
    expect(cut.document.volumes[0]?.damaged).toMatchObject([
      { path: last, kind: 'cut', unreadable: [{ offset: 10 * SECTOR, bytes: 700_001 - 10 * SECTOR }] },
    ])

    const image = readFileSync(second)
    const [first = ''] = filesOn(second)
    const byte = offsetOf(second, first) + 5000
    image[byte] = (image[byte] ?? 0) ^ 1
    writeFileSync(disc, image)
    const flipped = await check([disc])
    expect(flipped.document.volumes[0]?.damaged).toMatchObject([
      { path: first, kind: 'differs', because: 'its content differs (SHA-256)', unreadable: [] },
    ])
  })

  test('that is a folder is checked too, and its missing file named', { tags: 'long' }, async () => {
    const copied = join(folder.path, 'copied')
    execFileSync('xorriso', ['-osirrox', 'on', '-indev', `stdio:${disc}`, '-extract', '/', copied], {
      stdio: 'pipe',
    })
    execFileSync('chmod', ['-R', 'u+w', copied])
    const whole = await stowage(['verify', copied], { home: elsewhere })
    expect(whole.code).toBe(0)
    const [first = ''] = filesOn(disc)
    rmSync(join(copied, first))
    const { code, document } = await check([copied])
    expect(code).toBe(6)
    expect(document.volumes[0]?.damaged).toMatchObject([{ path: first, kind: 'missing', sectors: null }])
  })

  test('is refused in one line when it is none', async () => {
    const end = await stowage(['verify', source], { home: elsewhere })
    expect(end.code).toBe(2)
    expect(end.stderr).toContain(
      `cannot verify ${source}: it is neither a plan folder nor a volume (no INDEX.tsv)`,
    )
  })
})

describe('the catalog', () => {
  test('keeps when a disc of an unknown plan was checked, with an interval that stays, and what is due', async () => {
    const fresh = join(folder.path, 'fresh')
    const run = (...args: string[]): Promise<CommandEnd> => stowage(['verify', ...args], { home: fresh })
    expect((await run(join(discs, '01.iso'), '--every', '2y')).code).toBe(0)
    expect((await run(join(discs, '01.iso'), join(discs, '02.iso'))).code).toBe(0)
    const due = JSON.parse((await run('--due', '--within', '500d', '--json')).stdout) as {
      schema: string
      known: number
      volumes: { label: string; last: { everyMonths: number; by: string } }[]
    }
    expect(due).toMatchObject({ schema: 'stowage.checksDue/1', known: 2 })
    expect(due.volumes).toMatchObject([
      { label: 'DISC_02', last: { everyMonths: 12, by: 'volume', result: 'good' } },
    ])
    expect((await run('--due')).stdout).toContain('None of 2 volumes is due')
  })

  test('has one interval for all volumes of a set, which checks of any kind keep', async () => {
    const dueIn = async (): Promise<unknown[]> => {
      const { stdout } = await stowage(['verify', '--due', '--within', '99999d', '--json'], { home })
      const { volumes } = JSON.parse(stdout) as {
        volumes: { planId: string; last: { everyMonths: number } | null }[]
      }
      return volumes.flatMap(({ planId, last }) => (planId === plan.id && last ? [last.everyMonths] : []))
    }
    expect((await stowage(['verify', disc], { home })).code).toBe(0)
    const set = await stowage(['catalog', 'every', '5y', plan.id], { home })
    expect(set).toMatchObject({
      code: 0,
      stdout: `The volumes of ${plan.id} are to be verified every 60 months.\n`,
    })
    expect(new Set(await dueIn())).toEqual(new Set([60]))
    expect((await stowage(['verify', join(discs, '02.iso')], { home })).code).toBe(0)
    expect((await bench.verify(join(folder.path, 'plan'), { volumes: [1] })).error).toBeNull()
    expect(new Set(await dueIn())).toEqual(new Set([60]))
    const unknown = await stowage(['catalog', 'every', '5y', 'p-000000000000'], { home })
    expect(unknown.code).not.toBe(0)
    expect(unknown.stderr).toContain('the catalog has no plan and no checked set p-000000000000')
    expect((await stowage(['catalog', 'every', 'often', plan.id], { home })).code).toBe(2)
    expect((await stowage(['catalog', 'every', '1y', plan.id], { home })).code).toBe(0)
  })

  test('shows a check of the disc alone in find, and that a plan’s verification is one', async () => {
    const { error } = await bench.verify(join(folder.path, 'plan'), { volumes: [2] })
    expect(error).toBeNull()
    const checks = () => bench.catalog.events(plan.id).flatMap((event) => checkOf(event) ?? [])
    expect(checks()).toContainEqual(expect.objectContaining({ volume: 2, by: 'plan', result: 'good' }))
    const end = await stowage(['verify', disc], { home })
    expect(end.code).toBe(0)
    expect(checks()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ volume: 1, by: 'volume' }),
        expect.objectContaining({ volume: 2, by: 'plan' }),
      ]),
    )
    const sets = new Set(checks().map(({ setId }) => setId))
    expect(sets.size).toBe(1)
    const found = await stowage(['find', filesOn(disc)[0] ?? ''], { home })
    expect(found.stdout.replaceAll('\n  ', ' ')).toMatch(
      /DISC_01, disc 1 of plan p-\w+: built .+, verified .+, check again by .+ \d{4}/,
    )
  })
})

describe('a packed disc', { tags: 'long' }, () => {
  const small = join(folder.path, 'small')
  beforeAll(() => {
    mkdirSync(small)
    for (const name of ['one', 'two']) writeFileSync(join(small, name), name.repeat(5000))
  })

  test('is checked by its archives, and with --contents or the password by the files in them', async () => {
    const plain = await packedSet('7z-solid-1m-path', small, join(folder.path, 'packed'), {})
    const locked = await packedSet('7z-solid-1m-path', small, join(folder.path, 'locked'), {
      password: 'secret',
    })
    for (const volume of [...plain.volumes, ...locked.volumes]) addSums(volume)
    const without = await check([...plain.volumes])
    expect(without.code).toBe(0)
    expect(without.document.volumes[0]).toMatchObject({ contents: 0, state: 'good' })
    expect(without.document.volumes[0]?.notes.join()).toContain('with --contents')
    const inside = await check([...plain.volumes, '--contents'])
    expect(inside.document.volumes[0]).toMatchObject({ contents: 2, state: 'good' })

    const password = join(folder.path, 'password')
    writeFileSync(password, 'secret\n')
    const opened = await check([...locked.volumes, '--password-file', password])
    expect(opened.document.volumes[0]).toMatchObject({ contents: 2 })
    writeFileSync(password, 'wrong\n')
    const wrong = await stowage(['verify', ...locked.volumes, '--password-file', password], {
      home: elsewhere,
    })
    expect(wrong.code).toBe(2)
    expect(wrong.stderr).toContain('the password is wrong')
  })
})
