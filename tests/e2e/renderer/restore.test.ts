import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { RestoreRequest } from '../../../src/contract/dto/restore'
import { button, callsOf } from './controls'
import { check, openedImages, openedSet, search, takes, tree } from './restorePanel'
import { finish, picture, windowsForTests } from './windowUnderTest'

const windows = windowsForTests()

async function started(page: Page): Promise<RestoreRequest> {
  const [request] = await callsOf(page, 'restore.start')
  return request as RestoreRequest
}

const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent)

describe('choosing what to restore', () => {
  it('takes four interactions from the catalog, and no typing', async () => {
    const page = await windows.window({ history: true })
    await page.keyboard.press('Control+6')
    await page.getByRole('button', { name: /^Restore .+, \d/ }).click()
    await check(page, '2005').click()
    await takes(page, '4 folders, 120 files, 2.88 GB from PHOTOS_02, about 5 min')
    // The folder dialog is the fourth.
    await button(page, 'Restore…').click()
    await page.locator('.strip').getByText('Restoring').waitFor()
    expect(await started(page)).toEqual({
      volumes: ['/media/backup/Photos plan'],
      chosen: { paths: ['2005'], except: [] },
      to: '/media/backup/Photos plan',
      force: false,
      trust: false,
      opened: 'o1',
    })
    await finish(page)
    await page.getByText('1,200 files restored and checked in', { exact: false }).waitFor()
    await page.getByText('4 files were already there', { exact: false }).waitFor()
    await page.getByText(/^31 files and folders of other users now belong to you/).waitFor()
    await page
      .getByText(/^12 names were changed, as the disk cannot hold them: RESTORED-NAMES\.tsv/)
      .waitFor()
    await page.getByText(/^1 symbolic link was left out, as the disk cannot hold links/).waitFor()
    const left = page.getByRole('list', { name: 'Attributes that the folder cannot hold' })
    expect(await left.getByRole('listitem').allTextContents()).toEqual([
      'Cannot set the extended attribute user.rating of 2019/Iceland/geyser.cr2: the target does not keep it.',
    ])
    await button(page, 'Show in folder').click()
    expect(await callsOf(page, 'app.showFolder')).toEqual([{ path: '/media/backup/Photos plan' }])
  })

  it('leaves one file out of a folder: the folders above are chosen in part', { tags: 'long' }, async () => {
    const page = await windows.window({ history: true })
    await openedSet(page)
    await check(page, '2003').click()
    await button(page, 'Open 2003').click()
    await button(page, 'Open Iceland').click()
    await check(page, 'IMG_00002.CR2').click()
    await takes(page, /^4 folders, 119 files/)
    for (const name of ['2003', 'Iceland'])
      expect(await check(page, name).getAttribute('aria-checked')).toBe('mixed')
    await check(page, 'IMG_00002.CR2').click()
    expect(await check(page, '2003').getAttribute('aria-checked')).toBe('true')
    await check(page, 'IMG_00002.CR2').click()
    await button(page, 'Restore…').click()
    expect((await started(page)).chosen).toEqual({
      paths: ['2003'],
      except: ['2003/Iceland/IMG_00002.CR2'],
    })
  })

  it('restores everything as a whole, also where each folder was checked by itself', {
    tags: 'long',
  }, async () => {
    const page = await windows.window({ history: true })
    await openedSet(page)
    const all = tree(page).getByRole('checkbox', { name: /^Restore everything in Photos/ })
    await all.click()
    await takes(page, /^56 folders, 1,682 files, 40\.7 GB from PHOTOS_01, PHOTOS_02 and 5 more/)
    await check(page, '2009').click()
    expect(await all.getAttribute('aria-checked')).toBe('mixed')
    await check(page, '2009').click()
    expect(await all.getAttribute('aria-checked')).toBe('true')
    await button(page, 'Restore…').click()
    expect(await started(page)).not.toHaveProperty('chosen')
  })

  it('takes names with wildcards as they are', { tags: 'long' }, async () => {
    const page = await windows.window({ history: true })
    await openedSet(page)
    await check(page, '*read me* [first]?.txt').click()
    await button(page, 'Restore…').click()
    expect((await started(page)).chosen).toEqual({ paths: ['*read me* [first]?.txt'], except: [] })
  })

  it('finds folders and files as they are typed, and chooses all of them', { tags: 'long' }, async () => {
    const page = await windows.window({ history: true })
    await openedSet(page)
    await search(page).fill('iceland')
    await page.getByText('14 folders and files match “iceland”.').waitFor()
    await button(page, 'Choose all 14').click()
    await takes(page, /^14 folders, 560 files/)
    await search(page).fill('*_00001.cr?')
    await page.getByText('42 folders and files match “*_00001.cr?”.').waitFor()
    await check(page, '2003/Alps/IMG_00001.CR2').click()
    await takes(page, /^14 folders, 561 files/)
    await search(page).fill('nothing like it')
    await page.getByText('Nothing matches “nothing like it”.', { exact: false }).waitFor()
    await search(page).fill('')
    expect(await check(page, '2003').getAttribute('aria-checked')).toBe('mixed')
  })

  it('is done by keys alone', async () => {
    const page = await windows.window({ history: true })
    await openedSet(page)
    await search(page).focus()
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('treegrid')
    for (const key of ['Home', 'ArrowDown', 'ArrowRight', 'ArrowDown', 'ArrowDown', 'Space'])
      await page.keyboard.press(key)
    await takes(page, /^1 folder, 40 files/)
    expect(await check(page, 'Iceland').getAttribute('aria-checked')).toBe('true')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Space')
    await takes(page, /^4 folders, 120 files/)
    await page.keyboard.press('ArrowLeft')
    expect(await check(page, 'Iceland').count()).toBe(0)
  })

  it('scrolls through a folder of 100,000 files by its pages', { tags: 'long' }, async () => {
    const page = await windows.window({ history: true, setLargest: 100_000 })
    await openedSet(page)
    await button(page, 'Open 2003').click()
    await button(page, 'Open Alps').click()
    await check(page, 'IMG_00000.CR2').waitFor()
    await tree(page).focus()
    await page.keyboard.press('End')
    await check(page, '*read me* [first]?.txt').waitFor()
    await tree(page)
      .locator('xpath=ancestor-or-self::*[contains(@class, "table-frame")]')
      .evaluate((frame) => {
        frame.scrollTop = 30 * 54_321
      })
    await check(page, 'IMG_54321.CR2').click()
    await takes(page, /^1 file, 122 MB from PHOTOS_01/)
    const asked = await callsOf(page, 'restore.folder')
    expect(asked.length).toBeLessThan(12)
    expect(await tree(page).getByRole('row').count()).toBeLessThan(60)
  })
})

