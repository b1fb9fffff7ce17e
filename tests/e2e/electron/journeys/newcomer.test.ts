import { copyFile, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { emptyDesk, MOST_TO_VERIFIED, Person } from './person'
import { writeMedia } from './sources'

/** Two volumes of 3 MB hold them where the copy is not stored again, three where it is. */
const PICTURES = {
  'Journey 0/picture 0.jpg': 1_050_000,
  'Journey 0/picture 2.jpg': 1_050_000,
  'Journey 1/picture 1.jpg': 1_050_000,
  'Journey 1/picture 3.jpg': 1_050_000,
}

it('a newcomer is led from the first question to a verified set of two discs', { tags: 'long' }, async () => {
  const desk = await emptyDesk()
  const pictures = join(desk.place, 'Journeys')
  await writeMedia(pictures, PICTURES)
  await mkdir(join(pictures, 'Backup'))
  await copyFile(join(pictures, 'Journey 0/picture 0.jpg'), join(pictures, 'Backup/picture 0.jpg'))
  const joe = await Person.at(desk)

  await joe.chooses(pictures, 'button', 'Choose folders…')
  await joe.reads('What do you want to keep?')
  await joe.shows('newcomer 1, questions')
  await joe.clicks('radio', 'Discs')
  await joe.types('3MB', 'Other size')
  await joe.clicks('button', 'Start survey')
  await joe.clicks('button', 'Choose')
  await joe.reads('Plain discs')
  await joe.shows('newcomer 2, candidates')
  await joe.clicks('button', 'Use this: Plain discs')
  await joe.clicks('button', 'Build and verify')
  await joe.reads('Built and verified: every file matches the survey.')
  await joe.shows('newcomer 3, verified')

  expect(joe.interactions()).toBeLessThanOrEqual(MOST_TO_VERIFIED)
  const set = join(desk.documents, 'Stowage', 'Journeys')
  const images = (await readdir(set, { recursive: true })).filter((name) => name.endsWith('.iso'))
  expect(images.toSorted()).toEqual([join('images', '01.iso'), join('images', '02.iso')])
  await joe.reads('Show the images')
  await joe.leaves()
})
