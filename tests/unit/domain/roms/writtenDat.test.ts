import { describe, expect, it } from 'vitest'
import type { Dat, DatFile } from '../../../../src/domain/roms/dat'
import { judgeFiles, type SetJudgement } from '../../../../src/domain/roms/judgeFiles'
import { type HeldFile, romSets } from '../../../../src/domain/roms/romSets'
import { WantedFiles } from '../../../../src/domain/roms/wantedFiles'
import { LogiqxWriter, writtenGames } from '../../../../src/domain/roms/writtenDat'
import { ROM_LAYOUTS } from '../../../../src/domain/survey/romLayout'
import { XmlDat } from '../../../../src/engine/roms/dats/xmlDat'
import { datOf, drawnDat, fileOf, gameOf } from '../../../support/madeDats'

const HEADER = { name: 'n', description: 'd', version: '', date: '', detector: null }

function written(games: ReturnType<typeof writtenGames>, header = HEADER): string {
  return [...new LogiqxWriter(header, games).pieces()].join('')
}

function readAgain(text: string): Dat {
  const parser = new XmlDat()
  parser.write(text)
  const [dat, ...others] = parser.finish()
  if (!dat || others.length > 0) throw new Error('it is not one DAT')
  return dat
}

/** Each file with its name in the ROM set, and what a DAT says of it. */
const facts = ({ name, file }: HeldFile): unknown => {
  const { kind, bytes, crc, md5, sha1, sha256, status, isMia, isOptional } = file satisfies DatFile
  return { name, kind, bytes, crc, md5, sha1, sha256, status, isMia, isOptional }
}

const judged = (
  dat: Dat,
  found: readonly DatFile[],
  layout: (typeof ROM_LAYOUTS)[number],
): SetJudgement[] => {
  const { sets } = romSets(dat, layout)
  const files = found.map((file) => ({
    parts: ['x', file.name],
    isMember: false,
    bytes: file.bytes ?? 0,
    contents: [file],
  }))
  const steps = judgeFiles(sets, new WantedFiles(sets), files)
  let step = steps.next()
  while (step.done !== true) step = steps.next()
  return step.value.sets
}

describe('a written DAT', () => {
  it.each(Array.from({ length: 40 }, (_, seed) => seed))(
    'is read again as the same ROM sets (seed %i)',
    (seed) => {
      const dat = drawnDat(seed)
      for (const layout of ROM_LAYOUTS) {
        const all = dat.games.flatMap(({ files }) => files).filter((_, at) => at % 3 > 0)
        const sets = judged(dat, all, layout)
        for (const kind of ['have', 'missing'] as const) {
          const chosen = sets.filter(({ state }) => (state === 'complete') === (kind === 'have'))
          const needing = chosen.filter(({ state }) => state !== 'undumped')
          const again = romSets(readAgain(written(writtenGames([{ name: 'n', sets }], kind))), 'split')
          expect(again.sets.map(({ name, files }) => [name, files.map(facts)])).toEqual(
            needing.map(({ set, missing }) => [
              set.name,
              (kind === 'have' ? set.files : missing.map(({ held }) => held)).map(facts),
            ]),
          )
        }
      }
    },
  )

  it.each([
    `<game name="x"/>`,
    `]]> & &amp; &#0; '"<!--`,
    'tab\tline\nreturn\rend',
    '  blanks  in  and  around  ',
    '日本 🕹 é e\u0301 \u0085 \u2028 \u00a0',
    '%s $(x) `y` ../not/..x',
  ])('keeps the name %j', (name) => {
    const safe = name.replaceAll('..', '__')
    const dat = datOf([gameOf(safe, { description: name, files: [fileOf(`f ${safe}`, 'x')] })])
    const sets = judged(dat, [], 'split')
    const text = written(writtenGames([{ name, sets }], 'missing'), { ...HEADER, name: `n${name}n` })
    const again = readAgain(text)
    expect(again.games).toMatchObject([{ name: safe, description: name, files: [{ name: `f ${safe}` }] }])
    expect(again.header.name).toBe(`n${name}n`)
    expect(again.notes).toEqual([])
  })

  it('replaces what XML cannot hold, and counts the names', () => {
    const dat = datOf([
      gameOf('a\u0001b', { description: 'd', files: [fileOf('\ud800', 'x'), fileOf('\uffff', 'y')] }),
    ])
    const writer = new LogiqxWriter(
      HEADER,
      writtenGames([{ name: 'n', sets: judged(dat, [], 'split') }], 'missing'),
    )
    const [game] = readAgain([...writer.pieces()].join('')).games
    expect(game).toMatchObject({ name: 'a\ufffdb', files: [{ name: '\ufffd' }, { name: '\ufffd' }] })
    expect(writer.replaced).toBe(3)
  })

  it('names the parent of a game that is written too, and no other', () => {
    const of = (name: string, cloneOf: string | null): ReturnType<typeof gameOf> =>
      gameOf(name, { cloneOf, files: [fileOf(`${name}.bin`, name)] })
    const dat = datOf([
      of('parent', null),
      of('clone', 'parent'),
      of('other', 'nobody'),
      of('c1', 'c2'),
      of('c2', 'c1'),
    ])
    const clones = (found: DatFile[], kind: 'have' | 'missing'): unknown =>
      writtenGames([{ name: 'n', sets: judged(dat, found, 'split') }], kind).map(({ name, cloneOf }) => [
        name,
        cloneOf,
      ])
    expect(clones([], 'missing')).toEqual([
      ['parent', null],
      ['clone', 'parent'],
      ['other', null],
      ['c1', null],
      ['c2', null],
    ])
    expect(clones([fileOf('x', 'clone')], 'have')).toEqual([['clone', null]])
  })

  it('of several DATs has each name once', () => {
    const one = datOf([
      gameOf('a', { files: [fileOf('a', '1')] }),
      gameOf('a (B)', { files: [fileOf('a', '2')] }),
    ])
    const sets = (dat: Dat): SetJudgement[] => judged(dat, [], 'split')
    const games = writtenGames(
      [
        { name: 'A', sets: sets(one) },
        { name: 'B', sets: sets(one) },
        { name: '', sets: sets(one) },
      ],
      'missing',
    )
    expect(games.map(({ name }) => name)).toEqual([
      'a',
      'a (B)',
      'a (B 2)',
      'a (B) (B)',
      'a (DAT)',
      'a (B) (DAT)',
    ])
  })
})
