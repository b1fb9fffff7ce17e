import { it } from 'vitest'
import { region } from '../renderer/controls'
import { LOOKS, see } from '../renderer/everyLook'
import { labelsDialog, openLabels } from '../renderer/labelsPanel'
import { speakGerman } from '../renderer/speakGerman'
import { showAs, windowsForTests } from '../renderer/windowUnderTest'
import { exported } from '../renderer/writtenSet'

const windows = windowsForTests({ checked: true })

it('what to print for the discs fits into every window, in German too', async () => {
  const page = await exported(windows)
  await openLabels(page)
  await labelsDialog(page).getByRole('button', { name: 'Choose a font…' }).click()
  await labelsDialog(page).getByRole('textbox', { name: 'Discs', exact: true }).fill('10')
  for (const [name, look] of LOOKS) {
    await showAs(page, look)
    await see(page, `labels-${name}`)
  }
  await page.keyboard.press('Escape')
  await speakGerman(page)
  await openLabels(page, true)
  for (const [name, look] of LOOKS) {
    await showAs(page, look)
    await see(page, `labels-german-${name}`)
  }
})

it('the usual paper fits into the page of settings', async () => {
  const page = await windows.window()
  await page.getByRole('button', { name: 'Settings', exact: true }).click()
  for (const [name, look] of LOOKS) {
    await showAs(page, look)
    await region(page, 'Printing').evaluate((element) => element.scrollIntoView({ block: 'center' }))
    await see(page, `labels-settings-${name}`)
  }
  await speakGerman(page)
  await region(page, 'Drucken').evaluate((element) => element.scrollIntoView({ block: 'center' }))
  await see(page, 'labels-settings-german')
})
