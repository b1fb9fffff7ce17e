import { expect, it } from 'vitest'
import { choosePlace, EARLIER, sweeping } from '../renderer/bandsStep'
import { button } from '../renderer/controls'
import { advance, finish, picture, windowsForTests } from '../renderer/windowUnderTest'

const windows = windowsForTests()

it.each([
  ['light-1280', { width: 1280, height: 800 }],
  ['dark-900', { width: 900, height: 600, dark: true }],
  ['forced', { forced: true }],
] as const)('fits a %s window', async (name, look) => {
  const page = await sweeping(windows, { swept: EARLIER }, look)
  await choosePlace(page)
  await button(page, 'Sweep band sizes').click()
  await advance(page, 0.4)
  await page.getByText('Round 3 of 6:', { exact: false }).waitFor()
  await picture(page, `bands-${name}-1-running`)
  await finish(page)
  await page.getByText('The device counted', { exact: false }).waitFor({ state: 'attached' })
  await picture(page, `bands-${name}-2-done`)
  expect(await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)).toBe(false)
  for (const at of [400, 900]) {
    await page.locator('.page-body').evaluate((element, top) => element.scrollTo(0, top), at)
    await picture(page, `bands-${name}-3-at-${at}`)
  }
})
