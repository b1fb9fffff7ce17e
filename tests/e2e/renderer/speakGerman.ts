import type { Page } from 'playwright-core'

/**
 * Makes German the language of the system, and waits until the window speaks it. What parts of a
 * step keep for themselves (an opened fold) is drawn anew.
 */
export async function speakGerman(page: Page): Promise<void> {
  await page.evaluate(() => {
    Object.defineProperty(navigator, 'languages', { get: () => ['de'] })
    dispatchEvent(new Event('languagechange'))
  })
  await page.getByRole('navigation', { name: 'Schritte' }).waitFor()
}