describe('discs of a set', { tags: 'long' }, () => {
  it('are named where they are needed and not given, and added on the way', async () => {
    const page = await windows.window()
    await openedImages(page)
    expect(await button(page, 'Restore…').isDisabled()).toBe(true)
    await check(page, '2015').click()
    await page.getByText('Add PHOTOS_07: it is not among the discs given.').waitFor()
    expect(await button(page, 'Restore…').isDisabled()).toBe(true)
    await check(page, '2003').click()
    await takes(page, /from PHOTOS_01 and PHOTOS_07/)
    await button(page, 'Restore…').click()
    await finish(page)
    await page.getByText('Disc 7 (PHOTOS_07) is needed for 4 files.').waitFor()
    const result = page.getByRole('region', { name: 'Result' })
    await result.getByRole('button', { name: 'Add discs or a plan folder…' }).click()
    await expect.poll(() => callsOf(page, 'restore.start')).toHaveLength(2)
    expect((await callsOf(page, 'restore.start'))[1]).toMatchObject({
      volumes: ['/media/discs/01.iso', '/media/discs/02.iso', '/media/PHOTOS_01'],
      chosen: { paths: ['2015', '2003'], except: [] },
    })
  })

  it('can be taken out again, and another set be chosen', async () => {
    const page = await windows.window()
    await openedImages(page)
    await page.getByText('From 2 discs, images or folders').click()
    await button(page, 'Remove 02.iso').click()
    await expect.poll(async () => (await callsOf(page, 'restore.open')).length).toBe(2)
    expect((await callsOf(page, 'restore.open'))[1]).toMatchObject({ volumes: ['/media/discs/01.iso'] })
    await button(page, 'Choose another set…').click()
    await page.getByText('Restore from which set?').waitFor()
    expect(await callsOf(page, 'restore.close')).toEqual([{ id: 'o2' }])
  })

  it('say which list is damaged, and that another one is used', async () => {
    const damage =
      'cannot use /media/discs/01.iso/STOWAGE/INDEX.tsv: it is damaged; the index of /media/discs/02.iso is used'
    const page = await windows.window({ setDamaged: damage })
    await openedImages(page)
    await page.getByRole('list', { name: 'Discs whose lists are damaged' }).getByText(damage).waitFor()
  })

  it('that are no volumes leave the way to other ones', async () => {
    const page = await windows.window({
      fails: {
        'restore.open': {
          code: 'bad-input',
          message: 'cannot restore from /media/discs/01.iso: it is neither a plan folder nor a volume',
        },
      },
    })
    await page.keyboard.press('Control+7')
    await button(page, 'Add images…').click()
    await page.getByText('it is neither a plan folder nor a volume', { exact: false }).waitFor()
    await page.getByText('Choose discs, images or the plan folder of one set.', { exact: false }).waitFor()
    await button(page, 'Choose another set…').click()
    await page.getByText('Restore from which set?').waitFor()
  })
})

