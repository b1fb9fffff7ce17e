import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { treeFacts } from '../../../support/treeFacts'
import { type Desk, emptyDesk, MOST_TO_VERIFIED, Person } from './person'
import { writeMedia } from './sources'

const FILM = {
  'Scene 1/take 1.mov': 1_300_000,
  'Scene 1/take 2.mov': 800_000,
  'Scene 2/take 1.mov': 2_000_000,
}

it('a studio copies a verified set to two folders, with a card for each disc, and restores from a copy', {
  tags: 'long',
}, async () => {
  const desk = await emptyDesk()
  const film = join(desk.place, 'Film')
  await writeMedia(film, FILM)
  const lee = await Person.at(desk)

  await lee.chooses(film, 'button', 'Choose folders…')
  await lee.clicks('radio', 'Discs')
  await lee.types('3MB', 'Other size')
  await lee.clicks('button', 'Start survey')
  await lee.clicks('button', 'Choose')
  await lee.clicks('button', 'Use this: Plain discs')
  await lee.clicks('button', 'Build and verify')
  await lee.reads('Built and verified: every file matches the survey.')
  expect(lee.interactions()).toBeLessThanOrEqual(MOST_TO_VERIFIED)
  const set = join(desk.documents, 'Stowage', 'Film')
  expect(cardsIn(await readFile(join(set, 'report.html'), 'utf8'))).toEqual([
    ['FILM_01', 'Scene 1', '2', '2,100,000'],
    ['FILM_02', 'Scene 2', '1', '2,000,000'],
  ])

  const shelf = await folderFor(desk, 'Shelf')
  await lee.clicks('button', 'Burn or copy…')
  await lee.chooses(shelf, 'radio', /^A folder or mounted disk/)
  await lee.clicks('button', 'Copy 2 volumes')
  await lee.reads('Copied, and read back from the folder.')
  const safe = await folderFor(desk, 'Safe')
  await lee.clicks('button', 'Burn or copy…')
  await lee.chooses(safe, 'radio', /^A folder or mounted disk/)
  await lee.shows('studio 1, second copy')
  await lee.clicks('button', 'Copy 2 volumes')
  for (const copy of [shelf, safe])
    for (const at of [1, 2]) {
      const image = await readFile(join(set, 'images', `0${at}.iso`))
      await expect.poll(() => readdir(copy)).toContain(`FILM_0${at}.iso`)
      expect(image.equals(await readFile(join(copy, `FILM_0${at}.iso`)))).toBe(true)
    }
  await lee.shows('studio 2, copied')
  await lee.leaves()

  // The computer with the set is gone: a copy is all that is left.
  const elsewhere = await Person.at(await emptyDesk())
  const back = await folderFor(desk, 'Back')
  await elsewhere.presses('Control+7')
  await elsewhere.chooses(join(safe, 'FILM_02.iso'), 'button', 'Add images…')
  await elsewhere.clicks('checkbox', 'Restore Scene 2')
  await elsewhere.chooses(back, 'button', 'Restore…')
  await elsewhere.reads(/^1 file restored and checked/)
  expect(treeFacts(join(back, 'Scene 2'))).toEqual(treeFacts(join(film, 'Scene 2')))
  await elsewhere.leaves()
})

async function folderFor({ place }: Desk, name: string): Promise<string> {
  const folder = join(place, name)
  await mkdir(folder)
  return folder
}

/** The cards of a plan's report: the label of each disc, and its folders with their files and bytes. */
function cardsIn(report: string): string[][] {
  const [, contents = ''] = report.split('<h2>Contents</h2>')
  const [, ...cards] = contents.split(/(?=<h3>)/)
  return cards.map((card) => [...card.matchAll(/<(?:h3|td)[^>]*>([^<]*)</g)].map(([, text = '']) => text))
}
