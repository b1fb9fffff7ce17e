import type { Page } from 'playwright-core'
import { type Option, type OptionsDocument, optionsRequestSchema } from '../../../src/contract/dto/options'
import { FakeOptions } from '../../fixtures/fakeEngine/fakeOptions'
import type { Scenario } from '../../fixtures/fakeEngine/scenario'
import { PHOTOGRAPHS } from '../../fixtures/fakeEngine/surveys'
import { radio } from './controls'
import { finish, type Look, type Windows } from './windowUnderTest'

export const FOLDERS = [{ path: '/media/photos/Photos 2003–2024', kind: 'folder', name: 'Photos' }] as const

/** The engine's answer that the window is given, with a disk and BD-R unless other media are given. */
export function listed(request: object = {}): Promise<OptionsDocument> {
  const asked = { surveyId: PHOTOGRAPHS.id, mediumIds: ['disk', 'bd-r-25'], ...request }
  const { list } = new FakeOptions({}, PHOTOGRAPHS).handlers(() => ({ jobId: 'j' }))
  return Promise.resolve(list(optionsRequestSchema.parse(asked)))
}

/** The option that is the best for a request. */
export function bestOf({ options, chosen }: OptionsDocument): Option {
  const best = options.find(({ id }) => id === chosen?.id)
  if (!best) throw new Error('no option meets the limits')
  return best
}

/** The Choose step with the options of a survey that has just ended, on a disk and on BD-R. */
export async function choosing(windows: Windows, scenario: Scenario = {}, look: Look = {}): Promise<Page> {
  const page = await windows.window({ sources: FOLDERS, surveyAtOnce: true, ...scenario }, look)
  await page.getByRole('heading', { name: 'Survey', level: 1 }).waitFor()
  await finish(page)
  await page.getByRole('button', { name: /^Survey, done/ }).waitFor()
  await page.keyboard.press('Control+3')
  await radio(page, 'All options').click()
  await page.getByText(/^Best of \d+: /).waitFor()
  return page
}

/** More than the table of options has. */
const MOST_PAGES = 60

/** Marks an option in the table of all, which draws only what is in view, once the answer is there. */
export async function markInTable(page: Page, name: RegExp): Promise<void> {
  await page.locator('.choose[aria-busy=false]').waitFor()
  const row = page.getByRole('row', { name })
  const table = page.getByRole('grid', { name: 'All options' })
  await table.scrollIntoViewIfNeeded()
  await table.focus()
  for (let pages = 0; pages < MOST_PAGES && (await row.count()) === 0; pages++)
    await page.keyboard.press('PageDown')
  await row.first().click({ position: { x: 80, y: 12 } })
}

/** Adds a medium to those whose options are listed, or takes it away. */
export async function pickMedium(page: Page, name: string): Promise<void> {
  const media = page.getByRole('group', { name: 'Media' })
  const folded = media.locator('details:not([open]) > summary')
  if (await folded.isVisible()) await folded.click()
  await media.locator('label').getByText(name, { exact: true }).click()
}
