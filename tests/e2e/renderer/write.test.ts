import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { Scenario } from '../../fixtures/fakeEngine/scenario'
import { button, callsOf, radio, region } from './controls'
import { advance, finish, picture, windowsForTests } from './windowUnderTest'
import { asksForDrivesAndDiscs, verified } from './writtenSet'

const windows = windowsForTests()

const SHELF = '/media/shelf'
const BANK = '/media/bank'

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
    await button(page, 'Other').click()
    await page.getByRole('menuitem', { name: 'A file in place of a disc…', exact: true }).click()
    await radio(page, /^A file in place of a disc/)
      .and(page.locator(':checked'))
      .waitFor()
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

describe('two copies by one start', () => {
  const folder = (page: Page) => radio(page, /^A folder or mounted disk/)
  const place = (page: Page, label: string) => page.getByRole('textbox', { name: label, exact: true })

  it('are written one after another to two folders that are chosen at once', async () => {
    const page = await verified(windows, {}, { copyFolders: [SHELF, BANK] })
    await button(page, 'Burn or copy…').click()
    await folder(page).press('Space')
    await place(page, 'Kept at').fill('our shelf')
    await place(page, 'Copy 2 kept at').fill(' the bank ')
    await picture(page, 'write-copies-1-both')
    await button(page, 'Write both copies of 9 volumes').press('Enter')
    await page.waitForFunction(() => window.fake.callsOf('run.write').length === 1)
    await page.getByText('Then copy 2 is written to bank, kept at: the bank.').waitFor()
    await picture(page, 'write-copies-2-first')
    await finish(page)
    await page.waitForFunction(() => window.fake.callsOf('run.write').length === 2)
    expect(await page.getByText('Then copy 2', { exact: false }).count()).toBe(0)
    await finish(page)
    await region(page, 'Copy 2 is written').getByText('2 copies of each volume at 2 places').waitFor()
    expect(await callsOf(page, 'run.write')).toMatchObject([
      { folder: SHELF, copy: 1, place: 'our shelf', nextFolder: BANK, nextCopy: 2 },
      { folder: BANK, copy: 2, place: 'the bank', nextFolder: null, again: false },
    ])
    await picture(page, 'write-copies-3-written')
  })

  it('are a drive and a folder too, or one copy where the second one is taken back', async () => {
    const page = await verified(windows)
    await button(page, 'Burn or copy…').click()
    await radio(page, /^\/dev\/sr0/).press('Space')
    await button(page, 'Add copy 2…').press('Enter')
    const second = page.getByRole('radiogroup', { name: 'Then write copy 2 to' })
    await second.getByRole('radio', { name: /^\/dev\/sr0/ }).press('Space')
    await button(page, 'Write both copies of 9 volumes').waitFor()
    await second.getByRole('radio', { name: 'Not now' }).press('Space')
    await button(page, 'Burn 9 discs').waitFor()
    await second.getByRole('radio', { name: /^Another folder/ }).press('Space')
    await button(page, 'Write both copies of 9 volumes').click()
    await page.waitForFunction(() => window.fake.callsOf('run.write').length === 1)
    await finish(page)
    await page.waitForFunction(() => window.fake.callsOf('run.write').length === 2)
    await finish(page)
    expect(await callsOf(page, 'run.write')).toMatchObject([
      { drive: '/dev/sr0', copy: 1 },
      { folder: '/media/backup/Photos plan', copy: 2 },
    ])
  })

  it('are not written to one folder, and what takes both at once is said', async () => {
    const page = await verified(windows, {}, { copyFolders: [SHELF, SHELF] })
    await button(page, 'Burn or copy…').click()
    await folder(page).press('Space')
    await page.getByText('This is the folder of the first copy.', { exact: false }).waitFor()
    expect(await button(page, 'Write both copies of 9 volumes').isDisabled()).toBe(true)
    const other = await verified(windows, {}, { copyFolders: [SHELF, BANK], apart: 'one-disk' })
    await button(other, 'Burn or copy…').click()
    await folder(other).press('Space')
    await other.getByText('Both folders are on one disk: if it fails, both copies are gone.').waitFor()
    await place(other, 'Kept at').fill('Home')
    await place(other, 'Copy 2 kept at').fill('home')
    await other.getByText('Copies 1 and 2 have the same place', { exact: false }).waitFor()
    expect(await button(other, 'Write both copies of 9 volumes').isDisabled()).toBe(false)
    await picture(other, 'write-copies-one-disk')
  })

  it('are at most two', async () => {
    const page = await verified(windows, {}, { copyFolders: [SHELF, BANK, '/media/attic'] })
    await button(page, 'Burn or copy…').click()
    await folder(page).press('Space')
    await page.getByText('At most two folders can be chosen', { exact: false }).waitFor()
    expect(await folder(page).isChecked()).toBe(false)
  })

  it('are one where the first one fails', async () => {
    const more: Scenario = {
      copyFolders: [SHELF, BANK],
      jobFails: { write: { code: 'no-space', message: 'full' } },
    }
    const page = await verified(windows, {}, more)
    await button(page, 'Burn or copy…').click()
    await folder(page).press('Space')
    await button(page, 'Write both copies of 9 volumes').click()
    await page.waitForFunction(() => window.fake.callsOf('run.write').length === 1)
    await finish(page)
    await page.getByText('full', { exact: false }).first().waitFor()
    // The form still has both.
    await button(page, 'Write both copies of 9 volumes').waitFor()
    expect(await callsOf(page, 'run.write')).toHaveLength(1)
  })
})

describe('after a copy was written', () => {
  it('of some volumes, their number is said, and the next copy is that of the others', async () => {
    const page = await verified(windows)
    await page.getByRole('checkbox', { name: /_01$/ }).press('Space')
    await button(page, 'Burn or copy…').click()
    await radio(page, /^A folder or mounted disk/).press('Space')
    await button(page, 'Copy 1 volume').click()
    await page.waitForFunction(() => window.fake.callsOf('run.write').length === 1)
    await finish(page)
    await region(page, 'Copy 1: 1 of 9 volumes is written').waitFor()
    await button(page, 'Write copy 2…').waitFor()
    await page.getByRole('checkbox', { name: /_01$/ }).press('Space')
    await button(page, 'Write copy 1…').waitFor()
  })

  it('its place is asked, the verdict shown and the next copy offered', async () => {
    const page = await verified(windows)
    await button(page, 'Burn or copy…').click()
    await radio(page, /^A folder or mounted disk/).press('Space')
    await button(page, 'Copy 9 volumes').click()
    await page.waitForFunction(() => window.fake.callsOf('run.write').length === 1)
    await finish(page)
    const after = region(page, 'Copy 1 is written')
    await after.getByText('Note where the copies are kept.', { exact: false }).waitFor()
    await picture(page, 'write-after-1-place')
    expect(await page.locator('.primary').allInnerTexts()).toEqual(['Write copy 2…'])
    await after.getByRole('textbox', { name: 'Where is copy 1 kept?' }).fill('home')
    await page.keyboard.press('Enter')
    await after.getByText('The loss of one place may take volumes with it.', { exact: false }).waitFor()
    expect(await after.getByRole('textbox').count()).toBe(0)
    expect(await callsOf(page, 'copies.note')).toHaveLength(9)
    await button(page, 'Labels and case inserts…').click()
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await button(page, 'Write copy 2…').press('Enter')
    expect(await page.getByRole('textbox', { name: 'Copy', exact: true }).inputValue()).toBe('2')
    expect(await after.count()).toBe(0)
  })
})
