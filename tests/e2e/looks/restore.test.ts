import { describe, it } from 'vitest'
import { button } from '../renderer/controls'
import { LOOKS, see } from '../renderer/everyLook'
import { check, openedImages, openedSet, search, takes } from '../renderer/restorePanel'
import { finish, windowsForTests } from '../renderer/windowUnderTest'

const windows = windowsForTests()

describe.each(LOOKS)('restoring in %s', (name, look) => {
  it('cuts and covers no text, from the question which set to the result', async () => {
    const page = await windows.window({ history: true }, look)
    await openedSet(page)
    await see(page, `restore-${name}-open`)
    await check(page, '2005').click()
    await button(page, 'Open 2003').click()
    await check(page, 'Iceland').click()
    await takes(page, /^5 folders, 160 files/)
    await see(page, `restore-${name}-chosen`)
    await search(page).fill('lofoten')
    await page.getByText('14 folders and files match', { exact: false }).waitFor()
    await see(page, `restore-${name}-found`)
    await search(page).fill('')
    await button(page, 'Restore…').click()
    await finish(page)
    await button(page, 'Show in folder').waitFor()
    await see(page, `restore-${name}-done`)
  })

  it('cuts and covers no text where discs are missing', async () => {
    const page = await windows.window({}, look)
    await page.keyboard.press('Control+7')
    await page.getByText('Restore from which set?').waitFor()
    await see(page, `restore-${name}-which`)
    await openedImages(page)
    await check(page, '2003').click()
    await check(page, '2015').click()
    await takes(page, /from PHOTOS_01 and PHOTOS_07/)
    await see(page, `restore-${name}-missing`)
  })
})
