import { describe, expect, it } from 'vitest'
import type { Scenario } from '../../fixtures/fakeEngine/scenario'
import { button, card, radio } from '../renderer/controls'
import { surveyed } from '../renderer/guidedSteps'
import { type Look, picture, windowsForTests } from '../renderer/windowUnderTest'

const windows = windowsForTests()

const LOOKS: readonly (readonly [string, Look])[] = [
  ['light-1440', { width: 1440, height: 900 }],
  ['dark-1440', { width: 1440, height: 900, dark: true }],
  ['light-900', { width: 900, height: 600 }],
  ['dark-900', { width: 900, height: 600, dark: true }],
  ['200-percent', { width: 720, height: 450 }],
]

/** What the pictures show besides the usual. */
const LONG: Scenario = { settings: { medium: 'bd-r-25:spare-none' } }

describe.each(LOOKS)('in a window %s', (name, look) => {
  it('nothing is wider than the window', async () => {
    const page = await windows.window(LONG, look)
    await page.keyboard.press('Control+1')
    const isTooWide = () =>
      page.evaluate(() =>
        [document.documentElement, ...document.querySelectorAll('.page-body')].some(
          ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth,
        ),
      )
    await picture(page, `guided-${name}-1-questions`)
    expect(await isTooWide()).toBe(false)
    await surveyed(page, async () => {
      await page.getByText('macOS', { exact: true }).click()
      await picture(page, `guided-${name}-2-answered`)
      expect(await isTooWide()).toBe(false)
    })
    await picture(page, `guided-${name}-3-survey`)
    await button(page, 'Choose').click()
    await card(page, 'Encrypted vault').waitFor()
    await picture(page, `guided-${name}-4-candidates`)
    expect(await isTooWide()).toBe(false)
    await button(page, 'Change').click()
    await radio(page, 'Yes, encrypt it').click()
    await page.keyboard.press('Control+3')
    await card(page, 'Plain files').getByText('Plain files are not encrypted.').waitFor()
    await picture(page, `guided-${name}-5-secret`)
    expect(await isTooWide()).toBe(false)
  })
})
