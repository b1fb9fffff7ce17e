import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { DRIVES } from '../../fixtures/fakeEngine/drives'
import { advance, finish, type Look, picture, WindowsUnderTest } from './windowUnderTest'

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

const FOLDERS = [{ path: '/media/photos/Photos 2003–2024', kind: 'folder', name: 'Photos' }] as const

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const radio = (page: Page, name: RegExp) => page.getByRole('radio', { name })
const callsOf = (page: Page, channel: string) => page.evaluate((name) => window.fake.callsOf(name), channel)

/** The Build step with a set that is built and verified. */
async function verified(look: Look = {}): Promise<Page> {
  const page = await windows.window({ sources: FOLDERS, surveyAtOnce: true, drives: DRIVES }, look)
  await page.getByRole('heading', { name: 'Survey', level: 1 }).waitFor()
  await finish(page)
  await page.getByRole('button', { name: /^Survey, done/ }).waitFor()
  await page.keyboard.press('Control+5')
  await button(page, 'Make the plan').click()
  await finish(page)
  await page.getByRole('listbox').waitFor()
  await button(page, 'Export…').click()
  await page.waitForFunction(() => window.fake.callsOf('plan.export').length === 1)
  await finish(page)
  await button(page, 'Build it').click()
  await page.getByRole('heading', { name: 'Build', level: 1 }).waitFor()
  await button(page, 'Build all').click()
  await page.waitForFunction(() => window.fake.callsOf('run.build').length === 1)
  await finish(page)
  await button(page, 'Verify').click()
  await page.waitForFunction(() => window.fake.callsOf('run.verify').length === 1)
  await finish(page)
  await button(page, 'Burn or copy…').waitFor()
  return page
}

const LOOKS = [
  ['light-1440', { width: 1440, height: 900 }],
  ['dark-900', { width: 900, height: 600, dark: true }],
] as const

describe('writing a set to discs', () => {
  it.each(LOOKS)(
    'asks for the drive, then for each disc, and shows what was written (%s)',
    async (name, look) => {
      const page = await verified(look)
      await button(page, 'Burn or copy…').click()
      await radio(page, /^\/dev\/sr0/).waitFor()
      const burn = button(page, 'Burn 9 discs')
      expect(await burn.isDisabled()).toBe(true)
      await radio(page, /^\/dev\/sr0/).press('Space')
      await picture(page, `write-${name}-1-where`)
      await burn.click()
      await page.waitForFunction(() => window.fake.callsOf('run.write').length === 1)
      expect(await callsOf(page, 'run.write')).toMatchObject([
        { volumes: [], drive: '/dev/sr0', onTheFly: false, verify: true, again: false },
      ])
      await advance(page, 0.3)
      await page.getByText(/^60(\.0)? % full$/).waitFor()
      await button(page, 'Pause after this disc').click()
      await page.getByText('Pausing after this disc').waitFor()
      await picture(page, `write-${name}-2-burning`)
      await button(page, 'Do not pause').click()
      await button(page, 'Pause after this disc').waitFor()
      expect(await callsOf(page, 'job.resume')).toHaveLength(1)
      await page.evaluate(() =>
        window.fake.askForDisc(2, 'the disc in /dev/sr0 is not blank: a BD-R with 3,072 sectors'),
      )
      await page.getByRole('alertdialog').getByText('is not blank', { exact: false }).waitFor()
      await picture(page, `write-${name}-3-next-disc`)
      await page.keyboard.press('Enter')
      await page.getByRole('alertdialog').waitFor({ state: 'detached' })
      expect(await callsOf(page, 'job.proceed')).toHaveLength(1)
      await finish(page)
      await page.getByText('Written, and read back from the disc.').waitFor()
      await page.getByText('Written', { exact: true }).waitFor()
      await picture(page, `write-${name}-4-written`)
    },
  )

  it('burns with two drives at the same time, each in its own row', async () => {
    const page = await verified()
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

  it('copies to a folder without a drive, and a file stands in for a disc', async () => {
    const page = await verified()
    await button(page, 'Burn or copy…').click()
    await radio(page, /^A file in place of a disc/).press('Space')
    await page.getByText('/media/backup/disc.iso', { exact: false }).first().waitFor()
    await radio(page, /^A folder or mounted disk/).press('Space')
    await button(page, 'Copy 9 volumes').click()
    await page.waitForFunction(() => window.fake.callsOf('run.write').length === 1)
    expect(await callsOf(page, 'run.write')).toMatchObject([
      { folder: '/media/backup/Photos plan', onTheFly: false },
    ])
    await finish(page)
  })
})
