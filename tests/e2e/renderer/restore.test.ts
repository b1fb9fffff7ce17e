import { describe, expect, it } from 'vitest'
import { button } from './controls'
import { opened } from './restorePanel'
import { finish, windowsForTests } from './windowUnderTest'

const windows = windowsForTests()

describe('restoring files in the window', () => {
  it('starts with the volumes, the folder and the patterns that were chosen', async () => {
    const page = await windows.window()
    await opened(page)
    expect(await button(page, 'Restore').isDisabled()).toBe(true)
    await button(page, 'Add images…').click()
    await button(page, 'Add discs or folders…').click()
    await button(page, 'Remove 02.iso').click()
    await button(page, 'Choose a folder…').click()
    await page.getByRole('textbox', { name: /^Only these files/ }).fill('2019/Iceland\n\n*.cr2 ')
    await button(page, 'Restore').click()
    const [request] = await page.evaluate(() => window.fake.callsOf('restore.start'))
    expect(request).toMatchObject({
      volumes: ['/media/discs/01.iso', '/media/PHOTOS_01'],
      files: ['2019/Iceland', '*.cr2'],
      force: false,
    })
    await page.getByText('Restoring').first().waitFor()
    expect(await button(page, 'Restore').isDisabled()).toBe(true)
    await finish(page)
    await page.getByText('1,200 files restored and checked in', { exact: false }).waitFor()
    await page.getByText('4 files were already there', { exact: false }).waitFor()
    await page.getByText(/^31 files and folders of other users now belong to you/).waitFor()
    const names =
      '12 names were changed, as the disk cannot hold them: RESTORED-NAMES.tsv in the folder lists them.'
    await page.getByText(names).waitFor()
    const links =
      '1 symbolic link was left out, as the disk cannot hold links: RESTORED-NAMES.tsv in the folder lists it.'
    await page.getByText(links).waitFor()
    const notes = page.getByRole('list', { name: 'Notes' })
    await notes
      .getByText(/lies inside \/media, so the next survey of that counts the restored files\.$/)
      .waitFor()
    const left = page.getByRole('list', { name: 'Attributes that the folder cannot hold' })
    expect(await left.getByRole('listitem').allTextContents()).toEqual([
      'cannot set the extended attribute user.rating of 2019/Iceland/geyser.cr2: the target does not keep it',
    ])
  })

  it('is offered for a plan that was exported', async () => {
    const page = await windows.window({ history: true })
    await page.keyboard.press('Control+7')
    const offers = page.getByRole('button', { name: /^Restore .+, \d/ })
    await offers.first().click()
    await page.getByRole('list', { name: 'Restore from' }).waitFor()
    expect(await page.getByRole('list', { name: 'Restore from' }).getByRole('listitem').count()).toBe(1)
    // It is asked for at the end of a long page: what is to be chosen next has the focus, and so is in view.
    const next = () => page.evaluate(() => document.activeElement?.textContent)
    expect(await next()).toBe('Choose a folder…')
    await offers.last().click()
    expect(await next()).toBe('Choose a folder…')
  })
})
