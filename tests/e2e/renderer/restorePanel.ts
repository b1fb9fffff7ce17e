import type { Page } from 'playwright-core'

export async function opened(page: Page): Promise<void> {
  await page.keyboard.press('Control+7')
  await page.getByRole('button', { name: 'Restore files…' }).click()
  await page.getByRole('region', { name: 'Restore files' }).waitFor()
}
