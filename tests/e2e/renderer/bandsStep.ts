import type { Page } from 'playwright-core'
import type { SweepShape } from '../../fixtures/fakeEngine/fakeSweeps'
import type { Scenario } from '../../fixtures/fakeEngine/scenario'
import { button } from './controls'
import type { Look, Windows } from './windowUnderTest'

export const EARLIER: readonly Partial<SweepShape>[] = [
  { seed: 5 },
  { seed: 6, isCached: true, request: { encryptions: [256] } },
]

export async function sweeping(windows: Windows, scenario: Scenario = {}, look: Look = {}): Promise<Page> {
  const page = await windows.window(scenario, look)
  await page.keyboard.press('Control+8')
  await page.getByRole('radio', { name: 'Band sizes' }).click()
  await page.getByRole('button', { name: 'Sweep band sizes' }).waitFor()
  return page
}

export const preview = (page: Page) => page.getByRole('region', { name: 'Before it starts' })

export async function choosePlace(page: Page): Promise<void> {
  await button(page, 'Choose a folder…').click()
  await preview(page).getByText('in its own folder, removed afterwards').waitFor()
}
