import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { folderOnOtherDisk } from '../../../support/otherDisk'
import { emptyDesk, Person } from './person'
import { writeMedia } from './sources'

const FILM = {
  'Scene 1/take 1.mov': 1_300_000,
  'Scene 1/take 2.mov': 800_000,
  'Scene 2/take 1.mov': 2_000_000,
}

/** From the drop to two verified copies at two places. */
const MOST_TO_TWO_COPIES = 12

it('a studio keeps a film in two verified copies at two places, with one form and one start', {
  tags: 'long',
}, async () => {
  const desk = await emptyDesk()
  const film = join(desk.place, 'Film')
  await writeMedia(film, FILM)
  const shelf = join(desk.place, 'Shelf')
  await mkdir(shelf)
  const bank = folderOnOtherDisk(desk.place)
  onTestFinished(() => rm(bank, { recursive: true, force: true }))
  const mia = await Person.at(desk)

  await mia.drops(film)
  await mia.clicks('radio', 'Discs')
  await mia.clicks('button', 'Start survey')
  await mia.clicks('button', 'Choose')
  await mia.clicks('button', 'Use this: Plain discs')
  await mia.clicks('button', 'Build and verify')
  await mia.reads('Built and verified: every file matches the survey.')
  await mia.clicks('button', 'Burn or copy…')
  await mia.choosesAll([shelf, bank], 'radio', /^A folder or mounted disk/)
  await mia.types('our shelf', 'Kept at')
  await mia.types('the bank', 'Copy 2 kept at')
  await mia.shows('two places 1, both copies')
  await mia.clicks('button', 'Write both copies of 1 volume')
  await mia.reads('2 copies of each volume at 2 places, verified in')
  expect(mia.interactions()).toBeLessThanOrEqual(MOST_TO_TWO_COPIES)
  await mia.shows('two places 2, both written')

  const image = await readFile(join(desk.documents, 'Stowage', 'Film', 'images', '01.iso'))
  for (const copy of [shelf, bank]) {
    expect(await readdir(copy)).toEqual(['FILM_01.iso'])
    expect(image.equals(await readFile(join(copy, 'FILM_01.iso')))).toBe(true)
  }
  await mia.presses('Alt+Home')
  await mia.reads('2 copies at 2 places')
  await mia.leaves()
})
