import { execFileSync } from 'node:child_process'
import {
  cpSync,
  type FSWatcher,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  watch,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PlanDocument, planDocumentSchema } from '../../src/contract/dto/plan'
import { runDocumentSchema } from '../../src/contract/dto/run'
import { seededRandom } from '../../src/primitives/seededRandom'
import { type CommandEnd, stowage } from '../fixtures/stowageCommand'
import { memoryDisk } from '../support/memoryDisk'

let folder: string
let home: string
let source: string
let planDir: string
let planned: CommandEnd
let built: CommandEnd
let document: PlanDocument
const run = (...args: string[]): Promise<CommandEnd> => stowage(args, { home })

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'stowage-plan-'))
  home = join(folder, 'home')
  source = join(folder, 'Photos 2024')
  mkdirSync(join(source, 'empty folder'), { recursive: true })
  const random = seededRandom(3)
  for (let index = 0; index < 60; index++) {
    const content = Buffer.alloc(random.below(900_000))
    random.fillBytes(content)
    mkdirSync(join(source, `album ${index % 7}`), { recursive: true })
    writeFileSync(join(source, `album ${index % 7}`, `img ${index}.jpg`), content)
  }
  const film = Buffer.alloc(12_000_000)
  random.fillBytes(film)
  writeFileSync(join(source, 'film.mkv'), film)
  planDir = join(folder, 'plan')
  planned = await run('plan', source, '--medium', 'custom:8MB', '--out', planDir, '--json')
  document = planDocumentSchema.parse(JSON.parse(planned.stdout))
  built = await run('build', planDir, '--json')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Digest and path of every file below a folder, as sha256sum and find tell them. */
function digests(of: string): string {
  const list = 'find . -path ./STOWAGE -prune -o -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum'
  return execFileSync('sh', ['-c', list], { cwd: of, encoding: 'utf8' })
}

