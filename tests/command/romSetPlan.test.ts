import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { datOf, fileOf, gameOf, logiqxText } from '../support/madeDats'
import { type MadeRoms, madeRoms } from '../support/madeRoms'
import { placeOfEachTest } from '../support/place'
import { treeFacts } from '../support/treeFacts'

const here = placeOfEachTest('rom-set-plan')

const made = (seed: number, system: string): MadeRoms =>
  madeRoms(seed, { system, parents: 24, bytes: 120_000 })

function withDats(...systems: readonly MadeRoms[]): string[] {
  return systems.flatMap(({ dat, files }, at) => {
    here.files(files)
    writeFileSync(here.at(`${at}.dat`), logiqxText(dat))
    return ['--dat', here.at(`${at}.dat`)]
  })
}

/** The volumes of each path below the source, by the lists of a plan. */
function volumesIn(plan: string): Map<string, number[]> {
  const found = new Map<string, number[]>()
  for (const { index } of here.planIn(plan).volumes) {
    const list = here.at(plan, 'volumes', String(index).padStart(2, '0'), 'entries.jsonl')
    for (const line of readFileSync(list, 'utf8').trimEnd().split('\n')) {
      const { source } = JSON.parse(line) as { source: string }
      found.set(source, [...(found.get(source) ?? []), index])
    }
  }
  return found
}

/** The volumes with files below a folder of the source. */
function volumesOf(plan: string, folder: string): number[] {
  const below = `${here.at('source', folder)}/`
  return [...volumesIn(plan)].flatMap(([path, volumes]) => (path.startsWith(below) ? volumes : []))
}

function dividedIn(plan: string, families: MadeRoms['families']): number {
  const volumes = volumesIn(plan)
  const isDivided = (family: readonly string[]): boolean =>
    new Set(family.flatMap((path) => volumes.get(here.at('source', path)) ?? [])).size > 1
  return families.filter(isDivided).length
}

