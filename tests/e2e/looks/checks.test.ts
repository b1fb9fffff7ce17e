import { describe, expect, it } from 'vitest'
import { VOLUMES } from '../renderer/checkedVolumes'
import { button } from '../renderer/controls'
import { textFaults } from '../renderer/textFaults'
import { finish, picture, windowsForTests } from '../renderer/windowUnderTest'

const windows = windowsForTests()

describe('verified discs in the catalog', () => {
  it.each([
    ['1440×900', { width: 1440, height: 900 }],
    ['1440×900 dark', { width: 1440, height: 900, dark: true }],
    ['900×600', { width: 900, height: 600 }],
    ['900×600 dark', { width: 900, height: 600, dark: true }],
  ] as const)('cut and cover no text at %s', async (size, look) => {
    const page = await windows.window({ history: true, checksDue: VOLUMES }, look)
    await page.keyboard.press('Control+6')
    await button(page, 'Verify a disc or image…').click()
    await button(page, 'Choose images…').click()
    await finish(page)
    await page.getByText('1 file is damaged.').waitFor()
    await picture(page, `checks-${size.replace(/\W+/g, '-')}`)
    expect(await textFaults(page)).toEqual([])
    await button(page, 'Close').click()
    await picture(page, `checks-due-${size.replace(/\W+/g, '-')}`)
  })
})
