import { describe, expect, it } from 'vitest'
import { VOLUMES } from './checkedVolumes'
import { button, region } from './controls'
import { finish, windowsForTests } from './windowUnderTest'

const windows = windowsForTests()

describe('verified discs in the catalog', () => {
  it('that should be checked again come first, and all are listed with their dates', {
    tags: 'long',
  }, async () => {
    const page = await windows.window({ history: true, checksDue: VOLUMES })
    await page.keyboard.press('Control+6')
    const due = region(page, 'Checks due')
    await due.waitFor()
    expect(await due.getByRole('row').count()).toBe(1 + 3)
    expect(await due.getByText('never verified').count()).toBe(1)
    expect(await due.getByText(/^damaged \d/).count()).toBe(1)
    expect(await due.getByText('now').count()).toBe(2)
    expect(await region(page, 'Discs and images').getByRole('row').count()).toBe(1 + 4)
  })

  it('say nothing where nothing was built or checked', { tags: 'long' }, async () => {
    const page = await windows.window({ history: true })
    await page.keyboard.press('Control+6')
    await region(page, 'Plans').waitFor()
    expect(await region(page, 'Checks due').count()).toBe(0)
    expect(await region(page, 'Discs and images').count()).toBe(0)
  })

  it('are verified from images that are chosen, and damaged files are named with their sectors', async () => {
    const page = await windows.window({ history: true })
    await page.keyboard.press('Control+6')
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
})
