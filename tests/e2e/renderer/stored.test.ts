import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { SurveyRequest, WalkRequest } from '../../../src/contract/dto/survey'
import type { Scenario } from '../../fixtures/fakeEngine/scenario'
import { button } from './controls'
import { keep, ONE, panel, rowOf, tree } from './keptPanel'
import { finish, windowsForTests } from './windowUnderTest'

const windows = windowsForTests()

const TITLE = 'Already on verified volumes'
const COPIES = 'Folders that are copies'
const region = (page: Page, name: string) => page.getByRole('region', { name })
const row = (page: Page, table: string, name: string) =>
  page
    .getByRole('grid', { name: table })
    .getByRole('row')
    .filter({ has: page.getByText(`/${name}`, { exact: true }) })

async function surveyed(scenario: Scenario): Promise<Page> {
  const page = await windows.window({ ...ONE, ...scenario })
  await button(page, 'Start survey').click()
  await finish(page)
  await page.getByText('files read in').waitFor()
  return page
}

describe('what is on verified volumes', () => {
  it('is shown by folder, with the labels of the volumes', { tags: 'long' }, async () => {
    const page = await surveyed({ stored: { folders: 3 } })
    await region(page, TITLE)
      .getByText('6,600 files (55.0 GB of 100 GB) are on PHOTOS_01 to PHOTOS_03.')
      .waitFor()
    await row(page, TITLE, '2019').getByText('all', { exact: true }).waitFor()
    await row(page, TITLE, '2020').getByText('none', { exact: true }).waitFor()
    expect(await region(page, COPIES).count()).toBe(0)
  })

  it('says which files were recognised by time only', { tags: 'long' }, async () => {
    const page = await surveyed({ stored: { folders: 3, byTime: true } })
    await region(page, TITLE)
      .getByText('6,600 of them have no SHA-256 and were recognised by name, size and time only.')
      .waitFor()
    await page.getByRole('columnheader', { name: 'By time only' }).waitFor()
  })

  it('is one line where nothing is, and nothing without a verified volume', { tags: 'long' }, async () => {
    const page = await surveyed({ stored: { folders: 0 } })
    await region(page, TITLE).getByText('Nothing of this source is on a verified volume yet.').waitFor()
    expect(await region(page, TITLE).getByRole('grid').count()).toBe(0)

    const without = await surveyed({})
    await region(without, 'Contents').waitFor()
    await without.waitForFunction(() => window.fake.callsOf('survey.kept').length === 1)
    expect(await region(without, TITLE).count()).toBe(0)
  })

  it('leaves a folder out of the next survey, and takes it back', { tags: 'long' }, async () => {
    const page = await surveyed({ stored: { folders: 3 } })
    await row(page, TITLE, '2019').click()
    await region(page, TITLE).getByRole('button', { name: 'Leave this folder out' }).click()
    await region(page, TITLE).getByText('The next survey leaves it out by the rule /2019/.').waitFor()
    await page
      .getByText('These figures are for the rules before. Start the survey again to use the new ones.')
      .waitFor()
    await button(page, 'Start survey').click()
    const requests = (await page.evaluate(() => window.fake.callsOf('survey.start'))) as SurveyRequest[]
    expect(requests.at(-1)?.rules?.patterns).toEqual(['/2019/'])
    await finish(page)
    await row(page, TITLE, '2019').click()
    await region(page, TITLE).getByRole('button', { name: 'Keep' }).click()
    await region(page, TITLE).getByRole('button', { name: 'Leave this folder out' }).waitFor()
    await page.waitForFunction(() => {
      const walks = window.fake.callsOf('survey.walk') as WalkRequest[]
      return walks.at(-1)?.rules?.patterns.length === 0
    })
  })

  it('is worked with by the keyboard', async () => {
    const page = await surveyed({ stored: { folders: 3 } })
    await page.getByRole('grid', { name: TITLE }).focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await region(page, TITLE).getByRole('button', { name: 'Leave this folder out' }).waitFor()
    const action = region(page, TITLE).getByRole('button', { name: 'Leave this folder out' })
    // The heads of the columns sort, and are on the way.
    for (let presses = 0; presses < 6; presses++) await page.keyboard.press('Tab')
    expect(await action.evaluate((element) => element === document.activeElement)).toBe(true)
    await page.keyboard.press('Enter')
    await region(page, TITLE).getByText('The next survey leaves it out by the rule /2019/.').waitFor()
  })

  it('cannot be left out where the folder is a source itself', { tags: 'long' }, async () => {
    const page = await surveyed({ stored: { folders: 3 } })
    await page.getByRole('grid', { name: TITLE }).getByRole('row').nth(1).click()
    await region(page, TITLE).getByRole('button', { name: 'Show in folder' }).waitFor()
    expect(await region(page, TITLE).getByRole('button', { name: 'Leave this folder out' }).count()).toBe(0)
  })

  it('is in the tree of the Source step once a survey knows', { tags: 'long' }, async () => {
    const page = await windows.window({ ...ONE, stored: { folders: 3 } })
    await keep(page, '2019').waitFor()
    expect(await tree(page).getByRole('columnheader', { name: 'Verified' }).count()).toBe(0)
    await button(page, 'Start survey').click()
    await finish(page)
    await page.getByText('files read in').waitFor()
    await page.keyboard.press('Control+1')
    await panel(page)
      .getByText(/^55.0 GB of them are on verified volumes, by the survey of /)
      .waitFor()
    await rowOf(page, '2019').getByText('all', { exact: true }).waitFor()
    await rowOf(page, '2020').getByText('none', { exact: true }).waitFor()
    await rowOf(page, 'Exports').getByText('50.0 %', { exact: true }).waitFor()
  })
})

describe('folders that are copies', { tags: 'long' }, () => {
  it('name the folder that they are a copy of, and can be left out', async () => {
    const page = await surveyed({ stored: { folders: 3, copies: 2 } })
    await region(page, COPIES).getByText('2 folders (2.40 GB) are whole copies of another folder.').waitFor()
    const copy = row(page, COPIES, 'Job 000001')
    await copy.getByText('/Summer at the lake, before the storm 1').waitFor()
    await copy.click()
    await region(page, COPIES).getByRole('button', { name: 'Leave this folder out' }).click()
    await region(page, COPIES)
      .getByText('The next survey leaves it out by the rule /Exports/Job 000001/.')
      .waitFor()
  })

  it('are counted where not all are listed', async () => {
    const page = await surveyed({ stored: { folders: 3, copies: 6000 } })
    await region(page, COPIES)
      .getByText(/^6,000 folders are whole copies of another folder\. The 5,000 largest \(/)
      .waitFor()
  })
})
