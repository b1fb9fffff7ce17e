import { it } from 'vitest'
import { button } from '../renderer/controls'
import { LOOKS, see } from '../renderer/everyLook'
import { ONE, panel } from '../renderer/keptPanel'
import { finish, showAs, windowsForTests } from '../renderer/windowUnderTest'

// No state of the panels may misuse React.
const windows = windowsForTests({ checked: true })

it.each([0, 10, 100_000] as const)(
  'what is on verified volumes fits into every window with %d folders',
  async (folders) => {
    const page = await windows.window({
      ...ONE,
      survey: { files: 240_000, bytes: 1e12 },
      walk: { folders },
      stored: { folders, copies: folders, byTime: folders === 10 },
    })
    await button(page, 'Start survey').click()
    await finish(page)
    const stored = page.getByRole('region', { name: 'Already on verified volumes' })
    const copies = page.getByRole('region', { name: 'Folders that are copies' })
    await stored.waitFor()
    if (folders > 0) {
      for (const each of [stored, copies]) await each.getByText('/Job 000001', { exact: true }).click()
      await copies.getByRole('button', { name: 'Leave this folder out' }).click()
      await stored.getByText(/^The next survey leaves it out/).waitFor()
    }
    for (const [name, look] of LOOKS) {
      await showAs(page, look)
      await stored.evaluate((element) => element.scrollIntoView({ block: 'start' }))
      await see(page, `stored-${folders}-${name}`)
      if (folders > 0) {
        await copies.evaluate((element) => element.scrollIntoView({ block: 'start' }))
        await see(page, `stored-${folders}-${name}-copies`)
      }
    }
    await page.keyboard.press('Control+1')
    for (const [name, look] of LOOKS) {
      await showAs(page, look)
      await panel(page).evaluate((element) => element.scrollIntoView({ block: 'start' }))
      await see(page, `stored-${folders}-${name}-source`)
    }
  },
)
