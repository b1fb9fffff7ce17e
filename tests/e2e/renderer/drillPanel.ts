import type { Page } from 'playwright-core'
import { button } from './controls'

/** Draws the sample of a drill of the set that is open. */
export async function tryRestore(page: Page): Promise<void> {
  await button(page, 'Try a restore…').click()
  await page.getByText('random files', { exact: false }).waitFor()
}

/** A drill of the only set that the catalog knows, before it starts. */
export async function planDrill(page: Page): Promise<void> {
  await page.keyboard.press('Control+7')
  await tryRestore(page)
}

/** A drill of the first disc that is chosen, before it starts. */
export async function discDrill(page: Page): Promise<void> {
  await planDrill(page)
  await button(page, 'Choose discs or folders…').click()
  await page.getByText('at the bank', { exact: false }).first().waitFor()
}
