import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PlanDocument } from '../../src/contract/dto/plan'
import { makeHostileTree } from '../fixtures/hostileTree'
import { type Bench, openBench, temporaryFolder } from '../support/archiveRun'
import { mostlyLong } from '../support/mostlyLong'
import { runRestore } from '../support/restoreRun'
import { treeFacts } from '../support/treeFacts'

/*
 * The script is written for macOS and was not run there. Here it runs with stand-ins for hdiutil and diskutil, which take only what
 * their manuals allow: that proves its quoting, its copying and its handling of passwords and failures, and nothing about macOS.
 */
const TOOLS = resolve('tests/fixtures/macTools')
const SECRET = `it's "$ecret" \`%s\` é`

const folder = temporaryFolder('mac')
const source = join(folder.path, `so'urce "$HOME"`)
let bench: Bench
let surveyId = ''

beforeAll(async () => {
  makeHostileTree(source, { seed: 5, bigBytes: 700_001 })
  keepMacNames(Buffer.from(source))
  writeFileSync(join(source, 'old'), 'old')
  chmodSync(join(source, 'old'), 0o640)
  utimesSync(join(source, 'old'), 1e9, 1e9)
  bench = openBench(join(folder.path, 'data'))
  surveyId = await bench.survey([source], { sha256: true })
})

afterAll(() => {
  bench.close()
  folder.dispose()
})

/** Leaves out of a tree what no Mac's file system holds: names that are not UTF-8. */
function keepMacNames(at: Buffer): void {
  for (const entry of readdirSync(at, { withFileTypes: true, encoding: 'buffer' })) {
    const path = Buffer.concat([at, Buffer.from('/'), entry.name])
    if (!Buffer.from(entry.name.toString('utf8')).equals(entry.name)) rmSync(path, { recursive: true })
    else if (entry.isDirectory()) keepMacNames(path)
  }
}

interface Exported {
  readonly plan: PlanDocument
  readonly directory: string
  /** Where the image appears. */
  readonly image: string
}

async function exported(
  name: string,
  packing: Parameters<Bench['plan']>[2],
  survey = surveyId,
): Promise<Exported> {
  const plan = await bench.plan(survey, 'disk', { labelPrefix: 'PHOTOS', ...packing })
  const directory = join(folder.path, `${name}'s "plan"`)
  await bench.export(plan.id, directory)
  const ending = { udrw: '.dmg', udsp: '.sparseimage', udsb: '.sparsebundle', asif: '.asif' }
  const image = join(directory, 'images', `PHOTOS_01${ending[packing?.recipe as keyof typeof ending]}`)
  return { plan, directory, image }
}

interface Outcome {
  readonly status: number | null
  readonly out: string
  readonly problems: string
  /** Every call of the stand-ins with its words, and the environment that they saw. */
  readonly log: string
}

let runs = 0

function runScript(
  { directory }: Exported,
  args: readonly string[] = [],
  more: { readonly input?: string; readonly environment?: Readonly<Record<string, string>> } = {},
): Outcome {
  runs += 1
  const logPath = join(folder.path, `calls-${runs}`)
  writeFileSync(logPath, '')
  const { status, stdout, stderr } = spawnSync('sh', [join(directory, 'build-on-mac.sh'), ...args], {
    cwd: folder.path,
    input: more.input ?? '',
    encoding: 'utf8',
    env: {
      PATH: `${TOOLS}:${process.env['PATH']}`,
      TMPDIR: folder.path,
      MAC_LOG: logPath,
      ...more.environment,
    },
  })
  return { status, out: stdout, problems: stderr, log: readFileSync(logPath, 'utf8') }
}

/** Everything in an image but Stowage's own folder. */
function filesIn(image: string): ReturnType<typeof treeFacts> {
  const facts = treeFacts(join(image, 'content'))
  const own = ownFolder(facts)
  return Object.fromEntries(
    Object.entries(facts).filter(([path]) => path !== own && !path.startsWith(`${own}/`)),
  )
}

/** It has another name where the source has a STOWAGE of its own. */
function ownFolder(facts: ReturnType<typeof treeFacts>): string {
  const script = Object.keys(facts).find((path) => /^STOWAGE[^/]*\/RESTORE\.sh$/.test(path))
  return script?.split('/')[0] ?? ''
}

/** Nothing of a run is left but what it was to make. */
function leftOvers(directory: string): string[] {
  const images = existsSync(join(directory, 'images')) ? readdirSync(join(directory, 'images')) : []
  const temporary = readdirSync(folder.path).filter((name) => name.startsWith('stowage-mac.'))
  return [...images, ...temporary]
}

