import type { Page } from 'playwright-core'
import type { Scenario } from '../../fixtures/fakeEngine/scenario'
import { buildSurvey, PHOTOGRAPHS } from '../../fixtures/fakeEngine/surveys'
import { finish, type Look, type Windows } from './windowUnderTest'

/** The survey that the window is given. */
export const SURVEY = buildSurvey(PHOTOGRAPHS)

export const counted = (count: number): string => count.toLocaleString('en')

export async function reading(windows: Windows, scenario: Scenario = {}, look: Look = {}): Promise<Page> {
  const page = await windows.window(scenario, look)
  await page.getByRole('button', { name: 'Choose folders…' }).click()
  await page.getByRole('button', { name: 'Start survey', exact: true }).click()
  await page.getByRole('heading', { name: 'Survey', level: 1 }).waitFor()
  return page
}

export async function surveyed(windows: Windows, scenario: Scenario = {}, look: Look = {}): Promise<Page> {
  const page = await reading(windows, scenario, look)
  await finish(page)
  await page.getByText('files read in').waitFor()
  return page
}

/** Unfolds a line of the page, such as *Analysis*. */
export async function unfold(page: Page, line: string): Promise<void> {
  await page.locator('summary').filter({ hasText: line }).click()
}

/** A finished survey with its second layer unfolded. */
export async function analysed(windows: Windows, scenario: Scenario = {}, look: Look = {}): Promise<Page> {
  const page = await surveyed(windows, scenario, look)
  await unfold(page, 'Analysis')
  await page.getByRole('region', { name: 'Types', exact: true }).waitFor()
  return page
}
