import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type PlanDocument,
  type PlanEntry,
  planComparisonSchema,
  planDocumentSchema,
  planEntrySchema,
} from '../../src/contract/dto/plan'
import { seededRandom } from '../../src/primitives/seededRandom'
import { type CommandEnd, stowage } from '../fixtures/stowageCommand'
import { temporaryFolder } from '../support/archiveRun'

const folder = temporaryFolder('placed')
const home = join(folder.path, 'home')
const source = join(folder.path, 'Photos')
const YEARS = [2021, 2020, 2019, 2018]
const run = (...args: string[]): Promise<CommandEnd> => stowage(args, { home })
let survey = ''

beforeAll(async () => {
  const random = seededRandom(8)
  // Names run against the years.
  for (const [at, year] of YEARS.entries()) {
    const trip = join(source, `trip ${at}`)
    mkdirSync(trip, { recursive: true })
    for (let month = 1; month <= 4; month++) {
      const content = new Uint8Array(400_000)
      random.fillBytes(content)
      const file = join(trip, `${month}=b.jpg`)
      writeFileSync(file, content)
      utimesSync(file, year, Date.UTC(year, month) / 1000)
    }
  }
  survey = await surveyWith('none')
}, 120_000)
afterAll(() => folder.dispose())

async function surveyWith(samples: 'none' | 'fast'): Promise<string> {
  const surveyed = await run('survey', source, '--sha256', '--samples', samples, '--json')
  expect(surveyed.code, surveyed.stderr).toBe(0)
  return JSON.parse(surveyed.stdout).id
}

/** Plans the survey into a folder of that name. */
function plan(name: string, ...args: string[]): Promise<CommandEnd> {
  return run('plan', '--survey', survey, '--out', join(folder.path, name), ...args)
}

let sampled: Promise<string> | undefined
/** The same as archives. These need forecasts: of a survey with samples, made at the first call. */
async function planPacked(name: string, ...args: string[]): Promise<CommandEnd> {
  const id = await (sampled ??= surveyWith('fast'))
  const option = ['--option', '7z-files', '--medium', 'custom:3MB']
  return run('plan', '--survey', id, '--out', join(folder.path, name), ...option, ...args)
}

function documentOf(name: string): PlanDocument {
  return planDocumentSchema.parse(JSON.parse(readFileSync(join(folder.path, name, 'plan.json'), 'utf8')))
}

/** The volume of each file that a plan's lists name. */
function volumesOf(name: string): Map<string, number> {
  const lists = join(folder.path, name, 'volumes')
  return new Map(
    readdirSync(lists).flatMap((number) =>
      linesOf(join(lists, number, 'entries.jsonl')).map(({ path }): [string, number] => [
        path,
        Number(number),
      ]),
    ),
  )
}

function linesOf(list: string): PlanEntry[] {
  const lines = readFileSync(list, 'utf8').trimEnd().split('\n')
  return lines.map((line) => planEntrySchema.parse(JSON.parse(line)))
}

function digests(of: string): string {
  const list = 'find . -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum'
  return execFileSync('sh', ['-c', list], { cwd: of, encoding: 'utf8' })
}

async function expectRestores(name: string, to: string): Promise<void> {
  const built = await run('build', join(folder.path, name))
  expect(built.code, built.stderr).toBe(0)
  const verified = await run('verify', join(folder.path, name))
  expect(verified.code, verified.stderr).toBe(0)
  const restored = await run('restore', join(folder.path, name), '--to', join(folder.path, to))
  expect(restored.code, restored.stderr).toBe(0)
  expect(digests(join(folder.path, to))).toBe(digests(source))
}

