import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CheckDocument } from '../../src/contract/dto/check'
import type { PlanDocument, PlanEntry } from '../../src/contract/dto/plan'
import type { RestoreDocument } from '../../src/contract/dto/restore'
import type { RunDocument } from '../../src/contract/dto/run'
import type { KeptDocument } from '../../src/domain/survey/kept/keptDocument'
import { seededRandom } from '../../src/primitives/seededRandom'
import { type CommandEnd, stowage } from '../fixtures/stowageCommand'
import { commandOnTerminal } from '../support/commandOnTerminal'
import { checkDisc } from '../support/discChecker/checkDisc'
import { missingReader, readBy7Zip, readByBsdtar } from '../support/discReaders'

let folder: string
let home: string
let source: string
let plan: string

const COPY = { recursive: true, preserveTimestamps: true, verbatimSymlinks: true } as const
const WHEN = 1_600_000_000

function write(path: string, seed: number, bytes: number): void {
  const content = new Uint8Array(bytes)
  seededRandom(seed).fillBytes(content)
  writeFileSync(join(source, path), content)
  utimesSync(join(source, path), WHEN, WHEN)
}

/** Files on three volumes of 3 MB, planned once; each test has a copy. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'stowage-skip-changed-'))
  home = join(folder, 'home')
  source = join(folder, 'source')
  plan = join(folder, 'plan')
  mkdirSync(join(source, 'inside'), { recursive: true })
  for (let file = 0; file < 12; file++) write(`f${file} – ö.bin`, file, 500_000 + file * 1000)
  write('inside/small', 20, 3000)
  write('inside/empty', 21, 0)
  symlinkSync('inside/small', join(source, 'link'))
  const planned = await run('plan', source, '--medium', 'custom:3MB', '--out', plan)
  expect(planned.code, planned.stderr).toBe(0)
  cpSync(source, join(folder, 'source-as-planned'), COPY)
  cpSync(plan, join(folder, 'plan-as-exported'), { recursive: true })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))
beforeEach(() => {
  for (const [path, kept] of [
    [source, 'source-as-planned'],
    [plan, 'plan-as-exported'],
  ] as const) {
    rmSync(path, { recursive: true, force: true })
    cpSync(join(folder, kept), path, COPY)
  }
})
afterEach(() => {
  isClosed = false
  rmSync(join(folder, 'out'), { recursive: true, force: true })
})

/** Runs a command that finds no other program. */
async function run(...args: readonly string[]): Promise<CommandEnd> {
  if (isClosed) return stowage(args, { home, withoutOverride: true })
  const { PATH } = process.env
  process.env['PATH'] = '/nonexistent'
  try {
    return await stowage(args, { home })
  } finally {
    process.env['PATH'] = PATH
  }
}

/** A file of the source is closed to whoever builds. */
let isClosed = false

const documentOf = ({ stdout }: CommandEnd): unknown => JSON.parse(stdout)
const planDocument = (): PlanDocument =>
  JSON.parse(readFileSync(join(plan, 'plan.json'), 'utf8')) as PlanDocument
