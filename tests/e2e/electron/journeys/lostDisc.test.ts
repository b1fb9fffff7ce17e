import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { stowage } from '../../../fixtures/stowageCommand'
import { type Desk, emptyDesk, Person } from './person'
import { writeMedia } from './sources'

const PHOTOS = {
  '2024/Lake/boat.jpg': 900_000,
  '2024/Lake/fish.jpg': 800_000,
  '2025/Town/tram.jpg': 1_200_000,
}

/** From Home to the lost disc written again, where it was before. */
const MOST_TO_WRITTEN_AGAIN = 4

/** Two copies at two places, of which one lacks a disc; made by commands. */
async function copied({ place, home }: Desk): Promise<void> {
  await writeMedia(join(place, 'Photos'), PHOTOS)
  const set = join(place, 'photos-1')
  const medium = ['--medium', 'custom:3MB', '--label', 'PHOTOS', '--out', set]
  const commands = [
    ['plan', join(place, 'Photos'), '--archive', 'Photos', ...medium],
    ['build', set],
    ['write', set, '--to', join(place, 'home'), '--copy', '1', '--place', 'home'],
    ['write', set, '--to', join(place, 'studio'), '--copy', '2', '--place', 'studio'],
  ]
  for (const where of ['home', 'studio']) await mkdir(join(place, where))
  for (const command of commands) expect(await stowage(command, { home })).toMatchObject({ code: 0 })
}

it('a lost disc is written again from Home, and is as the others then', { tags: 'long' }, async () => {
  const desk = await emptyDesk()
  await copied(desk)
  const lost = join(desk.place, 'studio', 'PHOTOS_01.iso')
  const image = await readFile(lost)
  await rm(lost)
  const eva = await Person.at(desk)

  await eva.clicks('button', /Copies and places of Photos$/)
  await eva.reads('2 copies of each volume at 2 places, verified in')
  await eva.clicks('button', /^Note PHOTOS_01, copy 2.*as lost$/)
  await eva.reads(/PHOTOS_01, copy 2, studio: write it again/)
  await eva.clicks('button', /^Write again: PHOTOS_01, copy 2/)
  expect(await eva.value('Kept at')).toBe('studio')
  await eva.clicks('button', 'Copy 1 volume')
  await expect.poll(() => readFile(lost).catch(() => null)).toEqual(image)
  await eva.reads('Copied, and read back from the folder.')
  expect(eva.interactions()).toBeLessThanOrEqual(MOST_TO_WRITTEN_AGAIN)
  await eva.presses('Alt+Home')
  await eva.reads('2 copies at 2 places')
  await eva.clicks('button', /Copies and places of Photos$/)
  await eva.reads('2 copies of each volume at 2 places, verified in')
  await eva.shows('lost disc, written again')
  await eva.leaves()
})
