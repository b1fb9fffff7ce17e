import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { textFaults } from './textFaults'
import { type Look, picture } from './windowUnderTest'

/** Themes and sizes in which everything must fit; the fifth is the smallest window at 200 %. */
export const LOOKS: readonly (readonly [string, Look])[] = [
  ['light-1440', { width: 1440, height: 900 }],
  ['dark-1440', { width: 1440, height: 900, dark: true }],
  ['light-900', { width: 900, height: 600 }],
  ['dark-900', { width: 900, height: 600, dark: true }],
  ['200-percent', { width: 720, height: 450 }],
  ['forced', { width: 1440, height: 900, forced: true }],
]

/** Takes a picture; no text may be cut or covered, and nothing be wider than the window. */
export async function see(page: Page, name: string): Promise<void> {
  await picture(page, name)
  expect(await settledFaults(page), name).toEqual([])
  const isTooWide = await page.evaluate(() =>
    [
      document.documentElement,
      ...document.querySelectorAll('.page-body, :is(.kept, .stored, .folder-copies, .volumes-split) .table'),
    ].some(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth),
  )
  expect(isTooWide, name).toBe(false)
}

/** Tables of the page that are wider than their place: in a window as wide as 1440 there are none. */
export function cutTables(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('.table-frame')]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      .map((frame) => frame.querySelector('[aria-label]')?.getAttribute('aria-label') ?? 'a table'),
  )
}

/** A window draws itself anew some frames after it has another size; a fault stays. */
const SETTLING_FRAMES = 30

/** Faults of the text that last. */
export async function settledFaults(page: Page): Promise<string[]> {
  for (let frames = 0; ; frames += 2) {
    await page.evaluate(
      () =>
        new Promise((drawn) => {
          requestAnimationFrame(() => requestAnimationFrame(drawn))
        }),
    )
    const faults = await textFaults(page)
    if (faults.length === 0 || frames >= SETTLING_FRAMES) return faults
  }
}
