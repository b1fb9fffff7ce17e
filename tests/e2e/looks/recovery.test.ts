import { it } from 'vitest'
import { button, region } from '../renderer/controls'
import { LOOKS, see } from '../renderer/everyLook'
import { archivePlan } from '../renderer/growingArchive'
import { plannedDiscs } from '../renderer/plannedDiscs'
import { openedSet } from '../renderer/restorePanel'
import { speakGerman } from '../renderer/speakGerman'
import { finish, showAs, windowsForTests } from '../renderer/windowUnderTest'

const windows = windowsForTests({ checked: true })

it('recovery data fits into every window, in German too', async () => {
  const page = await plannedDiscs(windows, 3)
  for (const [name, look] of LOOKS) {
    await showAs(page, look)
    await page.locator('.page-body').evaluate((body) => body.scrollTo(0, 0))
    await see(page, `recovery-${name}`)
    await page.locator('.shelf').evaluate((element) => element.scrollIntoView({ block: 'start' }))
    await see(page, `recovery-${name}-shelf`)
    await button(page, 'Medium and settings…').click()
    await region(page, 'Recovery data').evaluate((element) => element.scrollIntoView({ block: 'end' }))
    await see(page, `recovery-${name}-choice`)
    await button(page, 'Compare what each level survives and costs').click()
    await region(page, 'What each level survives and costs').getByRole('table').waitFor()
    await region(page, 'What each level survives and costs').evaluate((element) =>
      element.scrollIntoView({ block: 'end' }),
    )
    await see(page, `recovery-${name}-levels`)
    await button(page, 'Hide the settings').click()
  }
  await showAs(page, { width: 900, height: 600 })
  await speakGerman(page)
  await page.getByText(/^Wiederherstellungsdaten auf 1 von 3 Discs$/).waitFor()
  await page.locator('.page-body').evaluate((body) => body.scrollTo(0, 0))
  await see(page, 'recovery-german')
})

it('a growing archive fits into every window, in German too', async () => {
  const page = await archivePlan(windows)
  for (const [name, look] of LOOKS) {
    await showAs(page, look)
    await region(page, 'What is planned').evaluate((element) => element.scrollIntoView({ block: 'start' }))
    await see(page, `growing-${name}-choice`)
    await region(page, 'Copies').evaluate((element) => element.scrollIntoView({ block: 'end' }))
    await see(page, `growing-${name}-copies`)
  }
  await button(page, /^Make the plan/).click()
  await page.locator('.shelf-note').getByText('Planning').waitFor()
  await finish(page)
  await page.getByText(/^Generation 2/).waitFor()
  for (const [name, look] of LOOKS) {
    await showAs(page, look)
    await page.locator('.page-body').evaluate((body) => body.scrollTo(0, 0))
    await see(page, `growing-${name}`)
  }
  await showAs(page, { width: 900, height: 600 })
  await speakGerman(page)
  await page.getByText(/^Generation 2, ergänzt/).waitFor()
  await see(page, 'growing-german')
  await button(page, 'Medium und Einstellungen…').click()
  await region(page, 'Was geplant wird').evaluate((element) => element.scrollIntoView({ block: 'start' }))
  await see(page, 'growing-german-choice')
  await region(page, 'Kopien').evaluate((element) => element.scrollIntoView({ block: 'end' }))
  await see(page, 'growing-german-copies')
})

it('the choice of an earlier generation fits into every window', async () => {
  const page = await windows.window({ history: true, setGenerations: 3 })
  await openedSet(page)
  for (const [name, look] of LOOKS) {
    await showAs(page, look)
    await see(page, `as-of-${name}`)
  }
})
