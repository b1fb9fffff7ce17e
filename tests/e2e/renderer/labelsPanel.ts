import type { Locator, Page } from 'playwright-core'

export const labelsDialog = (page: Page): Locator => page.getByRole('dialog')

/** Opens the choices for labels of an exported set, in the language of the window. */
export async function openLabels(page: Page, german = false): Promise<void> {
  await page.getByRole('button', { name: german ? 'Drucken' : 'Print', exact: true }).click()
  await page
    .getByRole('menuitem', { name: german ? 'Etiketten und Einleger…' : 'Labels and case inserts…' })
    .click()
  await labelsDialog(page).waitFor()
}
