import { it } from 'vitest'
import { xorriso } from '../../../src/engine/tools/xorriso'
import { LOOKS, see } from '../renderer/everyLook'
import { plannedDiscs, READER_NAMES } from '../renderer/plannedDiscs'
import { showAs, windowsForTests } from '../renderer/windowUnderTest'

// No number of discs may misuse React.
const windows = windowsForTests({ checked: true })

it.each([1, 2, 12, 200] as const)('a plan of %d discs fits into every window', async (discs) => {
  const problems = discs === 2 ? READER_NAMES : []
  const withoutXorriso = xorriso.howToGet
  const page = await plannedDiscs(windows, discs, { problems, ...(discs === 12 && { withoutXorriso }) })
  for (const details of await page.locator('.reader-names summary').all()) await details.click()
  for (const [name, look] of LOOKS) {
    await showAs(page, look)
    await page.locator('.page-body').evaluate((body) => body.scrollTo(0, 0))
    await see(page, `plan-${discs}-${name}`)
    for (const [part, place] of [
      ['.shelf', 'shelf'],
      ['.disc-files', 'files'],
      ['.builder', 'builder'],
    ] as const) {
      await page.locator(part).evaluate((element) => element.scrollIntoView({ block: 'start' }))
      await see(page, `plan-${discs}-${name}-${place}`)
    }
  }
})
