import { expect, it } from 'vitest'
import { button } from '../renderer/controls'
import { choosePlace, EARLIER, measuring } from '../renderer/measureStep'
import { advance, finish, picture, windowsForTests } from '../renderer/windowUnderTest'

const windows = windowsForTests()

it.each([
  ['narrow', { width: 900, height: 600 }],
  ['dark', { width: 1000, height: 700, dark: true }],
  ['forced', { forced: true }],
] as const)('fits a %s window', async (name, look) => {
  const page = await measuring(windows, { measured: EARLIER, measure: { stallEvery: 25 } }, look)
  await picture(page, `measure-${name}-1-empty`)
  await choosePlace(page)
  await button(page, 'Measure').click()
  await advance(page, 0.4)
  await page.getByText('Each point is one timed file.').waitFor()
  await picture(page, `measure-${name}-2-running`)
  await finish(page)
  await page.getByText('the device’s own counters agree.', { exact: false }).waitFor()
  await picture(page, `measure-${name}-3-done`)
  const wide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)
  expect(wide).toBe(false)
  const body = page.locator('.page-body')
  for (const at of [500, 1000]) {
    await body.evaluate((element, top) => element.scrollTo(0, top), at)
    await picture(page, `measure-${name}-4-at-${at}`)
  }
})
