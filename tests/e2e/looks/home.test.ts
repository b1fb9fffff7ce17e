import { expect, it } from 'vitest'
import { LOOKS, see } from '../renderer/everyLook'
import { HOME, MANY } from '../renderer/keptSets'
import { showAs, windowsForTests } from '../renderer/windowUnderTest'

// No state may misuse React.
const windows = windowsForTests({ checked: true })

it.each([
  ['newcomer', {}, 'Drop a folder here'],
  ['sets', HOME, '7 archives. 4 need attention.'],
  ['many', MANY, '300 archives. 1 needs attention.'],
  ['surveys', { history: true, sets: [] }, '1 archive. Nothing needs attention.'],
])('Home fits into every window: %s', async (name, scenario, words) => {
  const page = await windows.window(scenario)
  await page.getByText(words).waitFor()
  for (const [look, shown] of LOOKS) {
    await showAs(page, shown)
    await see(page, `home-${name}-${look}`)
  }
  expect(await page.locator('.page-body').isVisible()).toBe(true)
})
