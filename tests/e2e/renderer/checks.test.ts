import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { volumeDue } from '../../fixtures/fakeEngine/fakeChecks'
import { textFaults } from './textFaults'
import { finish, picture, WindowsUnderTest } from './windowUnderTest'

let windows: WindowsUnderTest

beforeAll(async () => {
  windows = await WindowsUnderTest.open()
})
afterEach(async () => {
  expect(await windows.endTest()).toEqual([])
})
afterAll(async () => {
  await windows.close()
})

const now = Date.now()
/** A damaged disc, one that was never verified, one whose time has come, and one that is not due. */
const VOLUMES = [
  volumeDue('PHOTOS_02', 2, now, { checkedDays: 20, dueDays: -20, damaged: 3 }),
  volumeDue('PHOTOS_03', 3, now, { checkedDays: null, dueDays: -3 }),
  volumeDue('FAMILY_01', 1, now, { checkedDays: 366, dueDays: -1 }),
  volumeDue('PHOTOS_01', 1, now, { checkedDays: 20, dueDays: 345 }),
]

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

describe('verified discs in the catalog', () => {
  it('that should be checked again come first, and all are listed with their dates', async () => {
    const page = await windows.window({ history: true, checksDue: VOLUMES })
    await page.keyboard.press('Control+7')
    const due = region(page, 'Checks due')
    await due.waitFor()
    expect(await due.getByRole('row').count()).toBe(1 + 3)
    expect(await due.getByText('never verified').count()).toBe(1)
    expect(await due.getByText(/^damaged \d/).count()).toBe(1)
    expect(await due.getByText('now').count()).toBe(2)
    expect(await region(page, 'Discs and images').getByRole('row').count()).toBe(1 + 4)
  })

  it('say nothing where nothing was built or checked', async () => {
    const page = await windows.window({ history: true })
    await page.keyboard.press('Control+7')
    await region(page, 'Plans').waitFor()
    expect(await region(page, 'Checks due').count()).toBe(0)
    expect(await region(page, 'Discs and images').count()).toBe(0)
  })

  it('are verified from images that are chosen, and damaged files are named with their sectors', async () => {
    const page = await windows.window({ history: true })
    await page.keyboard.press('Control+7')
    await button(page, 'Verify a disc or image…').click()
    await button(page, 'Choose images…').click()
    const [request] = await page.evaluate(() => window.fake.callsOf('check.start'))
    expect(request).toMatchObject({ volumes: ['/media/discs/01.iso', '/media/discs/02.iso'] })
    await page.getByText('Checking').first().waitFor()
    await finish(page)
    const panel = region(page, 'Verify a disc or image')
    await panel.getByText('1 file is damaged.').waitFor()
    await panel.getByText('2019/Iceland/IMG_2041.cr2', { exact: false }).waitFor()
    await panel.getByText('sectors 120,400–120,401', { exact: false }).waitFor()
    await panel.getByText('All 1,204 files are good', { exact: false }).waitFor()
    await panel.getByText('Not verified, of the same set: FAMILY_01.').waitFor()
    await button(page, 'Close').click()
    expect(await panel.count()).toBe(0)
  })

  it.each([
    ['1440×900', { width: 1440, height: 900 }],
    ['1440×900 dark', { width: 1440, height: 900, dark: true }],
    ['900×600', { width: 900, height: 600 }],
    ['900×600 dark', { width: 900, height: 600, dark: true }],
  ] as const)('cut and cover no text at %s', async (size, look) => {
    const page = await windows.window({ history: true, checksDue: VOLUMES }, look)
    await page.keyboard.press('Control+7')
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
