import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { OptionsRequest } from '../../../src/contract/dto/options'
import type { Scenario } from '../../fixtures/fakeEngine/scenario'
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

/** The Choose step with the options of a survey that has just ended. */
async function choosing(scenario: Scenario = {}, look: Look = {}): Promise<Page> {
  const page = await windows.window({ sources: FOLDERS, surveyAtOnce: true, ...scenario }, look)
  await page.getByRole('heading', { name: 'Survey', level: 1 }).waitFor()
  await finish(page)
  await page.getByRole('button', { name: /^Survey, done/ }).waitFor()
  await page.keyboard.press('Control+4')
  await page.getByRole('heading', { name: 'Choose', level: 1 }).waitFor()
  return page
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const answer = (page: Page) => page.locator('.answer')
const board = (page: Page) => page.getByRole('group', { name: /^Options by size and / })
const table = (page: Page) => page.getByRole('grid', { name: 'All options' })
const asked = async (page: Page): Promise<OptionsRequest> =>
  (await page.evaluate(() => window.fake.callsOf('options.list'))).at(-1) as OptionsRequest

/** The options of three media, 50 each. */
async function threeMedia(scenario: Scenario = {}, look: Look = {}): Promise<Page> {
  const page = await choosing(scenario, look)
  await page.getByText(/^Of 100 ways: /).waitFor()
  await page.getByText('BD-R DL 50 GB', { exact: true }).click()
  await page.getByText(/^Of 150 ways: /).waitFor()
  return page
}

describe('looks', () => {
  it.each([
    ['light-1440', { width: 1440, height: 900 }],
    ['dark-1440', { width: 1440, height: 900, dark: true }],
    ['light-900', { width: 900, height: 600 }],
    ['dark-900', { width: 900, height: 600, dark: true }],
    ['forced-1440', { forced: true }],
  ] as const)('fits a %s window', async (name, look) => {
    const page = await threeMedia({ options: { advice: true } }, look)
    await picture(page, `choose-${name}-1`)
    expect(await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)).toBe(false)
    for (const at of [500, 1000, 1600]) {
      await page.locator('.page-body').evaluate((body, top) => body.scrollTo(0, top), at)
      await picture(page, `choose-${name}-at-${at}`)
    }
    expect([answer, button, board, table, advance, asked].length).toBe(6)
  })
})