describe('stowage plan, build, verify and find', () => {
  it('plans volumes that hold the source exactly once and fit to the sector', () => {
    expect(planned.code, planned.stderr).toBe(0)
    const surveyed = digests(source).trimEnd().split('\n').length
    expect(document.totals).toMatchObject({ files: surveyed, splitFiles: 1 })
    expect(document.volumes.reduce((sum, volume) => sum + volume.bytes, 0)).toBe(document.totals.bytes)
    for (const volume of document.volumes) expect(volume.sectors).toBeLessThanOrEqual(volume.capacitySectors)
    expect(document.totals.volumes).toBeLessThanOrEqual(document.totals.lowerBoundVolumes + 1)
    const { lists, ...exported } = planDocumentSchema.parse(
      JSON.parse(readFileSync(join(planDir, 'plan.json'), 'utf8')),
    )
    expect(lists?.length).toBeGreaterThan(0)
    expect(exported).toEqual(document)
  })

  it('plans the same source the same way again', async () => {
    const end = await run('plan', source, '--medium', 'custom:8MB', '--out', join(folder, 'again'), '--json')
    expect(JSON.parse(end.stdout).volumes).toEqual(document.volumes)
  })

  it('does not write into a folder that holds something', async () => {
    const end = await run('plan', source, '--medium', 'custom:8MB', '--out', planDir)
    expect([end.code, end.stderr]).toEqual([2, expect.stringContaining('the folder is not empty')])
  })

  it('builds images of exactly the forecast size', () => {
    expect(built.code, built.stderr).toBe(0)
    for (const volume of runDocumentSchema.parse(JSON.parse(built.stdout)).volumes) {
      expect(volume).toMatchObject({ state: 'done', actualSectors: volume.forecastSectors })
    }
  })

  it('keeps what is built, and builds it again identically when forced', async () => {
    const image = join(planDir, 'images', '02.iso')
    const before = readFileSync(image)
    const kept = runDocumentSchema.parse(JSON.parse((await run('build', planDir, '--json')).stdout))
    expect(new Set(kept.volumes.map((volume) => volume.state))).toEqual(new Set(['kept']))
    const forced = await run('build', planDir, '--volume', '2', '--force', '--json')
    expect(runDocumentSchema.parse(JSON.parse(forced.stdout)).volumes).toMatchObject([
      { index: 2, state: 'done' },
    ])
    expect(readFileSync(image).equals(before)).toBe(true)
  })

  it('is not built with a password, which would encrypt nothing', { tags: 'long' }, async () => {
    const secret = join(folder, 'password')
    writeFileSync(secret, 'swordfish\n')
    const { code, stdout, stderr } = await run('build', planDir, '--force', '--password-file', secret)
    expect([code, stdout]).toEqual([7, ''])
    expect(stderr).toMatch(/^stowage: cannot build .*plan with a password: its plan is not encrypted$/m)
    expect(
      await stowage(['verify', planDir, '--password-stdin'], { home, stdin: 'swordfish\n' }),
    ).toMatchObject({
      code: 0,
    })
  })

  it('gives back the same names and contents when all images are extracted and cat rejoins the parts', {
    tags: 'long',
  }, () => {
    const back = join(folder, 'back')
    mkdirSync(back)
    for (const { index } of document.volumes) {
      const image = join(planDir, 'images', `${String(index).padStart(2, '0')}.iso`)
      execFileSync('xorriso', ['-osirrox', 'on', '-indev', image, '-extract', '/', back], { stdio: 'ignore' })
      execFileSync('chmod', ['-R', 'u+w', back])
      execFileSync('sha256sum', ['-c', '--quiet', 'STOWAGE/SHA256SUMS'], { cwd: back })
    }
    execFileSync('sh', ['-c', 'cat film.mkv.0* > film.mkv && rm film.mkv.0*'], { cwd: back })
    expect(digests(back)).toBe(digests(source))
    execFileSync('test', ['-d', join(back, 'empty folder')])
  })

  it('reads everything back when it verifies, and notices one changed byte', async () => {
    expect((await run('verify', planDir)).code).toBe(0)
    const image = join(planDir, 'images', '01.iso')
    const before = readFileSync(image)
    const file = openSync(image, 'r+')
    writeSync(file, Buffer.from([(before.at(-400_000) ?? 0) ^ 1]), 0, 1, before.length - 400_000)
    const end = await run('verify', planDir)
    expect([end.code, end.stderr]).toEqual([6, expect.stringContaining('its content differs (SHA-256)')])
    writeFileSync(image, before)
  })

  it('says which volume holds a file', async () => {
    const { stdout, code } = await run('find', 'IMG 7.jpg', '--json')
    expect(code).toBe(0)
    const [found] = JSON.parse(stdout).files
    expect(found).toMatchObject({
      path: 'album 0/img 7.jpg',
      volume: { label: expect.stringMatching(/_0\d$/) },
    })
  })

  it('finds names in folders by a pattern without a slash', async () => {
    const { stdout, code } = await run('find', 'img 7*.jpg', '--json')
    expect([code, JSON.parse(stdout).files[0].path]).toEqual([0, 'album 0/img 7.jpg'])
  })

  it('names the discs that are needed to restore what was found', { tags: 'long' }, async () => {
    const { stdout } = await run('find', 'film.mkv')
    const needed = document.volumes
      .filter(({ label }) => new RegExp(`^${label} +${document.id} `, 'm').test(stdout))
      .map(({ label }) => label)
    expect(needed.length).toBeGreaterThan(1)
    const said = stdout.replaceAll(/\s+/g, ' ')
    // Other tests' plans have the file too, where they ran before.
    expect(said).toMatch(/^\d files? found( in \d plans)?\. To restore (it|these files) you need /)
    expect(said).toContain(`${needed.length} discs: ${needed.join(', ')} (plan ${document.id})`)
  })

  it('shows when each disc that is found was planned, built and verified', { tags: 'long' }, async () => {
    const [own, small, out] = ['state home', 'small', 'small plan'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ]
    mkdirSync(small)
    for (const name of ['a.bin', 'b.bin']) writeFileSync(join(small, name), Buffer.alloc(1_500_000, name))
    const ran = async (...args: string[]) => (await stowage(args, { home: own })).stdout
    const stateOf = async (disc: number): Promise<string | undefined> =>
      new RegExp(`^SMALL_0${disc}, disc ${disc} of plan p-[0-9a-z]+: (.*)$`, 'm').exec(
        (await ran('find', '*.bin')).replaceAll('\n  ', ' '),
      )?.[1]
    const day = String.raw`\d{1,2} [A-Z][a-z]+ \d{4}`
    await ran('plan', small, '--medium', 'custom:2500KB', '--out', out)
    expect(await stateOf(1)).toMatch(new RegExp(`^planned ${day}$`))
    await ran('build', out)
    await ran('verify', out, '--volume', '2')
    expect(await stateOf(1)).toMatch(new RegExp(`^built ${day}$`))
    expect(await stateOf(2)).toMatch(new RegExp(`^built ${day}, verified ${day}, check again by ${day}$`))
    const image = join(out, 'images', '01.iso')
    const bytes = readFileSync(image)
    bytes.fill(255, 1_000_000, 1_000_010)
    writeFileSync(image, bytes)
    await ran('verify', out)
    expect(await stateOf(1)).toMatch(new RegExp(`^verification failed ${day}$`))
    const [disc] = JSON.parse(await ran('find', 'a.bin', '--json')).files
    const { plannedWallMs, builtWallMs, verifiedWallMs, failedWallMs } = disc.volume.state
    expect(verifiedWallMs).toBeNull()
    expect([plannedWallMs, builtWallMs, failedWallMs]).toEqual(
      [plannedWallMs, builtWallMs, failedWallMs].toSorted((one, other) => one - other),
    )
    const listed = JSON.parse(await ran('catalog', 'list', '--json')).plans
    expect(listed).toMatchObject([{ volumes: 2, built: 2, verified: 1, failed: 1 }])
  })

  it('restores the source from the images, disc by disc, without the plan', { tags: 'long' }, async () => {
    const back = join(folder, 'restored')
    const discs = join(folder, 'discs')
    cpSync(join(planDir, 'images'), discs, { recursive: true })
    const images = document.volumes.map(({ index }) => join(discs, `${String(index).padStart(2, '0')}.iso`))
    const [first = '', ...others] = images
    const part = await run('restore', first, '--to', back)
    expect([part.code, part.stdout]).toEqual([3, expect.stringContaining('Disc 2 (')])
    for (const image of others) await run('restore', image, '--to', back, '--json')
    const end = await run('restore', ...images, '--to', back, '--json')
    expect(end.code, end.stderr).toBe(0)
    const restored = JSON.parse(end.stdout)
    expect(restored).toMatchObject({ schema: 'stowage.restore/1', outcome: 'done', volumesNeeded: [] })
    expect(restored.kept + restored.restored).toBe(document.totals.files)
    expect(digests(back)).toBe(digests(source))
    expect((await run('restore', ...images, '--to', back, '--files', 'no*such')).code).toBe(7)
    expect((await run('restore', source, '--to', back)).code).toBe(2)
  })

  it('answers a pattern that nothing matches with one line and exit code 7', async () => {
    const end = await run('find', 'no*such')
    expect(end).toEqual({ code: 7, stdout: '', stderr: 'no file matches "no*such"\n' })
    const json = await run('find', 'no*such', '--json')
    expect([json.code, JSON.parse(json.stdout).files]).toEqual([7, []])
  })

  it('has no plan in the catalog whose export failed', async () => {
    const own = join(folder, 'own home')
    mkdirSync(join(folder, 'unwritable'))
    const to = join(folder, 'unwritable', 'x'.repeat(250))
    const end = await stowage(['plan', source, '--medium', 'custom:8MB', '--out', to], { home: own })
    expect(end.code).not.toBe(0)
    const listed = JSON.parse((await stowage(['catalog', 'list', '--json'], { home: own })).stdout)
    expect([listed.surveys.length, listed.plans]).toEqual([1, []])
    const found = JSON.parse((await stowage(['find', 'img 7.jpg', '--json'], { home: own })).stdout)
    expect(found.files.map((file: { volume: unknown }) => file.volume)).toEqual([null])
  })

  it('has no plan in the catalog that was killed while it was exported', { tags: 'long' }, async () => {
    const own = join(folder, 'killed home')
    const out = join(folder, 'killed plan')
    let watcher: FSWatcher | undefined
    const end = await stowage(['plan', source, '--medium', 'custom:8MB', '--out', out], {
      home: own,
      onStart: (kill) => {
        watcher = watch(folder, (_event, name) => {
          if (name?.startsWith('killed plan.partial-')) kill('SIGKILL')
        })
      },
    })
    watcher?.close()
    expect(end.code).toBeNull()
    const listed = JSON.parse((await stowage(['catalog', 'list', '--json'], { home: own })).stdout)
    expect([listed.surveys.length, listed.plans]).toEqual([1, []])
    const found = JSON.parse((await stowage(['find', 'img 7.jpg', '--json'], { home: own })).stdout)
    expect(found.files.map((file: { volume: unknown }) => file.volume)).toEqual([null])
    expect(readdirSync(folder).filter((name) => name.startsWith('killed plan'))).toEqual([])
    const again = await stowage(['plan', source, '--medium', 'custom:8MB', '--out', out], { home: own })
    expect(again.code, again.stderr).toBe(0)
    const at = JSON.parse((await stowage(['find', 'img 7.jpg', '--json'], { home: own })).stdout)
    expect(at.files[0]).toMatchObject({ volume: { label: expect.stringMatching(/_0\d$/) } })
  })

  it('refuses a place for the plan before anything is read', async () => {
    const own = join(folder, 'fresh home')
    const end = await stowage(['plan', source, '--medium', 'custom:8MB', '--out', planDir], { home: own })
    expect([end.code, end.stderr]).toEqual([2, expect.stringContaining('the folder is not empty')])
    const listed = JSON.parse((await stowage(['catalog', 'list', '--json'], { home: own })).stdout)
    expect(listed).toMatchObject({ surveys: [], plans: [] })
  })

  it('plans from a saved survey in another catalog', { tags: 'long' }, async () => {
    const saved = join(folder, 'survey.json')
    await run('survey', source, '--sha256', '--samples', 'none', '--out', saved)
    const out = join(folder, 'elsewhere')
    const end = await stowage(['plan', '--survey', saved, '--medium', 'custom:8MB', '--out', out, '--json'], {
      home: join(folder, 'other home'),
    })
    expect(end.code, end.stderr).toBe(0)
    expect(JSON.parse(end.stdout).volumes).toEqual(document.volumes)
  })

  it('says what it reads for SHA-256 where the survey has none, and reads it for the first plan only', async () => {
    const small = join(folder, 'without digests')
    mkdirSync(small)
    for (const name of ['a', 'b']) writeFileSync(join(small, name), Buffer.alloc(1_000_000, name))
    const surveyed = await run('survey', small, '--no-sha256', '--samples', 'none', '--json')
    const { id } = JSON.parse(surveyed.stdout)
    const planTo = (out: string) =>
      run('plan', '--survey', id, '--medium', 'disk', '--out', join(folder, out))
    const said = 'Reading 2.00 MB of 2 files once for SHA-256, which this survey lacks\n'
    const first = await planTo('read once')
    expect([first.code, first.stderr]).toEqual([0, expect.stringContaining(said)])
    const second = await planTo('read no more')
    expect([second.code, second.stderr]).toEqual([0, expect.not.stringContaining('SHA-256')])
  })

  it('fills folders instead of images when asked', { tags: 'long' }, async () => {
    const out = join(folder, 'folders')
    const end = await run('plan', source, '--medium', 'folder:20MB', '--out', out)
    expect(end.code, end.stderr).toBe(0)
    expect((await run('build', out)).code).toBe(0)
    expect((await run('verify', out)).code).toBe(0)
  })

  it.each([
    ['an unknown medium', () => ['--medium', 'laserdisc'], 2, /no medium "laserdisc"/],
    [
      'a volume too small for anything',
      () => ['--medium', 'custom:100kB'],
      4,
      /a volume of 48 sectors is too small/,
    ],
  ])('answers %s with one line', async (_what, args, code, line) => {
    const end = await run('plan', source, ...args(), '--out', join(folder, 'never'))
    expect([end.code, end.stderr]).toEqual([code, expect.stringMatching(line)])
  })

  it('stops with one line on a full disk, and keeps what was built before', async (context) => {
    const small = memoryDisk(join(folder, 'small disk'), 12 << 20)
    if (typeof small === 'string') return context.skip(small)
    try {
      const out = join(small.path, 'plan')
      expect((await run('plan', source, '--medium', 'custom:8MB', '--out', out)).code).toBe(0)
      const end = await run('build', out)
      expect([end.code, end.stderr]).toEqual([4, expect.stringMatching(/ MB needed, /)])
      expect(execFileSync('ls', [join(out, 'images')], { encoding: 'utf8' })).toBe('01.iso\n')
      expect((await run('verify', out, '--volume', '1')).code).toBe(0)
    } finally {
      small.unmount()
    }
  })

  it('refuses a plan whose source has changed since', async () => {
    const changed = join(folder, 'changing')
    mkdirSync(changed)
    writeFileSync(join(changed, 'a'), 'first')
    const out = join(folder, 'changing plan')
    await run('plan', changed, '--medium', 'cd-700', '--out', out)
    writeFileSync(join(changed, 'a'), 'other content')
    const end = await run('build', out)
    expect([end.code, end.stderr]).toEqual([
      7,
      expect.stringContaining('it has 13 bytes, and had 5 when it was planned'),
    ])
  })
})