describe('build-on-mac.sh with stand-ins for the tools of macOS', () => {
  mostlyLong(
    test,
    [
      ['udrw', 'none', /^UDIF \d+m PHOTOS_01 {2}$/m],
      ['udrw', 'aes-128', /^UDIF \d+m PHOTOS_01 {2}AES-128$/m],
      ['udsp', 'none', /^SPARSE \d+m PHOTOS_01 {2}$/m],
      ['udsp', 'aes-256', /^SPARSE \d+m PHOTOS_01 {2}AES-256$/m],
      ['udsb', 'none', /^SPARSEBUNDLE \d+m PHOTOS_01 2048 $/m],
      ['udsb', 'aes-256', /^SPARSEBUNDLE \d+m PHOTOS_01 2048 AES-256$/m],
      ['asif', 'none', /^ASIF \d+MiB PHOTOS_01 {2}$/m],
      ['asif', 'aes-256', /^ASIF \d+MiB PHOTOS_01 {2}yes$/m],
    ],
    ([recipe, encryption]) => recipe === 'udsb' && encryption === 'aes-256',
  )('makes %s (encryption: %s) with every file as it was', async (recipe, encryption, about) => {
    const made = await exported(`${recipe}-${encryption}`, { recipe, encryption })
    const { packing } = made.plan
    expect(packing).toMatchObject({ recipe, encryption, arrangement: 'independent' })
    expect(packing?.image).toEqual({
      bytes: expect.any(Number),
      bandBytes: recipe === 'udsb' ? 2 ** 20 : null,
    })
    expect(packing?.image?.bytes).toBeGreaterThanOrEqual(packing?.bytes.high ?? 0)
    const { status, out, problems, log } = runScript(made, [], {
      input: encryption === 'none' ? '' : `${SECRET}\n`,
    })
    expect([status, problems]).toEqual([0, ''])
    expect(out).toMatch(/is made: \d+ files are right by SHA-256\n$/)
    expect(readFileSync(join(made.image, 'about'), 'utf8')).toMatch(about)
    expect(filesIn(made.image)).toEqual(treeFacts(source))
    expect(leftOvers(made.directory)).toEqual(['PHOTOS_01-RESTORE.txt', made.image.split('/').at(-1)])
    // It is written, and opened again to be read.
    expect(readFileSync(join(made.image, 'attached'), 'utf8')).toBe('no\nyes\n')
    const given = Buffer.from(readFileSync(join(made.image, 'passphrase'), 'latin1'), 'hex')
    const end = recipe === 'asif' ? '' : '\0'
    expect(given.toString()).toBe(encryption === 'none' ? '' : SECRET + end)
    expect(log).not.toContain(SECRET)
    expect(readFileSync(join(made.directory, 'RESTORE.txt'), 'utf8')).toContain(
      recipe === 'asif'
        ? 'diskutil image attach --readOnly PHOTOS_01.asif'
        : 'hdiutil attach -readonly PHOTOS_01',
    )
  })

  test('the volume of the image restores with Stowage, and by its own script', { tags: 'long' }, async () => {
    const made = await exported('restored', { recipe: 'udsb' })
    expect(runScript(made).status).toBe(0)
    const volume = join(made.image, 'content')
    const { document, error } = await runRestore({ volumes: [volume], to: join(folder.path, 'back') })
    expect([error, document.missing]).toEqual([null, []])
    expect(treeFacts(join(folder.path, 'back'))).toEqual(treeFacts(source))
    const script = spawnSync('sh', [
      join(volume, ownFolder(treeFacts(volume)), 'RESTORE.sh'),
      join(folder.path, 'by hand'),
    ])
    expect([script.status, script.stderr.toString()]).toEqual([0, ''])
    const contents = (root: string) =>
      Object.entries(treeFacts(root)).map(([path, { content }]) => [path, content])
    expect(contents(join(folder.path, 'by hand'))).toEqual(contents(source))
  })

  test('several sources keep their names, and are found at other places', { tags: 'long' }, async () => {
    const one = join(folder.path, 'many', 'photos')
    const other = join(folder.path, 'many', '-a file\n')
    cpSync(source, one, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true })
    writeFileSync(other, 'one file')
    const id = await bench.survey([one, other], { sha256: true })
    const made = await exported('several', { recipe: 'udsp' }, id)
    renameSync(join(folder.path, 'many'), join(folder.path, 'moved'))
    const refused = runScript(made)
    expect([refused.status, refused.problems]).toEqual([7, expect.stringContaining('cannot find the source')])
    const few = runScript(made, ['-o', 'made', 'moved/photos'])
    expect([few.status, few.problems]).toEqual([2, expect.stringContaining('2 sources')])
    const done = runScript(made, ['-o', 'made', 'moved/photos', 'moved/-a file\n'])
    expect([done.status, done.problems]).toEqual([0, ''])
    const found = filesIn(join(folder.path, 'made', 'PHOTOS_01.sparseimage'))
    const wanted = treeFacts(join(folder.path, 'moved'))
    expect(Object.keys(found)).toEqual(Object.keys(wanted))
    expect(found['-a file\n']).toEqual(wanted['-a file\n'])
  })

  test('a source that changed leaves no image, and is named', { tags: 'long' }, async () => {
    const own = join(folder.path, 'changing')
    mkdirSync(own)
    writeFileSync(join(own, 'same'), 'same')
    writeFileSync(join(own, 'changed'), 'before')
    const made = await exported('changed', { recipe: 'udrw' }, await bench.survey([own], { sha256: true }))
    appendFileSync(join(own, 'changed'), '!')
    const { status, problems } = runScript(made)
    expect([status, problems]).toEqual([6, expect.stringMatching(/^changed: FAILED$/m)])
    expect(leftOvers(made.directory)).toEqual([])
    rmSync(join(own, 'changed'))
    expect(runScript(made).status).toBe(1)
    expect(leftOvers(made.directory)).toEqual([])
  })

  test('failures of hdiutil leave nothing, and a busy volume is ejected at last', {
    tags: 'long',
  }, async () => {
    const made = await exported('failing', { recipe: 'udsb', encryption: 'aes-128' })
    const input = `${SECRET}\n`
    for (const verb of ['create', 'attach']) {
      const failed = runScript(made, [], { input, environment: { MAC_FAILS: verb } })
      expect([failed.status, failed.problems]).toEqual([
        1,
        expect.stringContaining('No space left on device'),
      ])
      expect(leftOvers(made.directory)).toEqual([])
    }
    const silent = runScript(made)
    expect([silent.status, silent.problems]).toEqual([2, 'a password is needed\n'])
    const busy = runScript(made, [], { input, environment: { MAC_BUSY: join(folder.path, 'was busy') } })
    expect([busy.status, existsSync(join(folder.path, 'was busy'))]).toEqual([0, true])
    const again = runScript(made, [], { input })
    expect([again.status, again.problems]).toEqual([7, expect.stringContaining('is there already')])
    expect(existsSync(made.image)).toBe(true)
  })

  test('names the missing program away from macOS', async () => {
    const made = await exported('elsewhere', { recipe: 'udsb' })
    const { status, problems } = runScript(made, [], { environment: { PATH: process.env['PATH'] ?? '' } })
    expect([status, problems]).toEqual([5, 'cannot find hdiutil: this script runs on a Mac\n'])
  })
})

