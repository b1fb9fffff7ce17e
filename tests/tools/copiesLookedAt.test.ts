import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { SafeDocument } from '../../src/contract/dto/copies'
import type { PlanDocument } from '../../src/contract/dto/plan'
import { fileSystems } from '../../src/engine/files/fileSystems'
import { KeptResults } from '../../src/engine/jobs/keptResults'
import { checkJob } from '../../src/engine/sets/check/checkJob'
import { knownCopies } from '../../src/engine/sets/copies/knownCopies'
import { lookAtCopies } from '../../src/engine/sets/copies/lookAtCopies'
import { noteCopies } from '../../src/engine/sets/copies/noteCopies'
import { safeSource } from '../../src/engine/sets/copies/safeSource'
import { sourceNow } from '../../src/engine/sets/copies/sourceNow'
import { surveyOf } from '../../src/engine/sets/copies/surveyOf'
import { systemClock } from '../../src/primitives/clock'
import { type Bench, openBench, runJob, temporaryFolder } from '../support/archiveRun'
import { mostlyLong } from '../support/mostlyLong'
import { folderOnOtherDisk } from '../support/otherDisk'
import { smallDisk } from '../support/smallDisk'
import { makeFolder } from '../support/smallSource'
import { sha256 } from '../support/volumeFolders'

let folder: ReturnType<typeof temporaryFolder>
let here: string
/** On another disk. */
let away: string
let source: string
let bench: Bench
beforeEach(() => {
  folder = temporaryFolder('looked')
  here = realpathSync(folder.path)
  away = folderOnOtherDisk()
  source = join(here, 'source')
  makeFolder(source, ['1', '2', '3'], 60_000)
  bench = openBench(join(here, 'home'))
})
afterEach(() => {
  bench.close()
  folder.dispose()
  rmSync(away, { recursive: true, force: true })
})

const LOOKING = { fileSystems }
const at = (name: string): string => join(here, name)

/** A plan of folders or images that is built; its volume is `V_01`. */
async function built(name: string, medium = 'folder:1MB', from = source): Promise<PlanDocument> {
  const surveyId = await bench.survey([from], { sha256: true })
  const plan = await bench.plan(surveyId, medium, { labelPrefix: 'V' })
  await bench.export(plan.id, at(name))
  expect((await bench.build(at(name))).error).toBeNull()
  return plan
}

/** Two verified copies on two disks. */
async function kept(medium?: string): Promise<PlanDocument> {
  const plan = await built('plan', medium)
  await written('plan', at('usb'), 1, 'home')
  await written('plan', away, 2, 'bank')
  return plan
}

async function written(name: string, to: string, copy: number, place: string, again = false): Promise<void> {
  const { error } = await bench.write({ directory: at(name), folder: to, copy, place, again })
  if (error) throw error
}

function safe(lookedAt = false, surveyId = lastSurvey()): Promise<SafeDocument> {
  const now = { nowWallMs: systemClock.wallMs(), pause: async () => {}, looking: LOOKING }
  return safeSource(bench.catalog, { surveyId, copies: null, lookedAt, limit: 5 }, now)
}

const lastSurvey = (): string => bench.catalog.surveys()[0]?.id ?? ''
const codes = ({ reasons }: SafeDocument): string[] => reasons.map(({ code }) => code)
const wrong = ({ copies }: SafeDocument): (string | null)[] =>
  copies.flatMap(({ look }) =>
    look && look.found !== 'there' && look.found !== 'unreachable' ? [look.because] : [],
  )

async function checked(path: string): Promise<string> {
  const unrecorded = new KeptResults<never>('check')
  const request = { volumes: [path], contents: false, copy: null, everyMonths: null, password: null }
  const result = await runJob(checkJob({ catalog: bench.catalog, unrecorded }, request))
  const id = typeof result === 'string' ? result : result !== null && 'kept' in result ? result.kept : ''
  const [volume] = bench.catalog.check(id).volumes
  return `${volume?.state}, ${volume?.against ?? 'nothing'}${volume?.damaged.map((file) => `, ${file.path}: ${file.because}`).join('')}`
}

