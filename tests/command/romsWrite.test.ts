import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type RomsDocument, romsDocumentSchema } from '../../src/contract/dto/roms'
import { EXIT } from '../../src/primitives/exitCode'
import { datOf, fileOf, gameOf, logiqxText } from '../support/madeDats'
import { placeOfEachTest } from '../support/place'

const here = placeOfEachTest('romwrite')
const { run, done } = here
const CARTRIDGE = 'content of a cartridge'.repeat(8)

const MADE = datOf(
  [
    gameOf('alpha & "co"', { files: [fileOf('a1.bin', 'one'), fileOf("a'2.bin", 'two')] }),
    gameOf('alpha (J)', {
      cloneOf: 'alpha & "co"',
      romOf: 'alpha & "co"',
      files: [fileOf('a1.bin', 'one', { merge: 'a1.bin' }), fileOf('aj.bin', 'jay')],
    }),
    gameOf('beta', { files: [fileOf('beta.nes', CARTRIDGE), fileOf('b2.bin', 'bee')] }),
    gameOf('gamma', { files: [fileOf('g.bin', 'gee')] }),
  ],
  { detector: 'No-Intro_NES.xml' },
)
const FILES = {
  'x/a1.bin': 'one',
  'x/two.bin': 'two',
  'x/jay.bin': 'jay',
  'x/beta.nes': `NES\u001a${'\0'.repeat(12)}${CARTRIDGE}`,
}

function dat(name = 'made.dat'): string {
  writeFileSync(here.at(name), logiqxText(MADE))
  return here.at(name)
}

async function compare(...args: string[]): Promise<RomsDocument> {
  const { stdout } = await done('roms', here.source, '--json', ...args)
  return romsDocumentSchema.parse(JSON.parse(stdout))
}

const states = ({ sets }: RomsDocument): unknown =>
  sets.map(({ name, state, files, present }) => [name, state, files, present])

describe('written DATs', () => {
  it.each(['split', 'merged', 'non-merged'])(
    'of the layout %s hold what is complete, and what is missing',
    async (layout) => {
      here.files(FILES)
      const [have, missing] = [here.at('have.dat'), here.at('missing.dat')]
      const given = ['--dat', dat(), '--layout', layout, '--write-have', have, '--write-missing', missing]
      const document = await compare(...given)
      const complete = document.sets.filter(({ state }) => state === 'complete')
      expect(complete.length).toBeGreaterThan(0)
      const again = await compare('--dat', have)
      expect(states(again)).toEqual(complete.map(({ name, files }) => [name, 'complete', files, files]))
      const lacking = await compare('--dat', missing)
      expect(lacking.sets.map(({ name, state, missing: files }) => [name, state, files])).toEqual(
        document.sets
          .filter(({ state }) => state !== 'complete')
          .map(({ name, missing: files }) => [name, 'missing', files]),
      )
      expect(document.written).toMatchObject([
        { kind: 'have', path: have, games: complete.length, replaced: 0 },
        { kind: 'missing', path: missing, games: 2, files: 2, replaced: 0 },
      ])
      expect(again.dats).toMatchObject([{ name: 'Made up (have)', version: '1', notes: [], layout: 'split' }])
      expect(again.dats[0]?.detectors).toEqual(['No-Intro_NES.xml'])
      expect(readdirSync(here.folder).toSorted()).toEqual([
        'have.dat',
        'home',
        'made.dat',
        'missing.dat',
        'source',
      ])
    },
  )

  it('are named on the terminal, also where they hold nothing', async () => {
    const { stderr } = await done('roms', here.source, '--dat', dat(), '--write-have', here.at('have.dat'))
    expect(stderr).toBe(`saved 0 ROM sets with 0 files as ${here.at('have.dat')}\n`)
    expect(readFileSync(here.at('have.dat'), 'utf8')).toContain('</datafile>')
    expect((await compare('--dat', here.at('have.dat'))).dats).toMatchObject([
      { games: 0, notes: [{ text: 'it names no games', count: 1 }] },
    ])
  })

  it.each<[why: string, options: string[], code: number]>([
    ['cannot write FOLDER/there.dat: it already exists', ['--write-have', 'there.dat'], EXIT.usage],
    ['cannot write FOLDER/link.dat: it already exists', ['--write-missing', 'link.dat'], EXIT.usage],
    ['cannot write FOLDER/made.dat: it already exists', ['--write-missing', 'made.dat'], EXIT.usage],
    ['cannot write FOLDER/none/x.dat: no such file or folder', ['--write-have', 'none/x.dat'], EXIT.usage],
    ['cannot write FOLDER/made.dat/x: not a folder', ['--write-have', 'made.dat/x'], EXIT.usage],
    [
      'cannot write FOLDER/source/new.dat: it is in the folder that is compared',
      ['--write-have', 'source/new.dat'],
      EXIT.notDone,
    ],
    [
      'cannot write FOLDER/way/new.dat: it is in the folder that is compared',
      ['--write-missing', 'way/new.dat'],
      EXIT.notDone,
    ],
    [
      'both DATs cannot be written to one file: FOLDER/x.dat',
      ['--write-have', 'x.dat', '--write-missing', 'x.dat'],
      EXIT.usage,
    ],
    ['--write-have is empty', ['--write-have', ''], EXIT.usage],
  ])('are refused before anything is compared: %s', async (why, options, code) => {
    here.files({ ...FILES, 'deep/file': 'x' })
    writeFileSync(here.at('there.dat'), 'kept')
    symlinkSync('nowhere', here.at('link.dat'))
    symlinkSync(here.at('source', 'deep'), here.at('way'))
    const given = options.map((option) =>
      option.startsWith('--') || option === '' ? option : here.at(option),
    )
    const end = await run('roms', here.source, '--dat', dat(), ...given)
    expect(end.code).toBe(code)
    expect(end.stdout).toBe('')
    expect(end.stderr).toContain(`${why.replace('FOLDER', here.folder)}\n`)
    expect(readFileSync(here.at('there.dat'), 'utf8')).toBe('kept')
    expect(existsSync(here.at('x.dat'))).toBe(false)
    expect(existsSync(here.at('source', 'new.dat'))).toBe(false)
  })

  it('of several DATs are one file', async () => {
    here.files(FILES)
    mkdirSync(here.at('out'))
    await done(
      'roms',
      here.source,
      '--dat',
      dat(),
      '--dat',
      dat('b.dat'),
      '--write-have',
      here.at('out', 'h'),
    )
    const { dats, sets } = await compare('--dat', here.at('out', 'h'))
    expect(dats[0]?.name).toBe('Made up, Made up (have)')
    expect(sets.map(({ name }) => name)).toEqual([
      'alpha & "co"',
      'alpha (J)',
      'alpha & "co" (Made up)',
      'alpha (J) (Made up)',
    ])
  })
})