describe('a plan of a disk image', () => {
  test('is built and verified by its script only, and says so', async () => {
    const { directory } = await exported('refused', { recipe: 'udsb', encryption: 'aes-256' })
    const refused = expect.objectContaining({
      code: 'refused',
      message: expect.stringMatching(
        /^cannot (build|verify) .*; run "sh build-on-mac.sh" in that folder on a Mac$/,
      ),
    })
    await expect(bench.build(directory)).rejects.toEqual(refused)
    await expect(bench.verify(directory)).rejects.toEqual(refused)
    await expect(
      runRestore({ volumes: [directory], to: join(folder.path, 'nothing') }),
    ).rejects.toMatchObject({
      message: expect.stringContaining('open its disk image on a Mac'),
    })
  })

  test('is refused on discs, with what no Mac can do, and where names clash', async () => {
    await expect(bench.plan(surveyId, 'cd-700', { recipe: 'udsb' })).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringMatching(/not to discs; choose udzo/),
    })
    await expect(
      bench.plan(surveyId, 'disk', { recipe: 'asif', encryption: 'aes-128' }),
    ).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringContaining('AES-256 only'),
    })
    await expect(bench.plan(surveyId, 'folder:2MB', { recipe: 'udrw' })).rejects.toMatchObject({
      code: 'cannot-fit',
    })
    const own = join(folder.path, 'clashing')
    mkdirSync(own)
    for (const name of ['A', 'a', 'é'.normalize('NFC'), 'é'.normalize('NFD')])
      writeFileSync(join(own, name), name)
    writeFileSync(Buffer.concat([Buffer.from(`${own}/`), Buffer.from([0xff])]), '')
    const plan = await bench.plan(await bench.survey([own], { sha256: true }), 'disk', { recipe: 'udsb' })
    expect(plan.problems.map(({ code, blocking }) => `${code} ${blocking}`).toSorted()).toEqual([
      'name-not-utf8 true',
      'names-clash true',
      'names-clash true',
    ])
    await expect(bench.export(plan.id, join(folder.path, 'no plan'))).rejects.toMatchObject({
      code: 'refused',
    })
  })

  test('is found in the catalog, and replaced with its script', { tags: 'long' }, async () => {
    const made = await exported('found', { recipe: 'udsb' })
    expect(runScript(made).status).toBe(0)
    expect(bench.catalog.plans().find(({ id }) => id === made.plan.id)).toMatchObject({
      volumes: 1,
      built: 0,
    })
    const next = await bench.plan(surveyId, 'disk', { recipe: 'udrw', labelPrefix: 'PHOTOS' })
    await bench.export(next.id, made.directory, true)
    expect(readFileSync(join(made.directory, 'build-on-mac.sh'), 'utf8')).toContain("ending='.dmg'")
    // What a person made on the Mac stays, in the folder that the plan was kept in.
    const kept = readdirSync(folder.path).filter((name) =>
      name.startsWith(`${basename(made.directory)}.replaced-`),
    )
    expect(kept).toHaveLength(1)
    expect(existsSync(join(folder.path, kept[0] ?? '', 'images', basename(made.image)))).toBe(true)
  })
})
