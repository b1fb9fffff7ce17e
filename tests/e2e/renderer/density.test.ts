import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { type Density, densityOf } from './density'
import { choosing, planned, surveyed } from './waysToStates'
import { windowsForTests } from './windowUnderTest'

const windows = windowsForTests()

const LOOK = { width: 1440, height: 900 }

const PHOTOS = {
  sources: [{ path: '/media/photos/Photos 2003–2024', kind: 'folder', name: 'Photos 2003–2024' }],
} as const

/** Nine discs, and the files of the first one. */
async function plannedWithFiles(page: Page): Promise<void> {
  await planned(page)
  await page.locator('.disc-files').getByRole('row').nth(1).waitFor()
}

/** The most that a page may show at once, and the way to it. */
const PAGES: readonly (readonly [name: string, reach: (page: Page) => Promise<unknown>, most: Density])[] = [
  // Before it had a layer of its own for analysis: 77 and 102.
  ['Survey', surveyed, { controls: 25, figures: 25 }],
  // Nine discs; before its figures, volumes and times were folded: 35 and 157.
  ['Plan', plannedWithFiles, { controls: 30, figures: 60 }],
  // Before its settings and the figures of a lone card were folded: 81 and 76.
  ['All options', choosing, { controls: 40, figures: 40 }],
]

it.each(PAGES)('%s shows few controls and figures at once', async (name, reach, most) => {
  const page = await windows.window(PHOTOS, LOOK)
  await reach(page)
  const found = await densityOf(page)
  console.log(`${name}: ${found.controls} controls, ${found.figures} figures`)
  expect(found.controls).toBeLessThanOrEqual(most.controls)
  expect(found.figures).toBeLessThanOrEqual(most.figures)
})