describe('a set of folders', { tags: 'long' }, () => {
  it('is called neither disc nor volume, and shows its details once they are wanted', async () => {
    const page = await windows.window({
      history: true,
      sets: [{ id: 'p-disk', mediumId: 'disk', directory: '/media/backup/Photos on disk' }],
      setPlan: 'p-disk',
    })
    await page.keyboard.press('Control+7')
    const known = page.locator('.known-sets li').filter({ hasText: /\d folders,/ })
    await known.getByRole('button', { name: /^Restore .+, \d/ }).click()
    await check(page, '2005').click()
    await takes(page, /^4 folders, 120 files/)
    expect(await tree(page).getByRole('columnheader').allTextContents()).toEqual(['Name', 'Size'])
    await page.getByText('More', { exact: true }).click()
    await page.getByText('Show the number of files and the folder of the set for each row').click()
    expect(await tree(page).getByRole('columnheader').allTextContents()).toEqual([
      'Name',
      'Size',
      'Files',
      'Folder',
    ])
    await picture(page, 'restore-folders')
    expect(await page.getByRole('main').innerText()).not.toMatch(/\b(disc|volume)s?\b/i)
    await button(page, 'Restore…').click()
    await finish(page)
    await button(page, 'Show in folder').waitFor()
    expect(await page.getByRole('main').innerText()).not.toMatch(/\b(disc|volume)s?\b/i)
  })
})

describe('an encrypted set', () => {
  it('asks for its password before its files are seen, and again when it is wrong', async () => {
    const page = await windows.window({ setPassword: 'correct horse' })
    await page.keyboard.press('Control+7')
    await button(page, 'Add images…').click()
    await page.getByText('This set is encrypted. Enter its password to see its files.').waitFor()
    const field = page.getByLabel('Password', { exact: true })
    expect(await field.evaluate((element) => element === document.activeElement)).toBe(true)
    await field.fill('guessed')
    await picture(page, 'restore-password')
    await page.keyboard.press('Enter')
    await page.getByText('The password is wrong.', { exact: false }).waitFor()
    await field.fill('correct horse')
    await button(page, 'Open the set').click()
    await check(page, '2003').click()
    // More discs of it need no password.
    await page.getByText('From 2 discs, images or folders').click()
    await page
      .getByRole('region', { name: 'Set' })
      .getByRole('button', { name: 'Add discs or a plan folder…' })
      .click()
    await page.getByText('From 3 discs, images or folders').waitFor()
    await button(page, 'Restore…').click()
    await finish(page)
    await page.getByText('1,200 files restored and checked in', { exact: false }).waitFor()
    expect(await started(page)).not.toHaveProperty('password')
    expect(await callsOf(page, 'restore.open')).toMatchObject([
      {},
      { password: new TextEncoder().encode('guessed') },
      { password: new TextEncoder().encode('correct horse') },
      { opened: 'o1' },
    ])
  })
})

describe('the way to the page', { tags: 'long' }, () => {
  it('leads from files that were found: they are chosen already', async () => {
    const page = await windows.window({ history: true })
    await page.keyboard.press('Control+6')
    await page.getByRole('searchbox', { name: 'Find archives, discs, files' }).fill('IMG*.CR2')
    await page.keyboard.press('Enter')
    await button(page, 'Restore these…').click()
    await page.getByRole('heading', { name: 'Restore', level: 1 }).waitFor()
    await tree(page).waitFor()
    const asked = (await callsOf(page, 'restore.needs')) as { chosen: RestoreRequest['chosen'] }[]
    expect(asked.map(({ chosen }) => chosen)).toEqual([
      { paths: [expect.stringMatching(/_0\.CR2$/), expect.any(String)], except: [] },
    ])
  })

  it('asks which set once the person wants another one than the only one that is known', async () => {
    const page = await windows.window({ history: true })
    await openedSet(page)
    await button(page, 'Choose another set…').click()
    await page.getByText('Restore from which set?').waitFor()
    await page.getByRole('button', { name: /^Restore Photos/ }).click()
    await check(page, '2003').waitFor()
  })

  it('leaves the question which set where the catalog knows none', async () => {
    const page = await windows.window()
    await page.keyboard.press('Control+7')
    await page.getByText('Restore from which set?').waitFor()
    expect(await focused(page)).toBe('Restore')
    await button(page, 'Add discs or a plan folder…').click()
    await tree(page).waitFor()
  })
})
