import type { Locator, Page } from 'playwright-core'

// Parts of the window by their roles and whole names.

export const button = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('button', { name, exact: true })
export const radio = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('radio', { name, exact: true })
export const region = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true })
export const card = (page: Page, name: string): Locator => page.getByRole('article', { name, exact: true })

/** The parameters of all calls that the window made on a channel. */
export const callsOf = (page: Page, channel: string): Promise<unknown[]> =>
  page.evaluate((name) => window.fake.callsOf(name), channel)

/** Exports the lists and scripts of the shown plan alone, without building it. */
export async function exportLists(page: Page): Promise<void> {
  await button(page, 'More').click()
  await page.getByRole('menuitem', { name: 'Export lists and scripts…', exact: true }).click()
}