describe('a copy counts while it is there', () => {
  mostlyLong(
    test,
    ['folder:1MB', 'custom:10MB'],
    (medium) => medium === 'folder:1MB',
  )('as a volume of %s, and not once it is gone, cut or another', async (medium) => {
    const plan = await kept(medium)
    const name = medium.startsWith('folder') ? 'V_01' : 'V_01.iso'
    const copy = join(away, name)
    expect(await safe()).toMatchObject({
      safe: true,
      looked: { copies: 2, there: 2, wrong: 0, verifiedWallMs: null },
    })
    renameSync(copy, join(away, 'kept'))
    expect(wrong(await safe())).toEqual([`nothing is at ${copy}`])
    expect(codes(await safe())).toEqual(['few'])
    // Another plan's volume of the same label and size.
    await built('other', medium)
    cpSync(join(at('other'), medium.startsWith('folder') ? 'folders/01' : 'images/01.iso'), copy, {
      recursive: true,
    })
    expect(wrong(await safe(false, plan.surveyId))).toEqual([`${copy} is of another plan`])
    rmSync(copy, { recursive: true })
    cpSync(join(away, 'kept'), copy, { recursive: true })
    expect((await safe(false, plan.surveyId)).safe).toBe(true)
    const file = medium.startsWith('folder') ? join(copy, '2') : copy
    truncateSync(file, 4096)
    expect(wrong(await safe(false, plan.surveyId))[0]).toMatch(/^.* has 4,096 bytes instead of [\d,]+ bytes$/)
  })

  test('of a set that its lists name', async () => {
    await kept()
    appendFileSync(join(away, 'V_01', 'STOWAGE', 'SHA256SUMS'), '\n')
    expect(wrong(await safe())).toEqual([
      `${join(away, 'V_01', 'STOWAGE', 'SHA256SUMS')} is not as it was written`,
    ])
    const index = join(away, 'V_01', 'STOWAGE', 'INDEX.tsv')
    const sums = readFileSync(join(at('usb'), 'V_01', 'STOWAGE', 'SHA256SUMS'), 'utf8')
    appendFileSync(index, '# another\n')
    const digest = sha256(readFileSync(index))
    writeFileSync(
      join(away, 'V_01', 'STOWAGE', 'SHA256SUMS'),
      sums.replace(/^[0-9a-f]{64}(?= {2}\S*INDEX\.tsv$)/m, digest),
    )
    expect(wrong(await safe())[0]).toContain('is of another set of its plan, or its lists were changed')
  })

  test('as the built folder of its own plan alone', async () => {
    const plan = await built('plan')
    expect((await bench.verify(at('plan'))).error).toBeNull()
    await written('plan', away, 1, 'office')
    noteCopies(
      bench.catalog,
      { of: plan.id, copy: 0, kind: 'place', place: 'home', medium: null },
      systemClock.wallMs(),
    )
    expect((await safe()).safe).toBe(true)
    rmSync(at('plan'), { recursive: true })
    writeFileSync(join(source, '4'), 'x')
    await built('plan')
    const document = await safe(false, plan.surveyId)
    expect(codes(document)).toEqual(['added', 'few'])
    expect(wrong(document)).toEqual([`${join(at('plan'), 'folders', '01')} is of another plan`])
  })

  test('on a shelf too, but not where only those are asked for that were looked at', async () => {
    await built('plan', 'custom:10MB')
    await written('plan', at('usb'), 1, 'home')
    const { error } = await bench.write({
      directory: at('plan'),
      file: join(away, 'disc'),
      copy: 2,
      place: 'bank',
    })
    expect(error).toBeNull()
    expect(await safe(true)).toMatchObject({ safe: true, looked: { there: 2 } })
    rmSync(join(away, 'disc'))
    const document = await safe()
    expect(document).toMatchObject({ safe: true, looked: { copies: 2, there: 1, wrong: 0 } })
    expect(document.looked?.verifiedWallMs).not.toBeNull()
    expect(codes(await safe(true))).toEqual(['few'])
    // Another disc in the drive says nothing of this one.
    cpSync(join(at('plan'), 'plan.json'), join(away, 'disc'))
    expect((await safe()).safe).toBe(true)
  })

  test('on a file system that is not mounted, and at its new place on one that is mounted elsewhere', async () => {
    await kept()
    const mounted = await fileSystems.mounted()
    const own = await fileSystems.of(away)
    const moved = join(away, 'mounted here')
    mkdirSync(moved)
    renameSync(join(away, 'V_01'), join(moved, 'V_01'))
    const nowAt = (mountPoint: string | null) => ({
      of: fileSystems.of,
      mounted: async () =>
        mounted.flatMap((one) =>
          one.id !== own?.id ? [one] : mountPoint === null ? [] : [{ ...one, mountPoint }],
        ),
    })
    const looks = async (mountPoint: string | null) => {
      const copies = knownCopies(bench.catalog, systemClock.wallMs()).filter(({ copy }) => copy === 2)
      // As it was noted when the disk was mounted there.
      const fileSystem = own && { ...own, mountPoint: away }
      const known = copies.map((copy) => Object.assign(copy, { fileSystem }))
      return (await lookAtCopies(known, { fileSystems: nowAt(mountPoint) })).map(({ look }) => look.found)
    }
    expect(await looks(null)).toEqual(['unreachable'])
    expect(await looks(away)).toEqual(['gone'])
    expect(await looks(moved)).toEqual(['there'])
  })

  test('where its place answers, and is not waited for elsewhere', async () => {
    await kept()
    const never = { of: () => new Promise<never>(() => {}), mounted: fileSystems.mounted }
    const copies = knownCopies(bench.catalog, systemClock.wallMs()).filter(({ copy }) => copy > 0)
    const looked = await lookAtCopies(copies, { fileSystems: never, limitMs: 20 })
    expect(looked.map(({ look }) => look.because)).toEqual(Array(2).fill('its place did not answer in time'))
  })
})

