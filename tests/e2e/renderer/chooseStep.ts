import type { Page } from 'playwright-core'
import type { Scenario } from '../../fixtures/fakeEngine/scenario'
import { radio } from './controls'
import { finish, type Look, type Windows } from './windowUnderTest'

export const FOLDERS = [{ path: '/media/photos/Photos 2003–2024', kind: 'folder', name: 'Photos' }] as const

/** The Choose step with the options of a survey that has just ended: fifty on a disk and fifty on BD-R. */
export async function choosing(windows: Windows, scenario: Scenario = {}, look: Look = {}): Promise<Page> {
  const page = await windows.window({ sources: FOLDERS, surveyAtOnce: true, ...scenario }, look)
  await page.getByRole('heading', { name: 'Survey', level: 1 }).waitFor()
  await finish(page)
  await page.getByRole('button', { name: /^Survey, done/ }).waitFor()
  await page.keyboard.press('Control+4')
  await radio(page, 'All options').click()
  await page.getByText(/^Best of 100: /).waitFor()
  return page
}

export const medium = (page: Page, name: string) =>
  page.getByRole('group', { name: 'Media' }).getByText(name, { exact: true })
