import { describe, expect, it } from 'vitest'
import { button } from '../renderer/controls'
import { opened } from '../renderer/restorePanel'
import { textFaults } from '../renderer/textFaults'
import { finish, picture, windowsForTests } from '../renderer/windowUnderTest'

const windows = windowsForTests()

describe('restoring files in the window', () => {
  it.each([
    ['1440×900', { width: 1440, height: 900 }],
    ['900×600 dark', { width: 900, height: 600, dark: true }],
    ['200 %', { width: 720, height: 450 }],
  ] as const)('cuts and covers no text at %s', async (size, look) => {
    const page = await windows.window({}, look)
    await opened(page)
    await button(page, 'Add images…').click()
    await button(page, 'Choose a folder…').click()
    await button(page, 'Restore').click()
    await finish(page)
    await button(page, 'Show the folder').waitFor()
    expect(await textFaults(page)).toEqual([])
    await picture(page, `restore-${size.replace(/\W+/g, '-')}`)
  })
})