const entriesOf = (volume: number): PlanEntry[] =>
  readFileSync(join(plan, `volumes/0${volume}/entries.jsonl`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as PlanEntry)
const volumeOf = (path: string): number =>
  planDocument().volumes.find(({ index }) => entriesOf(index).some((entry) => entry.path === path))?.index ??
  0
const imageOf = (volume: number): string => join(plan, `images/0${volume}.iso`)
const images = (): string[] => (existsSync(join(plan, 'images')) ? readdirSync(join(plan, 'images')) : [])
const sha256 = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex')

/** Every file below a folder with its digest. */
function treeOf(root: string): Record<string, string> {
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
  return Object.fromEntries(
    files.map(({ parentPath, name }) => [
      join(parentPath, name).slice(root.length + 1),
      sha256(readFileSync(join(parentPath, name))),
    ]),
  )
}

/** Every file with content has its bytes at the sector that the index of the set names. */
function requireSectors(volume: number, without: readonly string[]): void {
  const index = readFileSync(join(plan, 'index.tsv'), 'utf8')
  const [head = '', ...lines] = index.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  const column = (name: string): number => head.split('\t').indexOf(name)
  const image = readFileSync(imageOf(volume))
  let files = 0
  for (const fields of lines.map((line) => line.split('\t'))) {
    const [sector, bytes] = [Number(fields[column('sector')]), Number(fields[column('bytes')])]
    const path = fields[column('path')] ?? ''
    if (Number(fields[column('volume')]) !== volume || sector === 0) continue
    const content = image.subarray(sector * 2048, sector * 2048 + bytes)
    if (without.includes(path)) expect(sha256(content)).not.toBe(fields[column('sha256')])
    else expect(sha256(content), path).toBe(fields[column('sha256')])
    files += 1
  }
  expect(files).toBeGreaterThan(without.length)
}

const CHANGED = 'f3 – ö.bin'
const changes: readonly [name: string, cause: string, code: number, change: (path: string) => void][] = [
  ['vanished', 'vanished', 7, (path) => rmSync(path)],
  ['shrank', 'changed', 7, (path) => truncateSync(path, 1000)],
  ['grew', 'changed', 7, (path) => appendFileSync(path, 'more')],
  [
    'has other bytes and its old time',
    'changed',
    7,
    (path) => {
      writeFileSync(path, Buffer.alloc(statSync(path).size, 7))
      utimesSync(path, WHEN, WHEN)
    },
  ],
  [
    'is a folder now',
    'changed',
    7,
    (path) => {
      rmSync(path)
      mkdirSync(path)
    },
  ],
  ['cannot be read', 'unreadable', 2, (path) => chmodSync(path, 0)],
]

describe('a file of the source that is not as planned', () => {
  it.each(changes)(
    'fails its volume where it %s, and --skip-changed builds that without it',
    async (name, cause, code, change) => {
      const volume = volumeOf(CHANGED)
      const others = planDocument()
        .volumes.map(({ index }) => index)
        .filter((index) => index !== volume)
      isClosed = name === 'cannot be read'
      change(join(source, CHANGED))
      const failed = await run('build', plan)
      expect(failed.code).toBe(code)
      expect(failed.stderr).toContain(join(source, CHANGED))
      expect(failed.stdout).toMatch(/To build without these files:\s+stowage build .* --skip-changed/s)
      expect(images()).toEqual(others.map((index) => `0${index}.iso`))
      const built = await run('build', plan, '--skip-changed', '--json')
      isClosed = false
      expect(built.code, built.stderr).toBe(3)
      const done = documentOf(built) as RunDocument
      expect(done.outcome).toBe('done')
      expect(done.volumes.map(({ state }) => state).toSorted()).toEqual(['done', ...others.map(() => 'kept')])
      expect(done.volumes[volume - 1]?.skipped).toEqual([{ path: CHANGED, cause }])
      expect(statSync(imageOf(volume)).size).toBe((planDocument().volumes[volume - 1]?.sectors ?? 0) * 2048)
      requireSectors(volume, [CHANGED])
      expect(checkDisc(imageOf(volume)).findings).toEqual([])
    },
  )

  it('is in no list of its volume but that of what was left out', async (context) => {
    const missing = missingReader('bsdtar')
    if (missing) context.skip(missing)
    rmSync(join(source, CHANGED))
    const exported = treeOf(join(plan, 'volumes'))
    expect((await run('build', plan, '--skip-changed')).code).toBe(3)
    expect(treeOf(join(plan, 'volumes'))).toEqual(exported)
    const image = imageOf(volumeOf(CHANGED))
    expect(readBy7Zip(image)).not.toHaveProperty([Buffer.from(CHANGED).toString('latin1')])
    expect(readByBsdtar(image)).not.toHaveProperty([Buffer.from(CHANGED).toString('latin1')])
    const out = join(folder, 'out')
    mkdirSync(out)
    execFileSync('bsdtar', ['-xf', image, '-C', out])
    execFileSync('chmod', ['-R', 'u+rwX', out])
    expect(execFileSync('sha256sum', ['-c', '--quiet', 'STOWAGE/SHA256SUMS'], { cwd: out }).toString()).toBe(
      '',
    )
    const sums = readFileSync(join(out, 'STOWAGE/SHA256SUMS'), 'utf8')
    expect(sums).not.toContain(CHANGED)
    expect(sums).toContain('STOWAGE/SKIPPED.tsv')
    expect(readFileSync(join(out, 'STOWAGE/SKIPPED.tsv'), 'utf8')).toMatch(
      new RegExp(`^cause\tpath\nvanished\t${CHANGED}\n$`, 'm'),
    )
    expect(readFileSync(join(out, 'STOWAGE/README.txt'), 'utf8')).toContain('1 file was left out')
    expect(readFileSync(join(out, 'STOWAGE/INDEX.tsv'))).toEqual(readFileSync(join(plan, 'index.tsv')))
  })

  it('is named by verify, find and restore, which give all others back', async () => {
    const lost = [CHANGED, 'f8 – ö.bin']
    for (const name of lost) appendFileSync(join(source, name), 'more')
    expect((await run('build', plan, '--skip-changed')).code).toBe(3)
    const verified = await run('verify', plan)
    expect(verified.code, verified.stderr).toBe(3)
    for (const name of lost) expect(verified.stderr).toContain(`${name}: left out while building: changed`)
    const volume = volumeOf(CHANGED)
    const checked = await run('verify', imageOf(volume), '--json')
    expect(checked.code, checked.stderr).toBe(3)
    const [found] = (documentOf(checked) as CheckDocument).volumes
    expect(found).toMatchObject({ state: 'good', damaged: [] })
    expect(found?.skipped).toContainEqual({ path: CHANGED, cause: 'changed' })
    const listed = await run('find', CHANGED)
    expect(listed.stdout).toMatch(/left out while building: changed/)
    expect(listed.stdout).not.toContain(`(plan ${planDocument().id})`)
    const out = join(folder, 'out')
    const restored = await run('restore', plan, '--to', out, '--json')
    expect(restored.code, restored.stderr).toBe(3)
    const back = documentOf(restored) as RestoreDocument
    expect(back).toMatchObject({ outcome: 'done', missing: [], damaged: [], volumesNeeded: [] })
    expect(back.skipped?.map(({ path }) => path).toSorted()).toEqual(lost.toSorted())
    expect(back.skipped?.[0]?.error.message).toMatch(
      /it was left out while building: changed \(SOURCE_0\d\)$/,
    )
    const expected = treeOf(join(folder, 'source-as-planned'))
    for (const name of lost) delete expected[name]
    expect(treeOf(out)).toEqual(expected)
  })

  it('is named by RESTORE.sh, which gives all others back', async (context) => {
    const missing = missingReader('bsdtar')
    if (missing) context.skip(missing)
    rmSync(join(source, CHANGED))
    expect((await run('build', plan, '--skip-changed')).code).toBe(3)
    const out = join(folder, 'out')
    const volumes = images().map((image) => {
      const to = join(out, image)
      mkdirSync(to, { recursive: true })
      execFileSync('bsdtar', ['-xf', join(plan, 'images', image), '-C', to])
      return to
    })
    const to = join(out, 'restored')
    const end = spawnSync('sh', [join(volumes[0] ?? '', 'STOWAGE/RESTORE.sh'), to, ...volumes])
    execFileSync('chmod', ['-R', 'u+rwX', out])
    expect(end.stderr.toString()).toBe(`left out while building: vanished: ${CHANGED}\n`)
    expect(end.status).toBe(3)
    const expected = treeOf(join(folder, 'source-as-planned'))
    delete expected[CHANGED]
    expect(treeOf(to)).toEqual(expected)
  })

  it('makes a damaged list of left-out files no excuse for a file that is missing', async () => {
    rmSync(join(source, CHANGED))
    expect((await run('build', plan, '--skip-changed')).code).toBe(3)
    const image = imageOf(volumeOf(CHANGED))
    const bytes = readFileSync(image)
    const at = bytes.indexOf(`vanished\t${CHANGED}`)
    bytes.write('changed!', at)
    writeFileSync(image, bytes)
    const verified = await run('verify', plan)
    expect(verified.code).toBe(6)
    expect(verified.stderr).toContain(CHANGED)
    expect((await run('verify', image)).code).toBe(6)
  })

  it('is not left out where another file has its content', async () => {
    linkSync(join(source, CHANGED), join(source, 'twin'))
    const own = join(folder, 'out', 'plan')
    mkdirSync(join(folder, 'out'))
    const args = ['plan', source, '--medium', 'custom:9MB', '--out', own]
    expect((await run(...args)).code).toBe(0)
    rmSync(join(source, CHANGED))
    const failed = await run('build', own)
    expect(failed.code).toBe(7)
    const built = await run('build', own, '--skip-changed')
    expect(built.code, built.stderr).toBe(0)
    expect(built.stderr).toMatch(/another file had its content/)
    expect((await run('verify', own)).code).toBe(0)
  })

  it('is not left out where it was only touched, nor are folders, links and empty files', async () => {
    utimesSync(join(source, CHANGED), 1, 1)
    rmSync(join(source, 'link'))
    rmSync(join(source, 'inside/empty'))
    expect((await run('build', plan)).code).toBe(7)
    const built = await run('build', plan, '--skip-changed')
    expect(built.code, built.stderr).toBe(0)
    expect((await run('verify', plan)).code).toBe(0)
  })

  it('fails its volume all the same where nothing of that would be left', async () => {
    const volume = volumeOf(CHANGED)
    for (const entry of entriesOf(volume)) if (entry.kind === 'file') rmSync(entry.source)
    const built = await run('build', plan, '--skip-changed')
    expect(built.code).toBe(7)
    expect(images()).not.toContain(`0${volume}.iso`)
    expect(images()).toHaveLength(planDocument().volumes.length - 1)
  })

  it('can be put back on its volume by building that again', async () => {
    const content = readFileSync(join(source, CHANGED))
    rmSync(join(source, CHANGED))
    expect((await run('build', plan, '--skip-changed')).code).toBe(3)
    writeFileSync(join(source, CHANGED), content)
    utimesSync(join(source, CHANGED), WHEN, WHEN)
    const again = await run('build', plan, '--force', '--volume', String(volumeOf(CHANGED)))
    expect(again.code, again.stderr).toBe(0)
    expect((await run('verify', plan)).code).toBe(0)
    expect((await run('find', CHANGED)).stdout).not.toMatch(/left out/)
  })

  it('is not counted as kept by the survey of its source', async () => {
    appendFileSync(join(source, CHANGED), 'more')
    expect((await run('build', plan, '--skip-changed')).code).toBe(3)
    expect((await run('verify', plan)).code).toBe(3)
    rmSync(source, { recursive: true })
    cpSync(join(folder, 'source-as-planned'), source, COPY)
    const surveyed = await run('survey', source, '--samples', 'none', '--table', 'kept', '--json')
    expect(surveyed.code, surveyed.stderr).toBe(0)
    const { kept } = documentOf(surveyed) as { kept: KeptDocument }
    expect(kept.totals.notKept).toEqual({ files: 1, bytes: statSync(join(source, CHANGED)).size })
  })
})

describe('--skip-changed', () => {
  it('is refused for folders, and for packed plans', async () => {
    const at = join(folder, 'out')
    mkdirSync(at)
    const args = ['plan', join(source, 'inside'), '--medium', 'custom:6MB', '--option', 'files-gzip-6']
    const planned = await stowage([...args, '--out', join(at, 'packed')], { home })
    expect(planned.code, planned.stderr).toBe(0)
    const packed = await run('build', join(at, 'packed'), '--skip-changed')
    expect(packed.code).toBe(7)
    expect(packed.stderr).toMatch(
      /^stowage: cannot build .*packed: --skip-changed is for plans that do not pack/m,
    )
    const folders = ['plan', join(source, 'inside'), '--medium', 'folder:4GB', '--out', join(at, 'folders')]
    expect((await run(...folders)).code).toBe(0)
    const refused = await run('build', join(at, 'folders'), '--skip-changed')
    expect(refused.code).toBe(7)
    expect(refused.stderr).toMatch(/--skip-changed is for images that Stowage makes itself/)
  })
})

describe('on a terminal', () => {
  it('a question offers to build the volume without the file', async () => {
    rmSync(join(source, CHANGED))
    const question = /cannot use .*f3 – ö\.bin: it no longer exists.*Build SOURCE_0\d \(volume \d of 3\)/s
    const no = await commandOnTerminal(['build', plan], home, [[question, 'n\n']])
    expect(no.code, no.shown).toBe(7)
    expect(images()).toHaveLength(2)
    const yes = await commandOnTerminal(['build', plan], home, [
      [question, 'what?\n'],
      [/without this file.*without this file/s, 'y\n'],
    ])
    expect(yes.code, yes.shown).toBe(3)
    expect(yes.shown).toContain('left out while building: vanished')
    expect(images()).toHaveLength(3)
  })

  it('one answer can be for all files', async () => {
    for (const name of ['f0 – ö.bin', 'f5 – ö.bin', 'f11 – ö.bin']) rmSync(join(source, name))
    const all = await commandOnTerminal(['build', plan], home, [[/Type yes, no/, 'all\n']])
    expect(all.code, all.shown).toBe(3)
    expect(all.shown.match(/Type yes, no/g)).toHaveLength(1)
    expect(all.shown.match(/left out while building: vanished/g)).toHaveLength(3)
  })
})

describe('on the fly', () => {
  const drive = (): string => join(folder, 'out', 'disc')
  const onTheFly = (...more: string[]): Promise<CommandEnd> => {
    mkdirSync(join(folder, 'out'), { recursive: true })
    const args = ['write', plan, '--drive', `stdio:${drive()}`, '--on-the-fly', '--again', '--volume']
    return stowage([...args, String(volumeOf(CHANGED)), ...more], { home })
  }

  it('a file that changed unseen spoils the disc, which is said; --skip-changed writes one without it', async (context) => {
    const missing = missingReader('xorriso')
    if (missing) context.skip(missing)
    writeFileSync(join(source, CHANGED), Buffer.alloc(statSync(join(source, CHANGED)).size, 7))
    utimesSync(join(source, CHANGED), WHEN, WHEN)
    const lost = await onTheFly()
    expect(lost.code, lost.stderr).toBe(7)
    expect(lost.stderr).toMatch(
      /^stowage: cannot use .*f3 – ö\.bin: its content differs from the plan; the disc of SOURCE_0\d, which was begun, is lost$/m,
    )
    expect(lost.stdout).toMatch(/To build without these files:\s+stowage write .* --skip-changed/s)
    rmSync(drive())
    const written = await onTheFly('--skip-changed', '--json')
    expect(written.code, written.stderr).toBe(3)
    const { volumes, notes = [] } = documentOf(written) as RunDocument
    const [volume] = volumes
    expect(notes.join()).not.toContain('has changed')
    expect(volume).toMatchObject({
      state: 'done',
      skipped: [{ path: CHANGED, cause: 'changed' }],
      written: { verified: true },
    })
    expect(checkDisc(drive()).findings).toEqual([])
    expect((await run('verify', drive())).code).toBe(3)
  })

  it('a file that is seen to have changed ends it before the disc is begun', async (context) => {
    const missing = missingReader('xorriso')
    if (missing) context.skip(missing)
    rmSync(join(source, CHANGED))
    const refused = await onTheFly()
    expect(refused.code).toBe(7)
    expect(refused.stderr).not.toContain('lost')
    expect(existsSync(drive())).toBe(false)
  })
})

describe('a set with files left out', () => {
  it('is copied to a folder and read back there, and its copy too says what is left out', async () => {
    appendFileSync(join(source, CHANGED), 'more')
    const to = join(folder, 'out')
    const written = await run('write', plan, '--to', to, '--skip-changed')
    expect(written.code, written.stderr).toBe(3)
    expect(written.stderr).toContain(`${CHANGED}: left out while building: changed`)
    const again = await run('write', plan, '--to', to, '--skip-changed')
    expect(again.code, again.stderr).toBe(3)
    const copies = readdirSync(to).map((name) => join(to, name))
    expect((await run('verify', ...copies)).code).toBe(3)
  })
})
