import {
  appendFileSync,
  closeSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { copiesDocumentSchema, type SafeDocument, safeDocumentSchema } from '../../src/contract/dto/copies'
import { createEngine } from '../../src/engine/engine'
import { type Milliseconds, systemClock } from '../../src/primitives/clock'
import { seededRandom } from '../../src/primitives/seededRandom'
import { type CommandEnd, stowage } from '../fixtures/stowageCommand'
import { folderOnOtherDisk } from '../support/otherDisk'

let folder: string
/** On another disk. */
let disk: string
let source: string
let plan: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'stowage-safe-')))
  disk = folderOnOtherDisk()
  source = join(folder, 'source')
  plan = join(folder, 'plan')
  const random = seededRandom(7)
  const content = Buffer.alloc(300_000)
  mkdirSync(join(source, 'photos'), { recursive: true })
  for (const name of ['photos/1.jpg', 'photos/2.jpg', 'letter.txt', 'notes.tmp']) {
    random.fillBytes(content)
    writeFileSync(join(source, name), content)
  }
  writeFileSync(join(source, 'empty'), '')
  symlinkSync('letter.txt', join(source, 'link'))
})
afterEach(() => {
  for (const path of [folder, disk]) rmSync(path, { recursive: true, force: true })
})

const at = (name: string): string => join(folder, name)
const run = (...args: string[]): Promise<CommandEnd> => stowage(args, { home: at('home') })

async function done(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(...args)
  expect(code, `${args.join(' ')}: ${stderr}`).toBe(0)
  return stdout
}

async function safe(...args: string[]): Promise<SafeDocument> {
  const { code, stdout, stderr } = await run('safe', ...(args.length > 0 ? args : [source]), '--json')
  expect([0, 7], stderr).toContain(code)
  const document = safeDocumentSchema.parse(JSON.parse(stdout))
  expect(code).toBe(document.safe ? 0 : 7)
  return document
}

const codes = ({ reasons }: SafeDocument): string[] => reasons.map(({ code }) => code)

/** Two written copies at two places, verified while they were written. */
async function kept(...more: string[]): Promise<void> {
  const medium = more.includes('--medium') ? [] : ['--medium', 'custom:2MB']
  await done('plan', source, ...medium, '--out', plan, ...more)
  const password = more.includes('--encrypt') ? ['--password-file', at('password')] : []
  await done('build', plan, ...password)
  await done('write', plan, '--to', at('usb'), '--place', 'home')
  await done('write', plan, '--to', disk, '--copy', '2', '--place', "parents' house")
}

