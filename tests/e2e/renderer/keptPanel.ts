import type { Page } from 'playwright-core'
import type { Scenario } from '../../fixtures/fakeEngine/scenario'

/** One folder with photographs, exports and caches. */
export const ONE: Scenario = {
  sources: [{ path: '/media/photos', kind: 'folder', name: 'photos' }],
  survey: { files: 12_000, bytes: 100_000_000_000 },
}

export const panel = (page: Page) => page.getByRole('region', { name: 'What is kept' })
export const tree = (page: Page) => page.getByRole('treegrid', { name: 'What is kept' })
export const rowOf = (page: Page, name: string) =>
  tree(page)
    .getByRole('row')
    .filter({ has: page.getByText(name, { exact: true }) })
export const keep = (page: Page, name: string) =>
  page.getByRole('checkbox', { name: `Keep ${name}`, exact: true })
export const tile = (page: Page, name: RegExp) => page.getByRole('option', { name })
export const rules = (page: Page) => page.locator('.kept-rules')
export const says = (page: Page, words: string | RegExp) =>
  panel(page).getByRole('status').getByText(words).waitFor()

/** Ends a walk that the scenario holds, once it runs. */
export const endWalk = (page: Page) => page.waitForFunction(() => window.fake.endWalk())