describe('copies are things, not paths', () => {
  test('two on one disk are one, whatever their places are called', async () => {
    await built('plan')
    await written('plan', at('usb'), 1, 'home')
    await written('plan', at('stick'), 2, 'bank')
    expect(codes(await safe())).toEqual(['oneDisk'])
    await written('plan', away, 3, 'office')
    expect((await safe()).safe).toBe(true)
  })

  test('one that a later run reads back is verified by that', async () => {
    await built('plan')
    expect((await bench.write({ directory: at('plan'), folder: at('usb'), verify: false })).error).toBeNull()
    const states = () =>
      knownCopies(bench.catalog, systemClock.wallMs()).map(({ copy, state }) => [copy, state])
    expect(states()).toContainEqual([1, 'unverified'])
    await bench.write({ directory: at('plan'), folder: at('usb') })
    expect(states()).toContainEqual([1, 'good'])
  })

  test('a folder that a link leads to is the copy that it holds', async () => {
    await built('plan')
    await written('plan', at('usb'), 1, 'home')
    symlinkSync('usb', at('link'))
    await expect(written('plan', at('link'), 2, 'bank')).rejects.toThrow(
      'it is copy 1 of V_01; choose another folder',
    )
    // The same copy by its other path is read back, not written a second time.
    const { run } = await bench.write({ directory: at('plan'), folder: at('link'), copy: 1, place: 'home' })
    expect(run.volumes.map(({ state }) => state)).toEqual(['kept'])
  })

  test.each([
    ['folder:1MB', 'V_01'],
    ['custom:10MB', 'V_01.iso'],
  ])('a link to the other one on another disk is no second copy of %s', async (medium, name) => {
    await kept(medium)
    rmSync(join(away, name), { recursive: true })
    symlinkSync(join(at('usb'), name), join(away, name))
    expect(codes(await safe())).toEqual(['oneDisk'])
  })

  test('one in the source does not count, by a bind mount either', async ({ skip }) => {
    await built('plan')
    mkdirSync(at('bind'))
    if (spawnSync('mount', ['--bind', source, at('bind')]).status !== 0)
      skip('folders cannot be mounted here')
    try {
      await written('plan', join(at('bind'), 'backup'), 1, 'home')
      await written('plan', away, 2, 'bank')
      expect(codes(await safe())).toEqual(['added', 'few'])
      rmSync(join(source, 'backup'), { recursive: true })
      const found = await surveyOf(bench.catalog, [at('bind')])
      expect(found).toBe(lastSurvey())
    } finally {
      expect(spawnSync('umount', ['--lazy', at('bind')]).status).toBe(0)
    }
  })
})

