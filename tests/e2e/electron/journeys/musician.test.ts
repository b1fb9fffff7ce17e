import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { stowage } from '../../../fixtures/stowageCommand'
import { treeFacts } from '../../../support/treeFacts'
import { type Desk, emptyDesk, Person } from './person'
import { writeMedia } from './sources'

/** Two of them fit on a disc, three do not. */
const MUSIC = {
  'Blue/1.flac': 1_050_000,
  'Blue/2.flac': 900_000,
  'Green/1.flac': 1_000_000,
  'Green/2.flac': 950_000,
  'Red/1.flac': 1_020_000,
  'Red/2.flac': 920_000,
}

/** Three discs of music, two copies of each at two places, and one disc of letters. */
async function archived({ place, home }: Desk): Promise<void> {
  await writeMedia(join(place, 'Music'), MUSIC)
  await writeMedia(join(place, 'Letters'), { '1.txt': 50_000 })
  const at = (name: string): string => join(place, name)
  for (const command of [
    ['plan', at('Music'), '--medium', 'custom:3MB', '--label', 'MUSIC', '--out', at('Music plan')],
    ['build', at('Music plan')],
    ['write', at('Music plan'), '--to', at('Shelf'), '--place', 'our shelf'],
    ['write', at('Music plan'), '--to', at('Attic'), '--copy', '2', '--place', "parents' attic"],
    ['plan', at('Letters'), '--medium', 'custom:3MB', '--label', 'LETTERS', '--out', at('Letters plan')],
    ['build', at('Letters plan')],
    ['write', at('Letters plan'), '--to', at('Desk drawer')],
  ])
    expect(await stowage(command, { home })).toMatchObject({ code: 0 })
  // The discs are put away, and the images that they were burned from are gone.
  for (const folder of ['Shelf', 'Attic', 'Desk drawer']) await rename(at(folder), at(`${folder}, put away`))
  for (const plan of ['Music plan', 'Letters plan']) await rm(at(`${plan}/images`), { recursive: true })
}

it('a musician gets everything back from discs at two places, asked for one after another', {
  tags: 'long',
}, async () => {
  const desk = await emptyDesk()
  const at = (name: string): string => join(desk.place, name)
  await archived(desk)
  const back = at('Back')
  await mkdir(back)
  /** Takes a disc from where it was put away to the drive. */
  const fetched = async (shelf: string, disc: string): Promise<string> => {
    const drive = at('Drive')
    await rm(drive, { recursive: true, force: true })
    await mkdir(drive)
    await rename(join(at(`${shelf}, put away`), disc), join(drive, disc))
    return join(drive, disc)
  }

  const joni = await Person.at(desk)
  await joni.presses('Control+7')
  await joni.clicks('button', /^Restore Music/)
  await joni.clicks('checkbox', /^Restore everything/)
  await joni.shows('musician 1, everything chosen')
  await joni.chooses(back, 'button', 'Ask for each disc…')
  await joni.reads('Insert MUSIC_01, copy 1, kept at: our shelf')
  await joni.shows('musician 2, first disc asked for')

  await joni.chooses(await fetched('Desk drawer', 'LETTERS_01.iso'), 'button', 'Choose its image…')
  await joni.reads('This is LETTERS_01, which belongs to another set. Insert MUSIC_01.')
  await joni.shows('musician 3, wrong disc')
  await joni.chooses(await fetched('Shelf', 'MUSIC_01.iso'), 'button', 'Choose its image…')
  await joni.reads('Insert MUSIC_02, copy 1, kept at: our shelf')
  await joni.reads(/^2 files restored and checked/)
  await joni.shows('musician 4, second disc asked for')
  await joni.leaves()

  // Another day: the restore waits on the first page.
  const later = await Person.at(desk)
  await later.reads('1 of 3 discs read; next: MUSIC_02, kept at: our shelf')
  await later.shows('musician 4b, another day')
  await later.clicks('button', 'Go on restoring to Back')
  await later.reads('Insert MUSIC_02, copy 1, kept at: our shelf')

  // It is not on the shelf: whoever goes to the attic for it takes the third one from there too.
  await later.clicks('button', 'Skip this copy')
  await later.reads("Insert MUSIC_02, copy 2, kept at: parents' attic")
  await later.shows('musician 5, copy skipped')
  await later.drops(await fetched('Attic', 'MUSIC_02.iso'))
  await later.reads("Insert MUSIC_03, copy 2, kept at: parents' attic")
  await later.drops(await fetched('Attic', 'MUSIC_03.iso'))
  await later.reads('No disc is left to insert.')
  await later.reads(/^2 files restored and checked in .*4 files were already there/)
  await later.shows('musician 6, all restored')
  await later.clicks('button', 'Done')
  expect(treeFacts(back)).toEqual(treeFacts(at('Music')))
  await later.leaves()
})
