import { linkSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type OptionBuild, type OptionsDocument, optionBuildSchema } from '../../src/contract/dto/options'
import type { FoundFile } from '../../src/contract/dto/plan'
import { type SurveyDocument, surveyDocumentSchema } from '../../src/contract/dto/survey'
import { logiqxText } from '../support/madeDats'
import { type MadeRoms, madeRoms } from '../support/madeRoms'
import { placeOfEachTest } from '../support/place'
import { treeFacts } from '../support/treeFacts'

const here = placeOfEachTest('dat-archives')

async function answer<T>(...args: string[]): Promise<T> {
  return JSON.parse((await here.done(...args, '--json')).stdout) as T
}

/** Two systems from a seed, with files that no DAT knows. */
async function surveyed(seed: number): Promise<{ survey: SurveyDocument; systems: MadeRoms[] }> {
  const systems = [
    madeRoms(seed, { system: 'NES', parents: 10, bytes: 30_000 }),
    madeRoms(seed + 100, { system: 'GB', parents: 6, bytes: 120_000 }),
  ]
  const dats = systems.flatMap(({ dat, files }, at) => {
    here.files(files)
    writeFileSync(here.at(`${at}.dat`), logiqxText(dat))
    return ['--dat', here.at(`${at}.dat`)]
  })
  here.files({ 'NES/unknown.bin': 40_000, 'list.txt': 'one line\n'.repeat(500) })
  const document = await answer('survey', here.source, ...dats)
  return { survey: surveyDocumentSchema.parse(document), systems }
}

/** The sum of the archives below a folder, and their paths. */
function archivesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.7z'))
    .toSorted()
}

const shared = (paths: readonly string[]): string => {
  const folders = paths.map((path) => path.slice(0, path.lastIndexOf('/') + 1))
  return folders.every((folder) => folder === folders[0]) ? (folders[0] ?? '') : `${paths[0]?.split('/')[0]}/`
}

describe('7z-dat', () => {
  it.each([11, 12])(
    'is forecast as it is built, and its archives are named after parents (seed %i)',
    {
      tags: 'long',
    },
    async (seed) => {
      const { survey, systems } = await surveyed(seed)
      const { options } = await answer<OptionsDocument>('options', '--survey', survey.id)
      const listed = options.find(({ id }) => id === '7z-dat@disk')
      expect(listed?.here.can).toBe('restore')
      const out = here.at('built')
      const build = optionBuildSchema.parse(
        await answer<OptionBuild>('options', 'build', '7z-dat', '--survey', survey.id, '--out', out),
      )
      const { bytes } = build.forecast
      console.log(`seed ${seed}: built ${build.actual.bytes}, forecast ${JSON.stringify(bytes)}`)
      expect(build.actual.bytes).toBeGreaterThanOrEqual(bytes.low)
      expect(build.actual.bytes).toBeLessThanOrEqual(bytes.high)
      expect(Math.abs(bytes.value / build.actual.bytes - 1)).toBeLessThan(0.1)
      const parents = systems.flatMap(({ dat, families }) => {
        const names = dat.games.filter(({ cloneOf }) => cloneOf === null).map(({ name }) => name)
        // A folder that has the parent's name is no folder of its own for the archive.
        return families.map((family, at) =>
          `${shared(family)}${names[at]}.7z`.replace(`/${names[at]}/${names[at]}.7z`, `/${names[at]}.7z`),
        )
      })
      expect(archivesIn(out)).toEqual([...parents, 'NES/unknown.bin.7z', 'list.txt.7z'].toSorted())
      // By content or by names fewer files come together.
      const sizeOf = (by: string) => survey.grouped?.find((row) => row.by === by)?.predictedBytes ?? 0
      expect(sizeOf('dat')).toBeLessThan(sizeOf('titles'))
    },
  )

  it('packs all names of a file with its parent, and encrypted sets too', {
    tags: 'long',
  }, async () => {
    const roms = madeRoms(14, { system: 'NES', parents: 2, bytes: 20_000 })
    here.files({ ...roms.files, unknown: 2_000 })
    linkSync(here.at('source', roms.families[0]?.[0] ?? ''), here.at('source', 'a second name'))
    writeFileSync(here.at('nes.dat'), logiqxText(roms.dat))
    const { id } = await answer<SurveyDocument>('survey', here.source, '--dat', here.at('nes.dat'))
    await here.done('options', 'build', '7z-dat', '--survey', id, '--out', here.at('plain'))
    const parents = roms.dat.games.filter(({ cloneOf }) => cloneOf === null).map(({ name }) => name)
    const made = archivesIn(here.at('plain'))
    expect(made.map((path) => basename(path))).toEqual(
      expect.arrayContaining([...parents.map((name) => `${name}.7z`), 'unknown.7z']),
    )
    expect(made).toHaveLength(3)
    writeFileSync(here.at('password'), 'of this test\n')
    const open = ['--password-file', here.at('password')]
    const plan = here.at('plan')
    const option = ['--option', '7z-dat', '--encrypt', '256', '--medium', 'custom:4MB']
    await here.done('plan', '--survey', id, ...option, '--out', plan)
    await here.done('build', plan, ...open)
    await here.done('verify', plan, ...open)
    await here.done('restore', here.image('plan'), ...open, '--to', here.at('back'))
    expect(treeFacts(here.at('back'))).toEqual(treeFacts(here.source))
  })

  it('is planned, built, verified and restored, with each parent and its clones on one volume', {
    tags: 'long',
  }, async () => {
    const { survey, systems } = await surveyed(13)
    const plan = here.at('plan')
    const medium = ['--medium', 'custom:1500kB']
    await here.done('plan', '--survey', survey.id, '--option', '7z-dat', ...medium, '--out', plan)
    const { packing, volumes } = here.planIn('plan')
    expect(packing?.dats).toEqual(survey.dat?.dats.map(({ sha256 }) => sha256))
    expect(volumes.length).toBeGreaterThan(1)
    await here.done('build', plan)
    await here.done('verify', plan)
    const images = readdirSync(join(plan, 'images')).filter((name) => name.endsWith('.iso'))
    const { files } = await answer<{ files: FoundFile[] }>('find', '*', '--limit', '10000')
    const volumeOf = new Map(files.map(({ path, volume }) => [path, volume]))
    for (const family of systems.flatMap(({ families }) => families)) {
      const volumesOf = family.map((path) => volumeOf.get(path) ?? null)
      expect(new Set(volumesOf.map((volume) => volume?.index)).size, family.join()).toBe(1)
      for (const volume of volumesOf) expect(volume?.needs).toBeUndefined()
    }
    const to = here.at('restored')
    await here.done('restore', ...images.map((name) => join(plan, 'images', name)), '--to', to)
    expect(treeFacts(to)).toEqual(treeFacts(here.source))
  })
})
