import type { Page } from 'playwright-core'
import { it } from 'vitest'
import { button } from '../renderer/controls'
import { LOOKS, see } from '../renderer/everyLook'
import { detailsOf, planAgain, plannedDiscs, planning, READER_NAMES } from '../renderer/plannedDiscs'
import { advance, finish, type Look, showAs, windowsForTests } from '../renderer/windowUnderTest'

// No number of discs may misuse React.
const windows = windowsForTests({ checked: true })

it.each([1, 2, 12, 59, 200] as const)('a plan of %d discs fits into every window', async (discs) => {
  const problems = discs === 2 ? READER_NAMES : []
  const page = await plannedDiscs(windows, discs, { problems })
  for (const details of await page.locator('.reader-names summary').all()) await details.click()
  await detailsOf(page)
  for (const [name, look] of LOOKS) {
    await laidOut(page, look)
    await page.locator('.page-body').evaluate((body) => body.scrollTo(0, 0))
    await see(page, `plan-${discs}-${name}`)
    for (const [part, place] of [
      ['.desk-tools', 'shelf'],
      ['.disc-files', 'files'],
      ['.plan-details', 'details'],
    ] as const) {
      await page.locator(part).evaluate((element) => element.scrollIntoView({ block: 'start' }))
      await see(page, `plan-${discs}-${name}-${place}`)
    }
    await button(page, 'Medium and settings…').click()
    await laidOut(page, look)
    await page
      .locator('.recovery')
      .first()
      .evaluate((element) => element.scrollIntoView({ block: 'start' }))
    await see(page, `plan-${discs}-${name}-recovery`)
    await button(page, 'Hide the settings').click()
  }
})

it('a plan fits into every window while it is made, searched and changed', async () => {
  const page = await plannedDiscs(windows, 12)
  await planAgain(page, 'By name')
  await advance(page, 0.5)
  for (const [name, look] of LOOKS) {
    await laidOut(page, look)
    await page.locator('.desk-tools').evaluate((element) => element.scrollIntoView({ block: 'start' }))
    await see(page, `plan-again-${name}`)
  }
  await finish(page)
  await page.getByText('2 more than the fewest').waitFor()
  await page.getByRole('main').getByRole('searchbox').fill('2007')
  await page.getByRole('grid', { name: 'Found' }).waitFor()
  for (const [name, look] of LOOKS) {
    await laidOut(page, look)
    await page.locator('.page-body').evaluate((body) => body.scrollTo(0, 0))
    await see(page, `plan-searched-${name}`)
    await page.locator('.shelf').evaluate((element) => element.scrollIntoView({ block: 'start' }))
    await see(page, `plan-searched-${name}-found`)
  }
})

it('a first plan fits into every window while it is made', async () => {
  const page = await planning(windows, 59)
  await advance(page, 0.4)
  for (const [name, look] of LOOKS) {
    await laidOut(page, look)
    await see(page, `plan-awaited-${name}`)
  }
})

/** Shows another look, with the tiles in the rows that it has room for. */
async function laidOut(page: Page, look: Look): Promise<void> {
  await showAs(page, look)
  await page.waitForFunction(() => {
    const run = document.querySelector('.shelf-run')
    const tiles = [...(run?.querySelectorAll('.disc') ?? [])]
    const right = Math.max(...tiles.map((tile) => tile.getBoundingClientRect().right))
    return right <= (run?.getBoundingClientRect().right ?? 0) + 0.5
  })
}
