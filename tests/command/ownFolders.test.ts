import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type SurveyDocument, surveyDocumentSchema } from '../../src/contract/dto/survey'
import { seededRandom } from '../../src/primitives/seededRandom'
import { type CommandEnd, stowage } from '../fixtures/stowageCommand'

let folder: string
let source: string
let home: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'stowage-own-')))
  source = join(folder, 'source')
  home = join(folder, 'home')
  mkdirSync(join(source, 'photos'), { recursive: true })
  const noise = Buffer.alloc(300_000)
  seededRandom(5).fillBytes(noise)
  writeFileSync(join(source, 'photos', 'one.jpg'), noise)
  writeFileSync(join(source, 'notes.txt'), 'some notes\n'.repeat(1000))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const run = (...args: string[]): Promise<CommandEnd> => stowage(args, { home })

async function done(...args: string[]): Promise<CommandEnd> {
  const end = await run(...args)
  expect(end.code, `${args.join(' ')}: ${end.stderr}`).toBe(0)
  return end
}

async function survey(...more: string[]): Promise<SurveyDocument> {
  const { stdout } = await done('survey', source, '--samples', 'none', '--json', ...more)
  return surveyDocumentSchema.parse(JSON.parse(stdout))
}

/** Files below a folder, each name once, and their bytes. */
function counted(below: string): { files: number; bytes: number } {
  const all = readdirSync(below, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
  const bytes = all.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
  return { files: all.length, bytes }
}

/** Whitespace as one space: long lines are wrapped. */
const unwrapped = (text: string): string => text.replace(/\s+/g, ' ')

describe('a plan folder inside its source', () => {
  it('is announced, and left out of the next surveys, which find the source unchanged', async () => {
    const plan = join(source, 'plan')
    const { stderr } = await done('plan', source, '--medium', 'custom:20MB', '--out', plan)
    expect(unwrapped(stderr)).toContain(`${plan} lies inside ${source}: surveys of that leave it out`)
    const before = await survey()
    await done('build', plan)
    await done('verify', plan)
    const after = await survey()
    for (const { totals } of [before, after])
      expect(totals).toMatchObject({ files: 2, bytes: 311_000, folders: 2, skipped: 0 })
    expect(after.leftOut).toEqual([{ path: plan, ...counted(plan) }])
    expect(after.otherSets).toBeUndefined()
    // Built again, and nothing has changed for it.
    await done('build', plan, '--force')

    const { stdout } = await done('survey', source, '--samples', 'none')
    expect(unwrapped(stdout)).toContain(`Left out: ${plan}, Stowage's own (${counted(plan).files} files, `)
    const again = join(folder, 'again')
    const planned = await done('plan', source, '--medium', 'custom:20MB', '--out', again)
    expect(unwrapped(planned.stderr)).toContain(`${plan} is Stowage's own and on no volume`)
    expect(planned.stderr).not.toContain('inside')
  })

  it('is known through links to it', async () => {
    symlinkSync(source, join(folder, 'link'))
    const { stderr } = await done('plan', source, '--medium', 'disk', '--out', join(folder, 'link', 'plan'))
    expect(stderr).toContain('inside')
    expect((await survey()).leftOut?.map(({ path }) => path)).toEqual([join(source, 'plan')])
  })

  const NOT_PACKED = 'is not packed into the set itself (%s)'
  it.each(['squashfs-gzip-128k'])(NOT_PACKED, expectNotPacked)
  it.each(['tar-zst-19-1m-path'])(NOT_PACKED, { tags: 'long' }, expectNotPacked)

  async function expectNotPacked(option: string): Promise<void> {
    const plan = join(source, 'plan')
    await done('plan', source, '--medium', 'disk', '--option', option, '--out', plan)
    await done('build', plan)
    await done('verify', plan)
    const packed = readdirSync(plan, { recursive: true, encoding: 'utf8' }).find((name) =>
      /\.(squashfs|tar\.zst)$/.test(name),
    )
    const image = join(plan, packed ?? '')
    const listed = option.startsWith('squashfs')
      ? execFileSync('unsquashfs', ['-l', image], { encoding: 'utf8' })
      : execFileSync('tar', ['--zstd', '-tf', image], { encoding: 'utf8' })
    expect(listed).toContain('notes.txt')
    expect(listed).not.toContain('plan')
    const back = join(folder, 'back')
    await done('restore', plan, '--to', back)
    expect(readdirSync(back).toSorted()).toEqual(['notes.txt', 'photos'])
  }

  it('is not packed by an option that is built of the source', { tags: 'long' }, async () => {
    await done('plan', source, '--medium', 'disk', '--out', join(source, 'plan'))
    const { stdout } = await done('survey', source, '--samples', 'fast', '--json')
    const { id } = surveyDocumentSchema.parse(JSON.parse(stdout))
    const image = join(folder, 'built.squashfs')
    await done('options', 'build', 'squashfs-gzip-128k', '--survey', id, '--out', image)
    const listed = execFileSync('unsquashfs', ['-l', image], { encoding: 'utf8' })
    expect(listed).toContain('notes.txt')
    expect(listed).not.toContain('plan')
  })
})

describe('other folders of Stowage in a source', () => {
  it('are surveyed and named when they are not of this catalog', async () => {
    const plan = join(source, 'plan')
    await done('plan', source, '--medium', 'folder:4GB', '--out', plan)
    await done('build', plan)
    // A copy of a plan folder, and a volume by itself.
    cpSync(plan, join(source, 'old', 'copy'), { recursive: true })
    const volume = readdirSync(plan, { recursive: true, encoding: 'utf8' }).find(
      (name) => name.endsWith('STOWAGE/RESTORE.sh') && existsSync(join(plan, name, '..', '..', 'notes.txt')),
    )
    cpSync(join(plan, volume ?? '', '..', '..'), join(source, 'volume'), { recursive: true })
    const document = await survey()
    expect(document.leftOut?.map(({ path }) => path)).toEqual([plan])
    expect(document.otherSets).toEqual([join(source, 'old', 'copy'), join(source, 'volume')])
    const kept = counted(join(source, 'old')).files + counted(join(source, 'volume')).files
    expect(document.totals.files).toBe(2 + kept)
    const { stdout } = await done('survey', source, '--samples', 'none')
    expect(unwrapped(stdout)).toContain(`Kept like any folder: ${document.otherSets?.[0]} and 1 more`)
  })

  it('are surveyed once their plan is not the one that the catalog knows there', async () => {
    const plan = join(source, 'plan')
    await done('plan', source, '--medium', 'disk', '--out', plan)
    const there = counted(plan)
    home = join(folder, 'other home')
    const foreign = await survey()
    expect([foreign.leftOut, foreign.otherSets]).toEqual([undefined, [plan]])
    expect(foreign.totals.files + foreign.totals.hardLinks).toBe(2 + there.files)
    home = join(folder, 'home')
    renameSync(plan, join(source, 'moved'))
    const moved = await survey()
    expect([moved.leftOut, moved.otherSets]).toEqual([undefined, [join(source, 'moved')]])
  })

  it('leave out the data folder, but never a root', async () => {
    home = join(source, 'data')
    const plan = join(home, 'plan')
    await done('plan', source, '--medium', 'disk', '--out', plan)
    const document = await survey()
    expect(document.totals).toMatchObject({ files: 2, bytes: 311_000 })
    expect(document.leftOut?.map(({ path }) => path)).toEqual([home])
    const { stdout } = await done('survey', plan, '--samples', 'none', '--json')
    const own = surveyDocumentSchema.parse(JSON.parse(stdout))
    expect(own.totals.files + own.totals.hardLinks).toBe(counted(plan).files)
    expect([own.leftOut, own.otherSets]).toEqual([undefined, undefined])
  })

  it('count a file by each of its names in what is left out, and in the source as a file', async () => {
    const plan = join(source, 'plan')
    await done('plan', source, '--medium', 'disk', '--out', plan)
    linkSync(join(source, 'notes.txt'), join(plan, 'notes.txt'))
    const document = await survey()
    expect(document.totals).toMatchObject({ files: 2, bytes: 311_000, hardLinks: 0 })
    expect(document.leftOut).toEqual([{ path: plan, ...counted(plan) }])
  })
})

describe('restoring inside a surveyed source', () => {
  it('says so', async () => {
    const plan = join(folder, 'plan')
    await done('plan', source, '--medium', 'folder:4GB', '--out', plan)
    await done('build', plan)
    const back = join(source, 'back')
    const { stderr } = await done('restore', plan, '--to', back)
    expect(unwrapped(stderr)).toContain(`${back} lies inside ${source}, so the next survey of that counts`)
    const elsewhere = await done('restore', plan, '--to', join(folder, 'source back'))
    expect(elsewhere.stderr).not.toContain('inside')
  })
})