describe('writing again replaces', { tags: 'long' }, () => {
  test('no folder and no image that Stowage did not write', async () => {
    await built('plan')
    await built('images', 'custom:10MB')
    mkdirSync(at('usb/V_01'), { recursive: true })
    writeFileSync(at('usb/V_01/thesis.txt'), 'mine')
    writeFileSync(at('usb/V_01.iso'), 'mine too')
    for (const name of ['plan', 'images'])
      await expect(written(name, at('usb'), 1, 'home', true)).rejects.toThrow(
        'what is there is not V_01 of this plan as Stowage wrote it; choose another folder',
      )
    expect(readFileSync(at('usb/V_01/thesis.txt'), 'utf8')).toBe('mine')
    expect(readFileSync(at('usb/V_01.iso'), 'utf8')).toBe('mine too')
    await expect(written('plan', at('usb'), 1, 'home')).rejects.toThrow('choose another folder')
  })

  test.each(['folder:1MB', 'custom:10MB'])(
    'no copy of another archive with the same label: %s',
    async (medium) => {
      const plan = await kept(medium)
      mkdirSync(at('others'))
      cpSync(join(source, '1'), at('others/1'))
      await built('other', medium, at('others'))
      for (const to of [at('usb'), away])
        await expect(written('other', to, 1, 'home', true)).rejects.toThrow('choose another folder')
      expect((await safe(false, plan.surveyId)).safe).toBe(true)
    },
  )

  test('its own copy, whole or damaged', { tags: 'long' }, async () => {
    await kept('custom:10MB')
    const image = join(away, 'V_01.iso')
    const { length } = readFileSync(image)
    await written('plan', away, 2, 'bank', true)
    writeFileSync(image, Buffer.alloc(length))
    await expect(written('plan', away, 2, 'bank')).rejects.toThrow('is not as it was written')
    await written('plan', away, 2, 'bank', true)
    expect((await safe()).safe).toBe(true)
  })
})

describe('a verification is one against the catalog', { tags: 'long' }, () => {
  test('which knows the set of a plan, or its files', async () => {
    const plan = await kept()
    const copy = join(away, 'V_01')
    expect(await checked(copy)).toBe('good, set')
    bench.catalog.remove(bench.catalog.runs(plan.id).map(({ id }) => id))
    expect(await checked(copy)).toBe('good, entries')
    expect((await safe()).copies.filter(({ state }) => state === 'good')).toHaveLength(1)
    bench.catalog.remove([plan.id])
    expect(await checked(copy)).toBe('good, nothing')
  })

  test.each([true, false])(
    'so lists that were changed to fit are damage (set known: %s)',
    async (isKnown) => {
      const plan = await kept()
      const copy = join(away, 'V_01')
      const file = join(copy, '2')
      const lists = join(copy, 'STOWAGE')
      const before = sha256(readFileSync(file))
      writeFileSync(file, Buffer.alloc(60_000))
      const after = sha256(readFileSync(file))
      for (const name of ['INDEX.tsv', 'SHA256SUMS'])
        writeFileSync(join(lists, name), readFileSync(join(lists, name), 'utf8').replaceAll(before, after))
      const sums = readFileSync(join(lists, 'SHA256SUMS'), 'utf8')
      const digest = sha256(readFileSync(join(lists, 'INDEX.tsv')))
      writeFileSync(join(lists, 'SHA256SUMS'), sums.replace(/^[0-9a-f]{64}(?= {2}\S*INDEX\.tsv$)/m, digest))
      if (!isKnown) bench.catalog.remove(bench.catalog.runs(plan.id).map(({ id }) => id))
      expect(await checked(copy)).toMatch(
        isKnown
          ? /^damaged, none, STOWAGE\/INDEX\.tsv: its lists are not those that were made of plan p-/
          : /^damaged, none, STOWAGE\/INDEX\.tsv: its lists name other files than plan p-/,
      )
      expect(codes(await safe())).toEqual(['few'])
      const states = knownCopies(bench.catalog, systemClock.wallMs()).map(({ copy: number, state }) => [
        number,
        state,
      ])
      expect(states).toContainEqual(
        [2, 'damaged'].slice(isKnown ? 0 : 2).concat(isKnown ? [] : [1, 'damaged']),
      )
    },
  )

  test('a plan folder whose lists were changed is not verified by itself', async () => {
    await kept()
    const planned = join(at('plan'), 'plan.json')
    const index = join(at('plan'), 'index.tsv')
    const before = sha256(readFileSync(index))
    const text = readFileSync(planned, 'utf8')
    writeFileSync(planned, text.replaceAll(before, 'ab'.repeat(32)))
    await expect(bench.verify(at('plan'))).rejects.toThrow('its lists are not those that plan')
  })
})

