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
  expect(await textFaults(page), name).toEqual([])
  const isTooWide = await page.evaluate(() =>
    [
      document.documentElement,
      ...document.querySelectorAll('.page-body, :is(.kept, .stored, .folder-copies, .volumes-split) .table'),
    ].some(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth),
  )
  expect(isTooWide, name).toBe(false)
}