describe('stowage safe', () => {
  test('is safe once each file is on two verified copies at two places', async () => {
    await done('plan', source, '--medium', 'custom:2MB', '--out', plan)
    expect(codes(await safe())).toEqual(['few'])
    await done('build', plan)
    await done('write', plan, '--to', at('usb'), '--place', 'home')
    expect(await safe()).toMatchObject({
      safe: false,
      files: 6,
      keptFiles: 0,
      reasons: [{ code: 'few', files: 6 }],
    })
    await done('write', plan, '--to', disk, '--copy', '2', '--place', 'Home')
    expect(codes(await safe())).toEqual(['onePlace'])
    await done('catalog', 'place', 'SOURCE_01', '--copy', '2', '--place', "parents' house")
    const document = await safe()
    expect(document).toMatchObject({ safe: true, reasons: [], keptFiles: 6, wanted: 2 })
    // The first copy is on the disk of the source.
    expect(document.threeTwoOne).toEqual({ copies: 2, media: ['disk'], isElsewhere: true, isMet: false })
    expect(document.copies.map(({ copy, state, place }) => [copy, state, place])).toEqual([
      [0, 'unverified', null],
      [1, 'good', 'home'],
      [2, 'good', "parents' house"],
    ])
    const text = await done('safe', source)
    expect(text).toMatch(/^Safe to delete .*: all 6 files, /)
    expect(text).toContain('Stowage deletes nothing')
  })

  test('is not safe after the source changed, even with the same size', async () => {
    await kept()
    expect((await safe()).safe).toBe(true)
    writeFileSync(join(source, 'new.txt'), 'new')
    rmSync(join(source, 'photos', '2.jpg'))
    utimesSync(join(source, 'letter.txt'), 1, 1)
    const document = await safe()
    expect(document.reasons.map(({ code, paths }) => [code, paths])).toEqual([
      ['changed', [join(source, 'letter.txt')]],
      ['added', [join(source, 'new.txt')]],
      ['gone', [join(source, 'photos', '2.jpg')]],
    ])
    const { stdout, code } = await run('safe', source)
    expect(code).toBe(7)
    expect(stdout).toContain(`- 1 file has changed since the survey of `)
    rmSync(join(source, 'link'))
    symlinkSync('empty', join(source, 'link'))
    expect((await safe()).reasons[0]?.files).toBe(2)
  })

  test('names what rules left out, which is no reason, and finds a new file that they do not leave out', async () => {
    await kept('--exclude', '*.tmp')
    expect(await safe()).toMatchObject({ safe: true, files: 5, leftOut: { files: 1, bytes: 300_000 } })
    expect((await done('safe', source)).replaceAll(/\s+/g, ' ')).toContain(
      '; 1 file that rules left out are not kept.',
    )
    writeFileSync(join(source, 'more.tmp'), 'x')
    expect((await safe()).safe).toBe(true)
  })

  test('does not count a lost copy until it is found, verified or written again', async () => {
    await kept()
    await done('catalog', 'lost', 'SOURCE_01', '--copy', '2')
    expect(codes(await safe())).toEqual(['few'])
    await done('catalog', 'found', 'SOURCE_01', '--copy', '2')
    expect((await safe()).safe).toBe(true)
    await done('catalog', 'lost', 'SOURCE_01', '--copy', '2')
    await done('verify', join(disk, 'SOURCE_01.iso'))
    expect((await safe()).safe).toBe(true)
    const lost = await run('catalog', 'lost', 'SOURCE_01', '--copy', '3')
    expect([lost.code, lost.stderr]).toEqual([
      2,
      'stowage: cannot note anything of SOURCE_01: the catalog knows no copy 3 of it\n',
    ])
  })

  test('does not count a damaged copy, and knows by its path which one it is', async () => {
    await kept()
    const image = join(disk, 'SOURCE_01.iso')
    const content = Buffer.alloc(4096, 'damage')
    const handle = openSync(image, 'r+')
    writeSync(handle, content, 0, content.length, 700_000)
    closeSync(handle)
    expect((await run('verify', image)).code).toBe(6)
    const document = await safe()
    expect(codes(document)).toEqual(['few'])
    expect(document.copies.map(({ copy, state }) => [copy, state])).toEqual([
      [0, 'unverified'],
      [1, 'good'],
      [2, 'damaged'],
    ])
    await done('write', plan, '--to', disk, '--copy', '2', '--place', 'office', '--again')
    expect((await safe()).safe).toBe(true)
  })

  test('asks which copy a volume is that may be one of several, before it reads it', async () => {
    await kept()
    renameSync(join(disk, 'SOURCE_01.iso'), join(disk, 'moved.iso'))
    const asked = await run('verify', join(disk, 'moved.iso'))
    expect([asked.code, asked.stderr]).toEqual([
      2,
      "stowage: SOURCE_01 has copies 1 (home), 2 (parents' house): say which one this is with --copy N\n",
    ])
    await done('verify', join(disk, 'moved.iso'), '--copy', '2')
    expect((await run('verify', plan, '--copy', '2')).code).toBe(2)
  })

  test('does not take one image for two copies', async () => {
    await kept()
    const twice = await run('write', plan, '--to', at('usb'), '--copy', '3', '--place', 'office')
    expect(twice.code).toBe(2)
    expect(twice.stderr).toBe(
      `stowage: cannot write ${join(at('usb'), 'SOURCE_01.iso')}: it is copy 1 of SOURCE_01; choose another folder\n`,
    )
  })

  test('counts the built image while it is there and verified, but none in the source', async () => {
    await done('plan', source, '--medium', 'custom:2MB', '--out', plan, '--copies', '2')
    await done('build', plan)
    await done('verify', plan)
    await done('write', plan, '--to', disk, '--place', 'home')
    await done('catalog', 'place', 'SOURCE_01', '--copy', 'built', '--place', 'office')
    expect((await safe()).safe).toBe(true)
    await done('write', plan, '--to', join(source, 'backup'), '--copy', '2', '--place', 'safe')
    rmSync(join(plan, 'images'), { recursive: true })
    const document = await safe()
    expect(codes(document)).toEqual(['added', 'few'])
    expect(document.copies.map(({ copy }) => copy)).toEqual([1, 2])
  })

  test('asks for the copies of the plan, of the project or of the command', async () => {
    await kept('--copies', '3')
    expect(await safe()).toMatchObject({ safe: false, wanted: 3 })
    expect(await safe(source, '--copies', '2')).toMatchObject({ safe: true, wanted: 2 })
    const project = at('archive.stowage.yaml')
    await done('project', 'init', project, source)
    await done('project', 'set', project, 'copies', '3')
    expect(await safe('--project', project)).toMatchObject({ safe: false, wanted: 3 })
  })

  test('counts content by its digest on the volumes of any plan', async () => {
    await kept()
    const other = at('other')
    cpSync(join(source, 'photos'), join(other, 'moved'), { recursive: true })
    await done('survey', other, '--quick', '--sha256')
    expect(await safe(other)).toMatchObject({ safe: true, files: 2 })
    appendFileSync(join(other, 'moved', '1.jpg'), 'more')
    await done('survey', other, '--quick', '--sha256')
    expect((await safe(other)).reasons).toMatchObject([
      { code: 'few', paths: [join(other, 'moved', '1.jpg')] },
    ])
  })

  test('does not count copies that are overdue', async () => {
    await kept()
    await done('survey', source, '--quick', '--sha256')
    const later = { ...systemClock, wallMs: () => (systemClock.wallMs() + 400 * 86_400_000) as Milliseconds }
    const engine = createEngine({ dataDir: at('home'), emit: () => {}, clock: later })
    try {
      const surveyId = await engine.handlers.copies.surveyOf({ paths: [source] })
      const judged = await engine.handlers.copies.safe({ surveyId, copies: null, lookedAt: false, limit: 5 })
      expect(codes(judged)).toEqual(['few'])
      expect(judged.copies.map(({ state }) => state)).toEqual(['unverified', 'overdue', 'overdue'])
    } finally {
      await engine.close()
    }
  })

  test('asks for every volume of a file in parts', async () => {
    writeFileSync(join(source, 'large'), Buffer.alloc(1_500_000, 'a file in parts'))
    await kept('--exclude', '*.jpg', '--exclude', '*.tmp', '--medium', 'custom:1250kB')
    expect((await safe()).safe).toBe(true)
    for (const label of ['SOURCE_01', 'SOURCE_02']) {
      await done('catalog', 'lost', label, '--copy', '2')
      expect((await safe()).reasons.flatMap(({ paths }) => paths)).toContain(join(source, 'large'))
      await done('catalog', 'found', label, '--copy', '2')
    }
  })

  test('asks for every volume of one archive over all, encrypted or not', { tags: 'long' }, async () => {
    const noise = seededRandom(9)
    const content = Buffer.alloc(400_000)
    for (let index = 0; index < 4; index++) {
      noise.fillBytes(content)
      writeFileSync(join(source, `noise ${index}`), content)
    }
    writeFileSync(at('password'), 'a password for this test')
    await kept('--option', '7z-files', '--joined', '--encrypt', '256', '--medium', 'custom:1250kB')
    const before = await safe()
    expect(before).toMatchObject({ safe: true })
    expect(new Set(before.copies.map(({ volume }) => volume)).size).toBeGreaterThan(1)
    await done('catalog', 'lost', 'SOURCE_01', '--copy', '1')
    expect(await safe()).toMatchObject({ safe: false, keptFiles: 0 })
  })

  test('asks for the plan where several have a volume of the same label', async () => {
    await kept()
    const planned = await done('plan', source, '--medium', 'custom:2MB', '--out', at('other'), '--json')
    const { id } = JSON.parse(planned) as { id: string }
    const asked = await run('catalog', 'lost', 'SOURCE_01')
    expect(asked.code).toBe(2)
    expect(asked.stderr).toContain('SOURCE_01 is a volume of 2 sets, ')
    const place = ['--copy', '2', '--place', 'office']
    expect(await done('catalog', 'place', `${id}:SOURCE_01`, ...place)).toBe(
      'Copy 2 of SOURCE_01 is at office.\n',
    )
    expect(await done('catalog', 'place', id, ...place)).toBe('Copy 2 of SOURCE_01 is at office.\n')
    // The new plan has no verified copy, and the content is on those of the other one.
    expect((await safe()).safe).toBe(true)
  })

  test('refuses a source that was never surveyed', async () => {
    const { code, stderr } = await run('safe', source)
    expect([code, stderr]).toEqual([
      2,
      `stowage: no survey of ${source} in the catalog: "stowage survey" makes one\n`,
    ])
  })
})

