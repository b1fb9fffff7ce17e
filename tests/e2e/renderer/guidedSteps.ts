import type { Page } from 'playwright-core'
import { button } from './controls'
import { finish } from './windowUnderTest'

export const primary = (page: Page) => page.locator('.primary:not([data-disabled])')

/** A folder is chosen, and surveyed once the questions are answered as `answer` does. */
export async function surveyed(page: Page, answer: () => Promise<void> = async () => {}): Promise<void> {
  await button(page, 'Choose folders…').click()
  await page.getByText('2 sources, ready').waitFor()
  await answer()
  await button(page, 'Start survey').click()
  await finish(page)
  await page.getByRole('button', { name: /^Survey, done/ }).waitFor()
}
