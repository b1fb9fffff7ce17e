import { hash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type OptionBuild, optionBuildSchema } from '../../src/contract/dto/options'
import type { SurveyDocument } from '../../src/contract/dto/survey'
import { logiqxText } from '../support/madeDats'
import { madeRoms } from '../support/madeRoms'
import { placeOfEachTest } from '../support/place'
import { treeFacts } from '../support/treeFacts'

const here = placeOfEachTest('torrent-zip-plan')

async function answer<T>(...args: string[]): Promise<T> {
  return JSON.parse((await here.done(...args, '--json')).stdout) as T
}

/** The digests of the zips below a folder, by their paths. */
function zipsIn(folder: string): Map<string, string> {
  const all = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.zip'),
  )
  return new Map(all.toSorted().map((path) => [path, hash('sha256', readFileSync(join(folder, path)))]))
}

it.each(['torrentzip-titles', 'torrentzip-dat', 'torrentzip-sets'])(
  '%s is forecast, built, planned, verified and restored',
  { tags: 'long' },
  async (option) => {
    const roms = madeRoms(21, { system: 'NES', parents: 8, bytes: 60_000 })
    here.files({ ...roms.files, 'NES/Pokémon (U).bin': 40_000, '日本/unknown.bin': 30_000 })
    writeFileSync(here.at('nes.dat'), logiqxText(roms.dat))
    const { id } = await answer<SurveyDocument>('survey', here.source, '--dat', here.at('nes.dat'))
    const to = here.at('built')
    const build = optionBuildSchema.parse(
      await answer<OptionBuild>('options', 'build', option, '--survey', id, '--out', to),
    )
    const { bytes } = build.forecast
    console.log(`${option}: built ${build.actual.bytes}, forecast ${JSON.stringify(bytes)}`)
    expect(build.actual.bytes).toBeGreaterThanOrEqual(bytes.low)
    expect(build.actual.bytes).toBeLessThanOrEqual(bytes.high)
    const plan = here.at('plan')
    await here.done('plan', '--survey', id, '--option', option, '--medium', 'folder:1MB', '--out', plan)
    await here.done('build', plan)
    await here.done('verify', plan)
    const volumes = readdirSync(join(plan, 'folders')).map((name) => join(plan, 'folders', name))
    expect(volumes.length).toBeGreaterThan(1)
    const planned = volumes.flatMap((volume) => [...zipsIn(volume).entries()])
    expect(Object.fromEntries(planned)).toEqual(Object.fromEntries(zipsIn(to)))
    await here.done('restore', ...volumes, '--to', here.at('back'))
    expect(treeFacts(here.at('back'))).toEqual(treeFacts(here.source))
  },
)

it('a name that no TorrentZip holds blocks the plan', async () => {
  here.files({ 'fine.rom': 2000, 'a\\b.rom': 2000 })
  const { id } = await answer<SurveyDocument>('survey', here.source)
  const asked = ['--option', 'torrentzip-titles', '--medium', 'folder:1MB', '--out', here.at('plan')]
  const { code, stdout, stderr } = await here.run('plan', '--survey', id, ...asked)
  expect(code).not.toBe(0)
  expect(stdout + stderr).toMatch(/a\\+b\.rom into a TorrentZip/)
})