describe('a plan of files as they are, by DATs', () => {
  it.each([21, 22, 23])(
    'has each parent with its clones on one disc, and no more discs (seed %i)',
    async (seed) => {
      const systems = [made(seed, 'NES'), made(seed + 50, 'GB')]
      const dats = withDats(...systems)
      here.files({ 'NES/unknown.bin': 300_000, 'list.txt': 'one line\n' })
      const medium = ['--medium', 'custom:4MB']
      await here.done('plan', here.source, ...medium, '--out', here.at('without'))
      const { stdout } = await here.done('plan', here.source, ...medium, ...dats, '--out', here.at('with'))
      const [without, plan] = [here.planIn('without'), here.planIn('with')]
      const families = systems.flatMap((system) => system.families)
      expect(dividedIn('without', families)).toBeGreaterThan(0)
      expect(dividedIn('with', families)).toBe(0)
      // Systems follow one another: at most one disc has something of both.
      const ofBoth = volumesOf('with', 'NES').filter((index) => volumesOf('with', 'GB').includes(index))
      expect(new Set(ofBoth).size).toBeLessThan(2)
      expect(plan.volumes.length).toBe(without.volumes.length)
      expect(without.romSets).toBeUndefined()
      expect(plan.romSets).toEqual({
        dats: expect.arrayContaining([expect.stringMatching(/^[0-9a-f]{64}$/)]),
        parents: 48,
        files: families.flat().length,
        divided: 0,
        larger: 0,
      })
      expect(stdout.replaceAll(/\s+/g, ' ')).toContain('By DATs: 48 parents with clones, each on one disc ■.')
    },
  )

  it('names the parents that no disc can hold, keeps the others together, and restores all', async () => {
    const roms = madeRoms(30, { system: 'NES', parents: 12, bytes: 120_000 })
    const large = Object.fromEntries(Array.from({ length: 5 }, (_, at) => [`PSX/disc ${at}.bin`, 1_000_000]))
    here.files(large)
    const games = Object.keys(large).map((path, at) =>
      gameOf(`Long Game ${at}`, {
        cloneOf: at === 0 ? null : 'Long Game 0',
        files: [fileOf(`disc ${at}.bin`, readFileSync(here.at('source', path)))],
      }),
    )
    const dats = withDats(roms, { dat: datOf(games), files: {}, families: [] })
    const plan = ['plan', here.source, ...dats, '--medium', 'custom:4MB', '--out', here.at('plan')]
    const { stdout, stderr } = await here.done(...plan)
    const { romSets, volumes } = here.planIn('plan')
    expect(romSets).toMatchObject({ parents: 13, divided: 1, larger: 1 })
    expect(dividedIn('plan', roms.families)).toBe(0)
    expect(stderr.replaceAll(/\s+/g, ' ')).toMatch(
      /Long Game 0 with its clones \(5\.00 MB\) is larger than a volume: it is on \d volumes/,
    )
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      '13 parents with clones, each on one disc but 1, larger than a disc ■.',
    )
    await here.done('build', here.at('plan'))
    await here.done('verify', here.at('plan'))
    const images = volumes.map(({ index }) => here.image('plan', index))
    await here.done('restore', ...images, '--to', here.at('back'))
    expect(treeFacts(here.at('back'))).toEqual(treeFacts(here.source))
  })

  it('takes no disc more to keep ROM sets together, and says how many are divided', async () => {
    // Three of 60 % each fill two discs only where one of them is divided.
    const games = [0, 1, 2].flatMap((family) =>
      [0, 1, 2].map((at) => {
        const path = `${family}-${at}.bin`
        here.files({ [path]: 650_000 })
        return gameOf(`Game ${family}${at}`, {
          cloneOf: at === 0 ? null : `Game ${family}0`,
          files: [fileOf(path, readFileSync(here.at('source', path)))],
        })
      }),
    )
    const dats = withDats({ dat: datOf(games), files: {}, families: [] })
    const { stdout } = await here.done(
      'plan',
      here.source,
      ...dats,
      '--medium',
      'custom:4MB',
      '--out',
      here.at('plan'),
    )
    const { romSets, totals } = here.planIn('plan')
    expect([totals.volumes, romSets?.divided, romSets?.larger]).toEqual([2, 1, 0])
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('but 1, which would take a further disc otherwise ■.')
  })

  it('carries out pins that divide a ROM set', async () => {
    const roms = madeRoms(31, { system: 'NES', parents: 20, bytes: 120_000 })
    const dats = withDats(roms)
    const [first = '', second = ''] = roms.families.find((family) => family.length > 2) ?? []
    const pins = ['--pin', `source/${first}=1`, '--pin', `source/${second}=2`].map((word) =>
      word.replace('source/', `${here.source}/`),
    )
    await here.done('plan', here.source, ...dats, ...pins, '--medium', 'custom:4MB', '--out', here.at('plan'))
    const volumes = volumesIn('plan')
    expect([first, second].map((path) => volumes.get(here.at('source', path)))).toEqual([[1], [2]])
    expect(here.planIn('plan').romSets).toMatchObject({ divided: 1, larger: 0 })
    expect(dividedIn('plan', roms.families)).toBe(1)
  })

  it('is added to by the same DATs, and without them where they are gone', async () => {
    const roms = madeRoms(32, { system: 'NES', parents: 4, bytes: 40_000 })
    const dats = withDats(roms)
    const begun = ['plan', here.source, '--archive', 'ROMs', ...dats, '--medium', 'custom:4MB']
    await here.done(...begun, '--out', here.at('first'))
    await here.done('build', here.at('first'))
    const [copied = ''] = Object.keys(roms.files)
    here.files({ 'more/of it.bin': Buffer.concat([roms.files[copied] ?? Buffer.of(), Buffer.of(1)]) })
    await here.done('add', 'ROMs', '--out', here.at('second'))
    expect(here.planIn('second').romSets?.dats).toEqual(here.planIn('first').romSets?.dats)
    renameSync(here.at('0.dat'), here.at('moved.dat'))
    await here.done('catalog', 'remove', here.planIn('second').id)
    const { stderr } = await here.done('add', 'ROMs', '--out', here.at('third'))
    expect(stderr).toContain(`a DAT of ROMs is not there: ${here.at('0.dat')}; ROM sets may be divided`)
    expect(here.planIn('third').romSets).toBeUndefined()
  })
})
