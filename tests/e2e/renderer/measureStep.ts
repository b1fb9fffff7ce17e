import type { Page } from 'playwright-core'
import type { Scenario } from '../../fixtures/fakeEngine/scenario'
import { button } from './controls'
import type { Look, Windows } from './windowUnderTest'

export const EARLIER = [
  { seed: 5, bytesPerSecond: 2.3e9 },
  { seed: 6, isCached: true },
  { seed: 7, bytesPerSecond: 0.52e9, device: { key: 'usb:T7', name: 'Samsung T7', kind: 'usb', bus: 'USB' } },
] as const

export async function measuring(windows: Windows, scenario: Scenario = {}, look: Look = {}): Promise<Page> {
  const page = await windows.window(scenario, look)
  await page.keyboard.press('Control+8')
  await page.getByRole('heading', { name: 'Measure', level: 1 }).waitFor()
  return page
}

export async function choosePlace(page: Page): Promise<void> {
  await button(page, 'Choose a folder…').click()
  await page.getByText('in its own folder', { exact: false }).first().waitFor()
}
