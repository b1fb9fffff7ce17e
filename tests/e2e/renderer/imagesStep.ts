import type { Page } from 'playwright-core'
import type { Scenario } from '../../fixtures/fakeEngine/scenario'
import type { Look, Windows } from './windowUnderTest'

/** The one password that the fake's images open with. */
export const PASSWORD = 'open sesame, please do'

export async function imagesStep(
  windows: Windows,
  scenario: Scenario = {},
  look: Look = { width: 1280, height: 800 },
): Promise<Page> {
  const page = await windows.window(scenario, look)
  await page.keyboard.press('Control+9')
  await page.getByRole('heading', { name: 'Images', level: 1 }).waitFor()
  return page
}

export const pick = (page: Page, name: string) => page.getByText(name, { exact: true }).first().click()
export const field = (page: Page, name: string) => page.getByLabel(name, { exact: true })
