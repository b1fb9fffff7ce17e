import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { stowage } from '../../../fixtures/stowageCommand'
import { treeFacts } from '../../../support/treeFacts'
import { type Desk, emptyDesk, Person } from './person'
import { writeMedia } from './sources'

const PASSWORD = 'four words nobody guesses'
const FIRST_YEAR = {
  'Birthday/cake.jpg': 400_000,
  'Birthday/guests.jpg': 500_000,
  'School/first day.jpg': 600_000,
}
const NEXT_YEAR = { 'Summer/lake.jpg': 300_000, 'Summer/tent.jpg': 350_000 }

/** From Home to the verified discs of what is new, of an encrypted archive. */
const MOST_TO_ADDED = 5

/** An archive of one year on encrypted discs, made by commands. */
async function kept({ place, home }: Desk): Promise<void> {
  await writeMedia(join(place, 'Family'), FIRST_YEAR)
  await writeFile(join(place, 'password'), `${PASSWORD}\n`)
  const set = join(place, 'family-1')
  const plan = ['plan', join(place, 'Family'), '--archive', 'Family', '--medium', 'custom:3MB', '--out', set]
  for (const command of [
    [...plan, '--option', '7z-files', '--encrypt', '256', '--label', 'FAMILY'],
    ['build', set, '--password-file', join(place, 'password')],
    ['verify', set, '--password-file', join(place, 'password')],
  ])
    expect(await stowage(command, { home })).toMatchObject({ code: 0 })
}

it('a grandparent adds what is new to an encrypted archive a year later, with five interactions', {
  tags: 'long',
}, async () => {
  const desk = await emptyDesk()
  await kept(desk)
  const photos = join(desk.place, 'Family')
  await writeMedia(photos, NEXT_YEAR)
  await rename(join(photos, 'School'), join(photos, 'First school'))

  const ida = await Person.at(desk)
  await ida.reads('1 archive. Nothing needs attention.')
  await ida.shows('grandparent 1, a year later')
  await ida.clicks('button', 'Add what is new to Family')
  await ida.reads(/Generation 2, added to FAMILY_01: 2 new/)
  await ida.shows('grandparent 2, planned')
  await ida.clicks('button', 'Build and verify')
  await ida.types(PASSWORD, 'Password of FAMILY_01')
  await ida.shows('grandparent 3, password')
  await ida.presses('Enter')
  await ida.reads('Built and verified: every packed file reads back unchanged.')
  await ida.shows('grandparent 4, built')
  expect(ida.interactions()).toBeLessThanOrEqual(MOST_TO_ADDED)

  // Nothing is new now, and that is said.
  await ida.presses('Alt+Home')
  await ida.clicks('button', 'Add what is new to Family')
  await ida.reads(
    'Family: there is nothing to add: every file is on FAMILY_02 or an earlier volume; nothing was written.',
  )
  await ida.shows('grandparent 5, nothing new')
  await ida.leaves()

  const back = join(desk.place, 'Back')
  await mkdir(back)
  const password = ['--password-file', join(desk.place, 'password')]
  const restored = await stowage(['restore', 'Family', '--to', back, ...password], { home: desk.home })
  expect(restored).toMatchObject({ code: 0 })
  expect(treeFacts(back)).toEqual(treeFacts(photos))
  await rm(back, { recursive: true })
})
