import { expect, it } from 'vitest'
import { button } from '../renderer/controls'
import { keep, ONE, panel, rowOf, rules, says } from '../renderer/keptPanel'
import { textFaults } from '../renderer/textFaults'
import { type Look, picture, showAs, windowsForTests } from '../renderer/windowUnderTest'

// No state of the panel may misuse React.
const windows = windowsForTests({ checked: true })

const LOOKS: readonly (readonly [string, Look])[] = [
  ['light-1440', { width: 1440, height: 900 }],
  ['dark-1440', { width: 1440, height: 900, dark: true }],
  ['light-900', { width: 900, height: 600 }],
  ['dark-900', { width: 900, height: 600, dark: true }],
  ['200-percent', { width: 720, height: 450 }],
  ['forced', { width: 1440, height: 900, forced: true }],
]

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
  const see = async (name: string) => {
    await picture(page, `kept-${folders}-${name}`)
    expect(await textFaults(page), name).toEqual([])
    const isTooWide = () =>
      page.evaluate(() =>
        [document.documentElement, ...document.querySelectorAll('.page-body')].some(
          ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth,
        ),
      )
    expect(await isTooWide(), name).toBe(false)
  }
  for (const [name, look] of LOOKS) {
    await showAs(page, look)
    await page.getByRole('radio', { name: 'Folders' }).click()
    await panel(page).evaluate((element) => element.scrollIntoView({ block: 'start' }))
    await see(`${name}-tree`)
    await page.getByRole('radio', { name: 'Map' }).click()
    await see(`${name}-map`)
    await rules(page).evaluate((element) => element.scrollIntoView({ block: 'start' }))
    await see(`${name}-rules`)
  }
})
