import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { folderOnOtherDisk } from '../../../support/otherDisk'
import { treeFacts } from '../../../support/treeFacts'
import { PATIENCE_MS, temporaryHome } from '../appWindow'
import { emptyDesk, Person } from './person'
import { writeMedia } from './sources'

const FIRST_YEAR = {
  '2025/Alps/1.jpg': 900_000,
  '2025/Alps/2.jpg': 700_000,
  '2025/Lake/1.jpg': 900_000,
  '2025/Lake/2.jpg': 800_000,
}
const NEXT_YEAR = { '2026/Coast/1.jpg': 900_000, '2026/Coast/2.jpg': 600_000 }

async function copyTo(
  person: Person,
  folder: string,
  copy: number,
  place: string,
  discs: number,
): Promise<void> {
  const before = (await readdir(folder)).length
  await person.clicks('button', 'Burn or copy…')
  // The copy that is not written yet is offered, and asks for its own folder.
  expect(await person.value('Copy')).toBe(String(copy))
  await person.chooses(folder, 'radio', /^A folder or mounted disk/)
  await person.types(place, 'Kept at')
  await person.clicks('button', /^Copy \d+ volume/)
  await vi.waitUntil(async () => (await readdir(folder)).length === before + discs, { timeout: PATIENCE_MS })
  await person.reads('Copied, and read back from the folder.')
}

it('a family keeps two protected copies, adds the next year, loses a disc, and restores all', {
  tags: 'long',
}, async () => {
  const desk = await emptyDesk()
  const [photos, shelf] = ['Photos', 'Shelf'].map((name) => join(desk.place, name)) as [string, string]
  const parents = folderOnOtherDisk(desk.place)
  onTestFinished(() => rm(parents, { recursive: true, force: true }))
  await mkdir(shelf)
  await writeMedia(photos, FIRST_YEAR)
  const project = join(desk.place, 'photos.stowage.yaml')
  await writeFile(
    project,
    'id: pr-0123456789ab\nname: Family photos\nsources:\n  photos: Photos\nmedium: custom:3MB\nprotection: fill\ncopies: 2\nlabel: FAMILY\n',
  )

  const kim = await Person.at(desk)
  await kim.drops(project)
  await kim.clicks('button', 'Start survey')
  await kim.clicks('button', 'Choose')
  await kim.shows('family 1, choose')
  await kim.clicks('button', 'Use this: Plain discs')
  await kim.reads(/Recovery data/)
  await kim.shows('family 2, planned')
  await kim.clicks('button', 'Build and verify')
  await kim.reads('Built and verified: every file matches the survey.')
  await kim.shows('family 3, built')
  await copyTo(kim, shelf, 1, 'our shelf', 2)
  await kim.shows('family 4, first copy')
  await copyTo(kim, parents, 2, "parents' house", 2)
  await kim.shows('family 5, second copy')
  await kim.presses('Control+6')
  await kim.clicks('button', /^Is Photos, surveyed .* safe to delete/)
  await kim.reads('Photos is safe to delete.')
  await kim.shows('family 6, safe')
  await kim.leaves()

  // A year later
  await writeMedia(photos, NEXT_YEAR)
  await rename(join(photos, '2025', 'Lake'), join(photos, '2025', 'Lake Como'))
  const later = await Person.at(desk)
  await later.reads('Family photos')
  await later.shows('family 7, a year later')
  await later.clicks('button', 'Add what is new to Family photos')
  await later.reads(/Generation 2, added to FAMILY_01/)
  await later.shows('family 8, planned')
  await later.clicks('button', 'Build and verify')
  await later.reads('Built and verified: every file matches the survey.')
  await later.shows('family 9, built')
  await copyTo(later, shelf, 1, 'our shelf', 1)
  await copyTo(later, parents, 2, "parents' house", 1)
  await later.leaves()

  // One disc of the shelf is lost, another one scratched; the parents still have theirs.
  const names = (await readdir(shelf)).toSorted()
  expect(names).toHaveLength(3)
  const [scratched = '', lost = '', newest = ''] = names
  await rm(join(shelf, lost))
  const image = await readFile(join(shelf, scratched))
  image.fill(0, 1_000_000, 1_200_000)
  await writeFile(join(shelf, scratched), image)

  const finder = await Person.at({ ...desk, home: await temporaryHome() })
  await finder.presses('Control+7')
  await finder.chooses(join(shelf, newest), 'button', 'Add images…')
  await finder.clicks('checkbox', /^Restore everything/)
  await finder.shows('family 10, discs needed')
  await finder.chooses(join(shelf, scratched), 'button', 'Add images…')
  await finder.reads(/Add FAMILY_02/)
  await finder.chooses(join(parents, lost), 'button', 'Add images…')
  const back = join(desk.place, 'Back')
  await mkdir(back)
  await finder.chooses(back, 'button', 'Restore…')
  await finder.reads(/^6 files restored and checked/)
  await finder.shows('family 11, restored')
  expect(treeFacts(back)).toEqual(treeFacts(photos))
  await finder.leaves()
})
