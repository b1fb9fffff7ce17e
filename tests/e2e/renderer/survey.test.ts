import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
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

async function reading(scenario: Scenario = {}, look: Look = {}): Promise<Page> {
  const page = await windows.window(scenario, look)
  await page.getByRole('button', { name: 'Choose folders…' }).click()
  await page.getByRole('button', { name: 'Read once' }).click()
  await page.getByRole('heading', { name: 'Survey', level: 1 }).waitFor()
  return page
}

async function surveyed(scenario: Scenario = {}, look: Look = {}): Promise<Page> {
  const page = await reading(scenario, look)
  await finish(page)
  await page.getByText('files read in').waitFor()
  return page
}

const LOOKS = [
  ['light-1440', { width: 1440, height: 900 }],
  ['dark-1440', { width: 1440, height: 900, dark: true }],
  ['light-1000', { width: 1000, height: 700 }],
  ['dark-1000', { width: 1000, height: 700, dark: true }],
  ['light-900', { width: 900, height: 600 }],
  ['dark-900', { width: 900, height: 600, dark: true }],
  ['forced-1440', { width: 1440, height: 900, forced: true }],
] as const

describe('the pictures of the survey', () => {
  it.each(LOOKS)('stand in every look (%s)', async (name, look) => {
    const page = await surveyed({ survey: { sketched: true, skipped: 7 } }, look)
    await page.getByRole('grid', { name: 'Duplicate files' }).waitFor()
    for (const part of ['What is in it', 'Repeats by block size', 'Codecs', 'Duplicate files']) {
      await page.getByRole('region', { name: part }).evaluate((region) => region.scrollIntoView())
      await picture(page, `survey-${name}-${part.toLowerCase().replaceAll(' ', '-')}`)
    }
  })
})
