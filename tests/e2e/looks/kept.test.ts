import { it } from 'vitest'
import { button } from '../renderer/controls'
import { LOOKS, see } from '../renderer/everyLook'
import { keep, ONE, panel, rowOf, rules, says } from '../renderer/keptPanel'
import { showAs, windowsForTests } from '../renderer/windowUnderTest'

// No state of the panel may misuse React.
const windows = windowsForTests({ checked: true })

it.each([0, 10, 100_000] as const)('sources with %d folders fit into every window', async (folders) => {
  const page = await windows.window({ ...ONE, survey: { files: 240_000, bytes: 1e12 }, walk: { folders } })
  await says(page, folders === 0 ? 'There are no files in the sources.' : /are kept/)
  if (folders > 0) {
    await button(page, 'Open 2019').click()
    await keep(page, 'Exports').click()
    await rules(page).locator('summary').click()
    await page.getByText(/^Program caches/).click()
    await page.getByRole('textbox', { name: 'Leave out' }).fill('*.tmp')
    await page.keyboard.press('Enter')
    await page.getByText('leaves nothing out').waitFor()
    await rowOf(page, '2020').click()
  }
  for (const [name, look] of LOOKS) {
    await showAs(page, look)
    await page.getByRole('radio', { name: 'Folders' }).click()
    await panel(page).evaluate((element) => element.scrollIntoView({ block: 'start' }))
    await see(page, `kept-${folders}-${name}-tree`)
    await page.getByRole('radio', { name: 'Map' }).click()
    await see(page, `kept-${folders}-${name}-map`)
    for (const colours of ['Type', 'Year']) {
      await page.getByRole('radio', { name: colours, exact: true }).click()
      await see(page, `kept-${folders}-${name}-map-${colours.toLowerCase()}`)
    }
    await page.getByRole('radio', { name: 'Folder', exact: true }).click()
    await rules(page).evaluate((element) => element.scrollIntoView({ block: 'start' }))
    await see(page, `kept-${folders}-${name}-rules`)
  }
})
