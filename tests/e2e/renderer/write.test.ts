import { describe, expect, it } from 'vitest'
import { button, callsOf, radio } from './controls'
import { advance, finish, picture, windowsForTests } from './windowUnderTest'
import { asksForDrivesAndDiscs, verified } from './writtenSet'

const windows = windowsForTests()

describe('writing a set to discs', () => {
  it('asks for the drive, then for each disc, and shows what was written (light-1440)', async () => {
    await asksForDrivesAndDiscs(windows, 'light-1440', { width: 1440, height: 900 })
  })

  it('burns with two drives at the same time, each in its own row', { tags: 'long' }, async () => {
    const page = await verified(windows)
    await button(page, 'Burn or copy…').click()
    await radio(page, /^\/dev\/sr0/).press('Space')
    await page.getByRole('checkbox', { name: /^\/dev\/sr1/ }).press('Space')
    await picture(page, 'write-two-1-where')
    await button(page, 'Burn 9 discs').click()
    await page.waitForFunction(() => window.fake.callsOf('run.write').length === 2)
    const calls = await callsOf(page, 'run.write')
    expect(calls).toMatchObject([{ drive: '/dev/sr0' }, { drive: '/dev/sr1' }])
    await advance(page, 0.3)
    await expect.poll(() => page.getByRole('region', { name: 'From source to set' }).count()).toBe(2)
    await page.evaluate(() => window.fake.askForDisc(2))
    await page.getByRole('alertdialog').waitFor()
    await picture(page, 'write-two-2-burning')
    await page.keyboard.press('Enter')
    await finish(page)
    await finish(page)
  })

  it('offers no drive on Windows, but names the batch file that burns there', { tags: 'long' }, async () => {
    const page = await verified(windows)
    await page.evaluate(() => Object.defineProperty(navigator, 'platform', { get: () => 'Win32' }))
    await button(page, 'Burn or copy…').click()
    await page.getByText('burn-windows.cmd D: 1', { exact: false }).waitFor()
    expect(await radio(page, /^\/dev\/sr/).count()).toBe(0)
    await radio(page, /^A folder or mounted disk/).waitFor()
  })

  it('copies to a folder without a drive, and a file stands in for a disc', { tags: 'long' }, async () => {
    const page = await verified(windows)
    await button(page, 'Burn or copy…').click()
    await radio(page, /^A file in place of a disc/).press('Space')
    await page.getByText('/media/backup/disc.iso', { exact: false }).first().waitFor()
    await radio(page, /^A folder or mounted disk/).press('Space')
    const copy = page.getByRole('textbox', { name: 'Copy' })
    await copy.fill('0')
    expect(await button(page, 'Copy 9 volumes').isDisabled()).toBe(true)
    await copy.fill('2')
    await page.getByRole('textbox', { name: 'Kept at' }).fill(' parents’ house ')
    await button(page, 'Copy 9 volumes').click()
    await page.waitForFunction(() => window.fake.callsOf('run.write').length === 1)
    expect(await callsOf(page, 'run.write')).toMatchObject([
      { folder: '/media/backup/Photos plan', onTheFly: false, copy: 2, place: 'parents’ house' },
    ])
    await finish(page)
  })

  it('offers the copy that comes next, without the folder and the place of the one before', {
    tags: 'long',
  }, async () => {
    const page = await verified(windows)
    const copy = page.getByRole('textbox', { name: 'Copy' })
    const place = page.getByRole('textbox', { name: 'Kept at' })
    const folder = radio(page, /^A folder or mounted disk/)
    const writes = async (name: string): Promise<void> => {
      await button(page, name).click()
      await copy.waitFor({ state: 'detached' })
      await finish(page)
      await button(page, 'Burn or copy…').click()
    }
    await page.getByRole('checkbox', { name: /_01$/ }).press('Space')
    await button(page, 'Burn or copy…').click()
    expect(await copy.inputValue()).toBe('1')
    await folder.press('Space')
    await place.fill('home')
    await writes('Copy 1 volume')
    // The picked disc has its first copy.
    expect(await copy.inputValue()).toBe('2')
    expect(await folder.isChecked()).toBe(false)
    expect(await place.inputValue()).toBe('')
    expect(await button(page, 'Copy 1 volume').count()).toBe(0)
    await button(page, 'Close').click()
    await page.getByRole('checkbox', { name: /_01$/ }).press('Space')
    await button(page, 'Burn or copy…').click()
    // The others do not.
    expect(await copy.inputValue()).toBe('1')
    await folder.press('Space')
    // What is typed stays where the drives are looked for again.
    await copy.fill('3')
    await button(page, 'Look again').click()
    expect(await copy.inputValue()).toBe('3')
    await copy.fill('1')
    await writes('Copy 9 volumes')
    expect(await copy.inputValue()).toBe('2')
    expect(await callsOf(page, 'run.write')).toMatchObject([
      { volumes: [1], copy: 1, place: 'home' },
      { volumes: [], copy: 1, place: null },
    ])
  })
})