describe('a plan with a placement', () => {
  it('puts years on discs in turn, around what is pinned, under labels of their own, and restores', async () => {
    const placed = ['--pin', `${source}/trip 3/4=b.jpg=3`, '--keep', 'trip 0', '--order', 'date']
    const more = ['--volume-label', '2=THE_MIDDLE', '--reserve', '100kB', '--medium', 'custom:3MB']
    const { code, stdout, stderr } = await plan('years', ...placed, ...more)
    expect(code, stderr).toBe(0)
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'Placement: 1 pin, 1 folder kept together, filled by date, 1 label of your own, 100 kB more left free on each disc.',
    )
    const document = documentOf('years')
    expect(document.placement).toEqual({
      pins: [{ path: join(source, 'trip 3/4=b.jpg'), volume: 3 }],
      keep: [join(source, 'trip 0')],
      order: 'date',
      labels: [{ volume: 2, label: 'THE_MIDDLE' }],
      reserveBytes: 100_000,
    })
    expect(document.volumes.map(({ label }) => label)).toEqual([
      'PHOTOS_01',
      'THE_MIDDLE',
      'PHOTOS_03',
      ...document.volumes.slice(3).map((_, at) => `PHOTOS_0${at + 4}`),
    ])
    for (const { sectors, capacitySectors } of document.volumes)
      expect(sectors).toBeLessThanOrEqual(capacitySectors - Math.ceil(100_000 / 2048))
    const volumes = volumesOf('years')
    expect(volumes.get('trip 3/4=b.jpg')).toBe(3)
    const inTurn = [3, 2, 1, 0].flatMap((trip) => [1, 2, 3, 4].map((month) => `trip ${trip}/${month}=b.jpg`))
    const free = inTurn.filter((path) => path !== 'trip 3/4=b.jpg').map((path) => volumes.get(path) ?? 0)
    expect(free).toEqual(free.toSorted((a, b) => a - b))
    expect(new Set(free.slice(-4)).size).toBe(1)
    expect(document.totals.volumes).toBeGreaterThanOrEqual(document.totals.fewestVolumes ?? Infinity)
    expect(document.totals.fewestVolumes).toBeGreaterThanOrEqual(document.totals.lowerBoundVolumes)
    await expectRestores('years', 'years back')
    // The volume identifier of ISO 9660.
    const image = readFileSync(join(folder.path, 'years', 'images', '02.iso'))
    expect(image.toString('latin1', 16 * 2048 + 40, 16 * 2048 + 72).trimEnd()).toBe('THE_MIDDLE')
  }, 300_000)

  it('compares the orders without writing a plan, and each plan is as it was compared', async () => {
    const asked = ['--survey', survey, '--medium', 'custom:3MB', '--pin', 'trip 0/1=b.jpg=1']
    const { code, stdout, stderr } = await run('plan', ...asked, '--compare', '--json')
    expect(code, stderr).toBe(0)
    const comparison = planComparisonSchema.parse(JSON.parse(stdout))
    expect(comparison.refused).toEqual([])
    expect(comparison.alternatives.map(({ order }) => order)).toEqual(['size', 'folders', 'name', 'date'])
    for (const { order, volumes, sectors, years } of comparison.alternatives) {
      const made = await plan(`as ${order}`, ...asked.slice(2), '--order', order)
      expect(made.code, made.stderr).toBe(0)
      const document = documentOf(`as ${order}`)
      expect(document.volumes.length).toBe(volumes)
      expect(volumesOf(`as ${order}`).get('trip 0/1=b.jpg')).toBe(1)
      for (const [at, volume] of document.volumes.entries()) {
        expect(volume.sectors).toBeLessThanOrEqual(sectors[at] ?? 0)
        expect(volume.sectors).toBeGreaterThan(0.8 * (sectors[at] ?? 0))
      }
      expect(years.map(({ year }) => year)).toEqual([2018, 2019, 2020, 2021])
    }
    const shown = await run('plan', ...asked, '--compare')
    expect(shown.stdout.replaceAll(/\s+/g, ' ')).toMatch(
      /^\d( to \d)? × Image of 3 MB, by the order in which they are filled\. .*order discs ◐ broken folders free/,
    )
    expect(shown.stdout.replaceAll(/[\s\\]+/g, ' ')).toContain(
      `plan --survey ${survey} --protect none --medium custom:3MB --pin 'trip 0/1=b.jpg=1' --order folders --out plan`,
    )
  }, 300_000)

  it('fills discs by name where that takes no more of them, and says so; an order that is asked for stays', async () => {
    const usual = await plan('usual', '--medium', 'custom:3MB')
    expect(usual.code, usual.stderr).toBe(0)
    expect(usual.stdout).toContain('Filled by name, which takes no more discs.')
    const document = documentOf('usual')
    expect(document.filledBy).toBe('name')
    expect(document.placement).toBeUndefined()
    const inTurn = [...volumesOf('usual')].toSorted(([a], [b]) => (a < b ? -1 : 1))
    const discs = inTurn.flatMap(([path, disc]) => (path.endsWith('.jpg') ? [disc] : []))
    expect(discs).toHaveLength(16)
    expect(discs).toEqual(discs.toSorted((one, other) => one - other))
    const chosen = await plan('in no order', '--medium', 'custom:3MB', '--order', 'size')
    expect(chosen.code, chosen.stderr).toBe(0)
    expect(chosen.stdout).toContain('Placement: filled in no order.')
    const unordered = documentOf('in no order')
    expect(unordered.placement).toEqual({ order: 'size' })
    expect(unordered.filledBy).toBeUndefined()
    expect(unordered.volumes).toHaveLength(document.volumes.length)
    const pinned = await plan('pinned', '--medium', 'custom:3MB', '--pin', 'trip 3/4=b.jpg=1')
    expect(pinned.code, pinned.stderr).toBe(0)
    expect(documentOf('pinned').filledBy).toBe('name')
    expect(volumesOf('pinned').get('trip 3/4=b.jpg')).toBe(1)
    await expectRestores('usual', 'usual back')
  }, 300_000)

  it('fills discs by date where folders are years', async () => {
    const photos = join(folder.path, 'By year')
    for (const [name, year] of [
      ...YEARS.map((one) => [`${one} trips`, one] as const),
      ['Best', 2019],
    ] as const) {
      mkdirSync(join(photos, name), { recursive: true })
      for (let month = 1; month <= 3; month++) {
        const file = join(photos, name, `${month}.jpg`)
        writeFileSync(file, new Uint8Array(name === 'Best' ? 100_000 : 400_000).fill(year + month))
        utimesSync(file, year, Date.UTC(year, 2 * month) / 1000)
      }
    }
    const made = await run('plan', photos, '--medium', 'custom:3MB', '--out', join(folder.path, 'dated'))
    expect(made.code, made.stderr).toBe(0)
    expect(made.stdout).toContain('Filled by date, which takes no more discs.')
    expect(documentOf('dated').filledBy).toBe('date')
    const volumes = volumesOf('dated')
    const inTurn = ['2018 trips', '2019 trips', 'Best', '2020 trips', '2021 trips']
    const discs = inTurn.map((name) => volumes.get(`${name}/1.jpg`) ?? 0)
    expect(discs).toEqual(discs.toSorted((one, other) => one - other))
    expect(volumes.get('Best/3.jpg')).toBeLessThan(volumes.get('2021 trips/1.jpg') ?? 0)
  }, 300_000)

  it('labels discs by the years of their files', async () => {
    const { code, stderr } = await plan(
      'by year',
      '--medium',
      'custom:2.6MB',
      '--order',
      'folders',
      '--label-by',
      'date',
      '--volume-label',
      '1=FIRST',
    )
    expect(code, stderr).toBe(0)
    const { volumes, placement } = documentOf('by year')
    expect(placement?.labelBy).toBe('date')
    expect(volumes[0]?.label).toBe('FIRST')
    expect(volumes.slice(1).map(({ label }) => label)).toEqual(
      volumes.slice(1).map(() => expect.stringMatching(/^PHOTOS_20(18|19|20|21)_1$/)),
    )
    await expectRestores('by year', 'by year back')
  }, 300_000)

  it('fills a number of discs of one medium, then those of the next, and restores', async () => {
    const { code, stdout, stderr } = await plan(
      'mixed',
      '--medium',
      'custom:4MB=1',
      '--medium',
      'custom:2.7MB',
    )
    expect(code, stderr).toBe(0)
    expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(/on 1 × Image of 4 MB and [23] × Image of 2\.7 MB\. /)
    const { medium, firstMedia, volumes } = documentOf('mixed')
    expect([medium.id, firstMedia?.map((first) => [first.medium.id, first.volumes])]).toEqual([
      'custom:2.7MB',
      [['custom:4MB', 1]],
    ])
    expect(volumes.map(({ mediumId, capacitySectors }) => [mediumId, capacitySectors])).toEqual([
      ['custom:4MB', 1953],
      ...volumes.slice(1).map(() => [undefined, 1318]),
    ])
    expect(volumes[0]?.sectors).toBeGreaterThan(1318)
    for (const { sectors, capacitySectors } of volumes) expect(sectors).toBeLessThanOrEqual(capacitySectors)
    expect(readFileSync(join(folder.path, 'mixed', 'report.html'), 'utf8')).toContain('Image of 4 MB')
    await expectRestores('mixed', 'mixed back')
  }, 300_000)

  it('plans for the room that is free on a disk', async () => {
    const { code, stderr } = await plan('stick', '--medium', `folder:${folder.path}`)
    expect(code, stderr).toBe(0)
    expect(documentOf('stick').medium.id).toMatch(/^folder:\d+MB$/)
  }, 60_000)

  const KEEPS_PINS = 'keeps pins in archives of each disc, which are built in turn, and restores'
  it(KEEPS_PINS, { tags: 'long', timeout: 300_000 }, async () => {
    const asked = ['--pin', 'trip 2=2', '--volume-label', '1=FIRST']
    const { code, stderr } = await planPacked('packed', ...asked)
    expect(code, stderr).toBe(0)
    expect(volumesOf('packed').get('trip 2/1=b.jpg')).toBe(2)
    await expectRestores('packed', 'packed back')
    const settled = planDocumentSchema.parse(
      JSON.parse(readFileSync(join(folder.path, 'packed', 'packed', 'plan.json'), 'utf8')),
    )
    expect(settled.volumes[0]?.label).toBe('FIRST')
    expect(settled.packing?.streamed).toBe(true)
    const members = linesOf(join(folder.path, 'packed', 'packed', 'members.jsonl'))
    const holders = members.flatMap((one) =>
      one.kind === 'file' && one.path.startsWith('trip 2/') ? [one.in] : [],
    )
    expect(new Set(holders)).toEqual(new Set(['archive-02.7z']))
  })

  it('labels the volumes of one archive, whose files settle their own places', {
    tags: 'long',
    timeout: 300_000,
  }, async () => {
    const { code, stderr } = await planPacked(
      'joined',
      '--joined',
      '--volume-label',
      '1=HEAD',
      '--volume-label',
      '2=BODY',
    )
    expect(code, stderr).toBe(0)
    await expectRestores('joined', 'joined back')
    const settled = planDocumentSchema.parse(
      JSON.parse(readFileSync(join(folder.path, 'joined', 'packed', 'plan.json'), 'utf8')),
    )
    expect(settled.volumes.map(({ label }) => label).slice(0, 3)).toEqual(['HEAD', 'BODY', 'PHOTOS_03'])
  })

  it('stores equal files on both volumes that they are pinned to', async () => {
    const twins = join(folder.path, 'Twins')
    for (const name of ['a', 'b']) {
      mkdirSync(join(twins, name), { recursive: true })
      writeFileSync(join(twins, name, 'same'), Buffer.alloc(300_000, 'x'))
    }
    const out = join(folder.path, 'twins plan')
    const pins = ['--pin', 'a=1', '--pin', 'b=2', '--option', 'plain-hardlinks', '--medium', 'custom:3MB']
    const { code, stderr } = await run('plan', twins, '--out', out, ...pins)
    expect(code, stderr).toBe(0)
    expect(documentOf('twins plan').volumes.map(({ bytes }) => bytes)).toEqual([300_000, 300_000])
  }, 120_000)

  it.each([
    [
      'a pin without a number',
      2,
      ['--pin', 'trip 0'],
      '--pin takes PATH=N with the number of a volume, not "trip 0"',
    ],
    ['a label with small letters', 2, ['--volume-label', '1=First'], '--volume-label takes N=TEXT'],
    [
      'fewer discs than it needs',
      4,
      ['--medium', 'custom:3MB=2'],
      'cannot fit the source on 2 volumes: 3.20 MB are left over; add 2 volumes of the last medium',
    ],
    [
      'a first medium without a number',
      2,
      ['--medium', 'bd-r-50', '--medium', 'bd-r-25'],
      '--medium bd-r-50 needs the number of its volumes, as in bd-r-50=3',
    ],
    [
      'media that are written in different ways',
      7,
      ['--medium', 'dvd-r=1', '--medium', 'bd-r-25'],
      'cannot plan for several media: DVD-R 4.7 GB and BD-R 25 GB are written in different ways; make a plan for each',
    ],
    [
      'archives on several media',
      7,
      ['--medium', 'bd-r-50=1', '--medium', 'bd-r-25', '--option', '7z-files'],
      'cannot plan for several media: archives may move to other volumes; choose plain files',
    ],
    ['labels by colour', 2, ['--label-by', 'colour'], '--label-by takes number or date, not "colour"'],
    ['a comparison that is to be written', 2, ['--compare'], '--compare writes no plan: leave out --out'],
    [
      'archives with labels by date',
      7,
      ['--label-by', 'date', '--option', '7z-files'],
      'cannot label volumes by date: archives may move to other volumes; choose plain files',
    ],
    [
      'an order that is none',
      2,
      ['--order', 'colour'],
      '--order takes size, folders, name, date, not "colour"',
    ],
    [
      'a path that is not in the source',
      2,
      ['--pin', 'trip 9=1'],
      'cannot place trip 9: it is not in the source',
    ],
    [
      'more on a volume than it holds',
      4,
      ['--pin', 'trip 0=1', '--pin', 'trip 1=1'],
      'what is pinned to volume 1 does not fit: trip 0 (1.62 MB), trip 1 (1.62 MB), together 3.24 MB; it has room for 2.31 MB',
    ],
    ['a kept folder that no volume holds', 4, ['--keep', source], 'does not fit: the whole source (6.49 MB)'],
    [
      'a label of a volume that is not there',
      7,
      ['--volume-label', '9=X'],
      'cannot label volume 9: the plan has',
    ],
    [
      'one label for two volumes',
      7,
      ['--volume-label', '1=PHOTOS_02'],
      'cannot label two volumes PHOTOS_02: 1 and 2',
    ],
    [
      'two labels of one volume',
      7,
      ['--volume-label', '1=A', '--volume-label', '1=B'],
      'it is given two labels',
    ],
    ['a reserve that leaves nothing', 4, ['--reserve', '3MB'], 'cannot leave 3.00 MB free on each volume'],
    ['pins in one archive', 7, ['--joined', '--option', '7z-files', '--pin', 'trip 0=1'], 'without --joined'],
    ['a second volume of a disk', 7, ['--medium', 'disk', '--pin', 'trip 0=2'], 'is one volume'],
    ['a repository', 7, ['--option', 'restic-auto', '--keep', 'trip 0'], 'cannot place files'],
  ])('refuses %s, and writes nothing', async (_, code, args, message) => {
    const medium = args.includes('--medium') ? [] : ['--medium', 'custom:3MB']
    const end = await plan('refused', ...medium, ...args)
    expect([end.stderr, end.code]).toEqual([expect.stringContaining(message), code])
    expect(end.stderr.trimEnd().split('\n')).toHaveLength(1)
    expect(existsSync(join(folder.path, 'refused'))).toBe(false)
  })
})
