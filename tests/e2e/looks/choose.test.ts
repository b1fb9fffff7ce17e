import { expect, it } from 'vitest'
import { choosing, listed, pickMedium } from '../renderer/chooseStep'
import { picture, windowsForTests } from '../renderer/windowUnderTest'

const windows = windowsForTests()

it.each([
  ['light-1440', { width: 1440, height: 900 }],
  ['dark-900', { width: 900, height: 600, dark: true }],
  ['forced-1440', { forced: true }],
] as const)('fits a %s window, and everything in it has a name', async (name, look) => {
  const page = await choosing(windows, {}, look)
  await pickMedium(page, 'BD-R DL 50 GB')
  const { options } = await listed({ mediumIds: ['disk', 'bd-r-25', 'bd-r-50'] })
  await page.getByText(`Best of ${options.length}: `, { exact: false }).waitFor()
  await picture(page, `choose-${name}-1`)
  for (const at of [700, 1500]) {
    await page.locator('.page-body').evaluate((body, top) => body.scrollTo(0, top), at)
    await picture(page, `choose-${name}-at-${at}`)
  }
  expect(
    await page.evaluate(() => {
      const { scrollWidth, scrollHeight } = document.documentElement
      const nameless = [...document.querySelectorAll('button, input, [role], a')].filter(
        (element) =>
          /^(BUTTON|INPUT|A)$/.test(element.tagName) &&
          !element.getAttribute('aria-label') &&
          !element.getAttribute('aria-labelledby') &&
          !element.closest('label')?.textContent &&
          !(element as HTMLInputElement).labels?.length &&
          !element.textContent,
      )
      return [
        scrollWidth > innerWidth || scrollHeight > innerHeight,
        nameless.map((element) => element.outerHTML.slice(0, 120)),
      ]
    }),
  ).toEqual([false, []])
})
