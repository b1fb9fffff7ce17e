import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { treeFacts } from '../../../support/treeFacts'
import { emptyDesk, MOST_TO_RESTORED, MOST_TO_VERIFIED, Person } from './person'
import { writeMedia } from './sources'

const PHOTOS = {
  '2019/Alps/IMG_1.CR2': 800_000,
  '2019/Coast/IMG_2.CR2': 800_000,
  '2020/Garden/IMG_3.CR2': 1_000_000,
  '2020/Lakes/IMG_4.CR2': 800_000,
  '2021/Home/IMG_5.CR2': 700_000,
  '2021/Iceland/IMG_6.CR2': 600_000,
  '2021/Iceland/IMG_7.CR2': 500_000,
  'Previews/IMG_1.jpg': 300_000,
  'Previews/IMG_6.jpg': 300_000,
}

it('a photographer leaves out previews, plans a disc for each year, and gets Iceland back', {
  tags: 'long',
}, async () => {
  const desk = await emptyDesk()
  const photos = join(desk.place, 'Photos')
  await writeMedia(photos, PHOTOS)
  const ana = await Person.at(desk)

  await ana.drops(photos)
  await ana.clicks('checkbox', 'Keep Previews')
  await ana.clicks('radio', 'Discs')
  await ana.types('3MB', 'Other size')
  await ana.clicks('button', 'Start survey')
  await ana.clicks('button', 'Choose')
  await ana.clicks('button', 'Use this: Plain discs')
  await ana.reads('3 discs, Image of 3 MB.')
  await ana.shows('photographer 1, planned')
  await ana.clicks('button', 'Build and verify')
  await ana.reads('Built and verified: every file matches the survey.')
  expect(ana.interactions()).toBeLessThanOrEqual(MOST_TO_VERIFIED)
  await ana.leaves()

  const images = join(desk.documents, 'Stowage', 'Photos', 'images')
  expect((await readdir(images)).toSorted()).toEqual(['01.iso', '02.iso', '03.iso'])
  for (const [at, year] of ['2019', '2020', '2021'].entries()) {
    const image = await readFile(join(images, `0${at + 1}.iso`))
    for (const path of Object.keys(PHOTOS)) {
      const isOn = image.includes(await readFile(join(photos, path)))
      expect([path, isOn]).toEqual([path, path.startsWith(year)])
    }
  }

  const later = await Person.at(desk)
  const back = join(desk.place, 'Back')
  await mkdir(back)
  await later.clicks('button', 'Restore Photos')
  await later.clicks('checkbox', 'Restore Iceland')
  await later.reads(/^1 folder, 2 files, 1.10 MB from PHOTOS_03/)
  await later.chooses(back, 'button', 'Restore…')
  await later.reads(/^2 files restored and checked/)
  await later.shows('photographer 2, restored')
  expect(later.interactions()).toBeLessThanOrEqual(MOST_TO_RESTORED)
  expect(await readdir(join(back, '2021'))).toEqual(['Iceland'])
  expect(treeFacts(join(back, '2021', 'Iceland'))).toEqual(treeFacts(join(photos, '2021', 'Iceland')))
  await later.leaves()
})
