import { mkdir, readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { expect, it } from 'vitest'
import { seenProcesses } from '../../../support/seenProcesses'
import { treeFacts } from '../../../support/treeFacts'
import { emptyDesk, MOST_TO_VERIFIED, Person } from './person'
import { writeMedia } from './sources'

const PASSWORD = 'four words nobody guesses'
const PHOTOS = {
  'Birthday/cake.jpg': 400_000,
  'Birthday/guests.jpg': 500_000,
  'School/first day.jpg': 600_000,
}

it('a parent keeps photos in a vault, types its password in the window alone, and restores them', {
  tags: 'long',
}, async () => {
  const desk = await emptyDesk()
  const photos = join(desk.place, 'Family')
  await writeMedia(photos, PHOTOS)
  const sam = await Person.at(desk)

  await sam.drops(photos)
  await sam.clicks('button', 'Start survey')
  await sam.clicks('button', 'Choose')
  await sam.clicks('button', 'Use this: Encrypted vault')
  await sam.clicks('button', 'Build and verify')
  await sam.types(PASSWORD, 'New password')
  await sam.types(PASSWORD, 'Repeat password')
  await sam.shows('parent 1, password')
  const { seen } = await seenProcesses(async () => {
    await sam.presses('Enter')
    await sam.reads('Built and verified: every packed file reads back unchanged.')
  })
  await sam.shows('parent 2, verified')
  expect(sam.interactions()).toBeLessThanOrEqual(MOST_TO_VERIFIED)
  await sam.leaves()

  const texts = [...seen.texts]
  expect(texts.some((text) => text.includes('7zz'))).toBe(true)
  expect(texts.filter((text) => text.includes(PASSWORD))).toEqual([])
  for (const folder of [desk.home, desk.documents]) expect(await filesWith(folder, PASSWORD)).toEqual([])
  const vault = join(desk.documents, 'Stowage', 'Family', 'folders')
  expect(await readdir(join(vault, '01'))).toContain('archive-01.7z')
  for (const text of ['guests', 'School', Buffer.from('guests', 'utf16le')])
    expect(await filesWith(vault, text)).toEqual([])

  const later = await Person.at(desk)
  await later.reads('1 archive. Nothing needs attention.')
  const back = join(desk.place, 'Back')
  await mkdir(back)
  await later.clicks('button', /^Restore Family/)
  await later.types(PASSWORD, 'Password')
  await later.presses('Enter')
  await later.clicks('checkbox', 'Restore everything in Family')
  await later.chooses(back, 'button', 'Restore…')
  await later.reads(/^3 files restored and checked/)
  expect(treeFacts(back)).toEqual(treeFacts(photos))
  await later.leaves()
})

/** The files below a folder that hold a text. */
async function filesWith(folder: string, text: string | Buffer): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
  const found = await Promise.all(files.map(async (file) => (await readFile(file)).includes(text)))
  return files.filter((_, at) => found[at]).map((file) => basename(file))
}
