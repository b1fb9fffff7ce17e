import type { Page } from 'playwright-core'
import { button } from './controls'

/** The page with two of seven discs of a set, given as images. */
export async function openedImages(page: Page): Promise<void> {
  await page.keyboard.press('Control+7')
  await button(page, 'Add images…').click()
  await tree(page).waitFor()
}

/** The page with the only set that the catalog knows. */
export async function openedSet(page: Page): Promise<void> {
  await page.keyboard.press('Control+7')
  await check(page, '2003').waitFor()
}

export const tree = (page: Page) => page.getByRole('treegrid', { name: 'Files of the set' })
export const check = (page: Page, name: string) =>
  page.getByRole('checkbox', { name: `Restore ${name}`, exact: true })
export const search = (page: Page) => page.getByRole('searchbox', { name: 'Search by name' })
/** Waits until the sentence below the title is this. */
export const takes = (page: Page, words: string | RegExp) =>
  page.locator('.page-says').getByText(words).waitFor()
