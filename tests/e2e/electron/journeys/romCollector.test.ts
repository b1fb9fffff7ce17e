import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { seededRandom } from '../../../../src/primitives/seededRandom'
import { datOf, fileOf, gameOf, logiqxText } from '../../../support/madeDats'
import { treeFacts } from '../../../support/treeFacts'
import { emptyDesk, MOST_TO_RESTORED, Person } from './person'

const TITLES = ['Moon Garden', 'Night Train', 'Paper Kite', 'River Race']
const VERSIONS = ['Europe', 'Japan', 'USA']
const GAME_BYTES = 200_000

/** Games of which each version shares most of its data with the others. */
async function writeGames(folder: string): Promise<void> {
  const random = seededRandom(39)
  await mkdir(folder)
  for (const title of TITLES) {
    const game = Buffer.alloc(GAME_BYTES)
    random.fillBytes(game)
    for (const version of VERSIONS) {
      random.fillBytes(game.subarray(0, 4000))
      await writeFile(join(folder, `${title} (${version}).rom`), game)
    }
  }
}

/** Surveys the source in hand and lists all options, the smallest first. */
async function surveysForSmallest(kim: Person): Promise<void> {
  await kim.clicks('button', 'Start survey')
  await kim.reads(/^The source would be about \d+ % smaller/)
  await kim.clicks('button', 'Choose')
  await kim.clicks('button', /^Compare all \d+ options$/)
  await kim.clicks('radio', 'Smallest')
}

it('a collector of games finds the smallest way with an archive for each title, and restores from it', {
  tags: 'long',
}, async () => {
  const desk = await emptyDesk()
  const games = join(desk.place, 'Games')
  await writeGames(games)
  const kim = await Person.at(desk)

  await kim.drops(games)
  await kim.clicks('radio', 'A drive or a NAS')
  await surveysForSmallest(kim)
  await kim.shows('collector 1, options')
  await kim.looksAt('All options')
  await kim.clicks('row', /^One solid 7z for each title(?! ?,| d)/)
  await kim.clicks('button', 'Use this: One solid 7z for each title')
  await kim.clicks('button', 'Make the plan')
  await kim.clicks('button', 'Build and verify')
  await kim.reads('Built and verified: every packed file reads back unchanged.')
  await kim.shows('collector 2, verified')

  const set = join(desk.documents, 'Stowage', 'Games', 'folders', '01')
  const archives = (await readdir(set)).filter((name) => name.endsWith('.7z')).toSorted()
  expect(archives).toEqual(TITLES.map((title) => `${title}.7z`))
  const sizes = await Promise.all(archives.map(async (name) => (await stat(join(set, name))).size))
  // A version that is stored again would take as much as the first one.
  for (const bytes of sizes) expect(bytes).toBeLessThan(1.2 * GAME_BYTES)

  const back = join(desk.place, 'Back')
  await mkdir(back)
  kim.interactions()
  await kim.presses('Control+7')
  await kim.clicks('checkbox', 'Restore everything in Games')
  await kim.chooses(back, 'button', 'Restore…')
  await kim.reads(/^12 files restored and checked/)
  expect(kim.interactions()).toBeLessThanOrEqual(MOST_TO_RESTORED)
  expect(treeFacts(back)).toEqual(treeFacts(games))
  await kim.leaves()
})

/** A DAT of the games, which gives them other names than their titles: Japan's is the parent of each. */
async function writeDat(file: string, games: string): Promise<void> {
  const listed = TITLES.flatMap((title, at) => {
    const parent = `Game ${at + 1} (Japan)`
    return VERSIONS.map(async (version) => {
      const content = await readFile(join(games, `${title} (${version}).rom`))
      const name = `Game ${at + 1} (${version})`
      return gameOf(name, {
        cloneOf: name === parent ? null : parent,
        files: [fileOf(`${name}.rom`, content)],
      })
    })
  })
  await writeFile(file, logiqxText(datOf(await Promise.all(listed), { name: 'Games of Kim' })))
}

it('a collector of games compares them with a DAT, then packs each parent with its clones', {
  tags: 'long',
}, async () => {
  const desk = await emptyDesk()
  const games = join(desk.place, 'Games')
  const dat = join(desk.place, 'Games of Kim.dat')
  await writeGames(games)
  await writeDat(dat, games)
  const at = (name: string): string => join(games, name)
  await rename(at('Moon Garden (Europe).rom'), at('Game 1 (Europe).rom'))
  await writeFile(at('River Race (USA).rom'), 'another content')
  await rename(at('River Race (USA).rom'), at('Game 4 (USA).rom'))
  await writeFile(at('readme.txt'), 'hello')
  const kim = await Person.at(desk)

  await kim.clicks('button', /^ROM sets, /)
  await kim.chooses(games, 'button', 'Add folders…')
  await kim.chooses(dat, 'button', 'Add DATs…')
  await kim.clicks('button', 'Compare')
  await kim.reads('11 of 12 ROM sets complete, 0 partial, 1 missing. 11 of 12 files found.')
  await kim.clicks('radio', /^Missing \d/)
  await kim.clicks('row', /Game 4 \(USA\)/)
  await kim.reads('Bad dump by name')
  await kim.shows('collector 3, compared')
  const list = join(desk.place, 'missing.csv')
  await kim.clicks('radio', /^Missing files /)
  await kim.saves(list, 'Export 1 missing file as CSV')
  await expect.poll(() => readFile(list, 'utf8').catch(() => '')).toContain('Game 4 (USA),Game 4 (USA).rom,')

  await kim.presses('Control+1')
  await kim.drops(games)
  await kim.unfolds('DATs for ROM collections')
  await kim.chooses(dat, 'button', 'Add DATs…')
  await kim.clicks('radio', 'A drive or a NAS')
  await surveysForSmallest(kim)
  await kim.looksAt('All options')
  await kim.clicks('row', /^One solid 7z for each parent with its clones\s*,\s*by DATs/)
  await kim.shows('collector 4, options by DAT')
  await kim.clicks('button', 'Use this: One solid 7z for each parent with its clones, by DATs')
  await kim.clicks('button', 'Make the plan')
  await kim.clicks('button', 'Build and verify')
  await kim.reads('Built and verified: every packed file reads back unchanged.')
  const set = join(desk.documents, 'Stowage', 'Games', 'folders', '01')
  const archives = (await readdir(set)).filter((name) => name.endsWith('.7z')).toSorted()
  const parents = [1, 2, 3, 4].map((number) => `Game ${number} (Japan).7z`)
  expect(archives).toEqual([...parents, 'Game 4 (USA).rom.7z', 'readme.txt.7z'].toSorted())
  await kim.leaves()
})
