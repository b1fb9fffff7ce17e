import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { DRIVES } from '../../fixtures/fakeEngine/drives'
import type { Scenario } from '../../fixtures/fakeEngine/scenario'
import { FOLDERS } from './chooseStep'
import { button, callsOf, exportLists, radio } from './controls'
import { advance, finish, type Look, picture, type Windows } from './windowUnderTest'

/** The Build step with a set that is exported and not built. */
export async function exported(windows: Windows, look: Look = {}, more: Scenario = {}): Promise<Page> {
  const page = await windows.window({ sources: FOLDERS, surveyAtOnce: true, drives: DRIVES, ...more }, look)
  await page.getByRole('heading', { name: 'Survey', level: 1 }).waitFor()
  await finish(page)
  await page.getByRole('button', { name: /^Survey, done/ }).waitFor()
  await page.keyboard.press('Control+4')
  await button(page, 'Make the plan').click()
  await finish(page)
  await page.getByRole('listbox').waitFor()
  await exportLists(page)
  await page.waitForFunction(() => window.fake.callsOf('plan.export').length === 1)
  await finish(page)
  await button(page, 'Build it').click()
  await page.getByRole('heading', { name: 'Build', level: 1 }).waitFor()
  return page
}

/** The Build step with a set that is built and verified. */
export async function verified(windows: Windows, look: Look = {}, more: Scenario = {}): Promise<Page> {
  const page = await exported(windows, look, more)
  await button(page, 'Build all').click()
  await page.waitForFunction(() => window.fake.callsOf('run.build').length === 1)
  await finish(page)
  await button(page, 'Verify').click()
  await page.waitForFunction(() => window.fake.callsOf('run.verify').length === 1)
  await finish(page)
  await button(page, 'Burn or copy…').waitFor()
  return page
}

/** A set is burned: the drive is asked for, then each disc, and what was written is shown. */
export async function asksForDrivesAndDiscs(windows: Windows, name: string, look: Look): Promise<void> {
  const page = await verified(windows, look)
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
}