describe('the source', { tags: 'long' }, () => {
  test('without files is not safe', async () => {
    mkdirSync(at('nothing/folder'), { recursive: true })
    const surveyId = await bench.survey([at('nothing')], { sha256: true })
    expect(codes(await safe(false, surveyId))).toEqual(['empty'])
  })

  test('names files that rules leave out now, and did not when it was surveyed', async () => {
    await kept()
    writeFileSync(join(source, '.stowageignore'), '2\n')
    expect((await safe()).reasons.map(({ code, paths }) => [code, paths])).toEqual([
      ['added', [join(source, '.stowageignore')]],
      ['excluded', [join(source, '2')]],
    ])
  })

  test('counts the files in folders that rules leave out', async () => {
    mkdirSync(join(source, 'cache/deep'), { recursive: true })
    for (let file = 0; file < 7; file++) writeFileSync(join(source, 'cache/deep', `${file}`), 'x')
    writeFileSync(join(source, '.stowageignore'), 'cache\n')
    await kept()
    expect((await safe()).leftOut).toEqual({ files: 7, bytes: 7, folders: 1 })
  })

  test('names what it could not read when it was surveyed, and no pipes', async () => {
    await kept()
    const skips = [
      { path: join(source, '9'), code: 'io', message: 'm' },
      { path: join(source, 'pipe'), code: 'special-file', message: 'm' },
    ] as const
    const catalog = { ...bench.catalog, surveySkips: () => [...skips].values() }
    const survey = bench.catalog.survey(lastSurvey())
    const { flaws } = await sourceNow(catalog, survey, { limit: 5, pause: async () => {} })
    expect(flaws).toEqual([{ code: 'skipped', files: 1, bytes: 0, paths: [join(source, '9')] }])
  })

  test('that is a link to another folder now is not the one that was surveyed', async () => {
    await kept()
    renameSync(source, at('moved'))
    symlinkSync('moved', source)
    expect(codes(await safe())).toEqual(['unread'])
  })

  test('is judged by the newest survey that has the digest of every file', async () => {
    const whole = await bench.survey([source], { sha256: true })
    await bench.survey([source])
    expect(await surveyOf(bench.catalog, [source])).toBe(whole)
  })
})

describe('plans', { tags: 'long' }, () => {
  test('that were withdrawn hold no files', async () => {
    const surveyId = await bench.survey([source], { sha256: true })
    const plan = await bench.plan(surveyId, 'folder:1MB')
    const about = { of: null, planId: plan.id, setId: null, volume: 1, label: 'V_01' }
    const verified = { byEntries: true, by: 'volume', everyMonths: 12 } as const
    for (const [copy, place] of [
      [1, 'home'],
      [2, 'bank'],
    ] as const)
      bench.catalog.addEvents([
        { ...about, kind: 'place', copy, wallMs: 1, facts: { place } },
        { ...about, kind: 'good', copy, wallMs: systemClock.wallMs() - 1, facts: verified },
      ])
    expect((await safe(false, surveyId)).safe).toBe(true)
    bench.catalog.withdrawPlan(plan.id)
    expect((await safe(false, surveyId)).keptFiles).toBe(0)
  })

  test('of one archive over all volumes hold files on all of them alone', { tags: 'long' }, async () => {
    makeFolder(source, ['1', '2', '3'], 500_000)
    const surveyId = await bench.survey([source], { sha256: true, samples: 'fast' })
    const joined = { recipe: '7z-files', joined: true, labelPrefix: 'V' } as const
    const plan = await bench.plan(surveyId, 'custom:1250kB', joined)
    await bench.export(plan.id, at('plan'))
    expect((await bench.build(at('plan'))).error).toBeNull()
    for (const [to, copy, place] of [
      [at('usb'), 1, 'home'],
      [away, 2, 'bank'],
    ] as const)
      expect(
        (await bench.write({ directory: at('plan'), folder: to, copy, place, volumes: [1] })).error,
      ).toBeNull()
    // The second volume has no copy at all.
    rmSync(join(at('plan'), 'images'), { recursive: true })
    expect((await safe(false, surveyId)).keptFiles).toBe(0)
  })
})

test('a file system in a file is on the disk that the file is on', async ({ skip }) => {
  const disk = smallDisk(away, 8)
  if (typeof disk === 'string') return skip(disk)
  const [inside, outside] = await Promise.all([disk.path, away].map((path) => fileSystems.of(path)))
  disk.unmount()
  expect(inside?.id).not.toBe(outside?.id)
  expect(inside?.disk).toBe(outside?.disk)
  expect(outside?.disk).toMatch(/^disk:/)
})