test('the status of the catalog shows copies by place', async () => {
  await kept()
  await done('catalog', 'lost', 'SOURCE_01')
  const text = (await done('catalog', 'status')).replaceAll(/ +/g, ' ')
  expect(text).toContain('3 copies of volumes, 1 of them good, 1 lost.')
  expect(text).toContain("\n parents' house 1 1\n")
  expect(text).toContain('\n home 1 0 1 lost\n')
  expect(text).toMatch(/ verify in place copies volumes\n.* [A-Z][a-z]+ \d{4} parents' house 1 SOURCE_01\n/s)
  const { copies, calendar } = copiesDocumentSchema.parse(
    JSON.parse(await done('catalog', 'status', '--json')),
  )
  expect(calendar).toMatchObject([{ place: "parents' house", copies: 1, labels: ['SOURCE_01'] }])
  expect(copies.map(({ copy, medium, state }) => [copy, medium, state])).toEqual([
    [0, 'disk', 'unverified'],
    [1, 'disk', 'lost'],
    [2, 'disk', 'good'],
  ])
  const due = (await done('verify', '--due', '--within', '400d')).replaceAll(/ +/g, ' ')
  expect(due).not.toMatch(/SOURCE_01 1 1 /)
  expect(due).toMatch(/SOURCE_01 1 2 /)
  await done('catalog', 'found', 'SOURCE_01')
  const share = ['verify', '--due', '--within', '400d', '--share']
  const first = JSON.parse(await done(...share, '10%', '--json')) as { volumes: { copy: number }[] }
  expect(first.volumes.map(({ copy }) => copy)).toEqual([1])
  expect(await done(...share, '50%')).toContain('Begin with 1, checked longest ago:')
  expect((await run(...share, '0%')).code).toBe(2)
})
