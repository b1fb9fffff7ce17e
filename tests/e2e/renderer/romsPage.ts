import type { Page } from 'playwright-core'
import type { Scenario } from '../../fixtures/fakeEngine/scenario'
import { button } from './controls'
import { finish, type Look, type Windows } from './windowUnderTest'

export async function openRoms(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^ROM sets, / }).click()
  await page.getByRole('heading', { name: 'ROM sets', level: 1 }).waitFor()
  // Its label lies over the page of a small window as long as it is hovered.
  await page.mouse.move(0, 0)
}

export async function romsPage(
  windows: Windows,
  scenario: Scenario = {},
  look: Look = { width: 1440, height: 900 },
): Promise<Page> {
  const page = await windows.window(scenario, look)
  await openRoms(page)
  return page
}

/** Folders and DATs of the dialogs. */
export async function addInputs(page: Page): Promise<void> {
  await button(page, 'Add folders…').click()
  await button(page, 'Add DATs…').click()
  await button(page, 'Remove Nintendo - Game Boy (20261101).dat').waitFor()
}

export async function startComparing(page: Page): Promise<void> {
  await addInputs(page)
  await button(page, 'Compare').click()
  await page.waitForFunction(() => window.fake.callsOf('roms.compare').length === 1)
}

export async function compared(page: Page): Promise<void> {
  await startComparing(page)
  await finish(page)
  await sets(page).waitFor()
}

export const sets = (page: Page) => page.getByRole('treegrid', { name: /ROM sets?$/ })
export const setRow = (page: Page, name: string) =>
  sets(page).getByRole('row').filter({ hasText: name }).first()
