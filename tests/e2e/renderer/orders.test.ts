import axe from 'axe-core'
import { expect, it } from 'vitest'
import { button, callsOf } from './controls'
import { plannedDiscs } from './plannedDiscs'
import { windowsForTests } from './windowUnderTest'

const windows = windowsForTests()

it('compares the orders of filling discs, and plans in the one that is chosen by the keyboard', {
  tags: 'long',
}, async () => {
  const page = await plannedDiscs(windows, 9)
  await button(page, 'Medium and settings…').click()
  const orders = page.getByRole('radiogroup', { name: 'Order of filling the discs' })
  await orders.getByRole('radio', { name: 'Whole folders A folder is divided only' }).waitFor()
  await button(page, 'Compare the orders').focus()
  await page.keyboard.press('Enter')
  await orders.getByText('14 folders divided').waitFor()
  expect(
    await orders.getByRole('radio').evaluateAll((all) => all.map((one) => one.parentElement?.innerText)),
  ).toEqual([
    expect.stringMatching(/^Fewest discs, in order if it costs none\s+By name, or by date where the folders/),
    expect.stringMatching(/^Fewest discs\s+9 discs · 14 folders divided · [\d.]+ GB free · 2025 on 9 discs$/),
    expect.stringMatching(
      /^Whole folders\s+10 discs · no folder divided · [\d.]+ GB free · 2025 on 5 discs$/,
    ),
    expect.stringMatching(/^By name\s+10 discs · 6 folders divided/),
    expect.stringMatching(/^By date\s+11 discs · 31 folders divided · [\d.]+ GB free · 2025 on 2 discs$/),
  ])
  await page.evaluate(axe.source)
  const faults = await page.evaluate(async () => {
    const { axe: found } = window as unknown as { axe: typeof axe }
    return (await found.run('.orders')).violations.map(({ id }) => id)
  })
  expect(faults).toEqual([])
  await orders.getByRole('radio', { name: 'Fewest discs, in order' }).focus()
  await page.keyboard.press('ArrowDown')
  await page.locator('.shelf-note').getByText('Planning').waitFor()
  const asked = (await callsOf(page, 'plan.start')).at(-1)
  expect(asked).toMatchObject({ placement: { order: 'size' } })
})

it('labels discs by the years of their files, by the keyboard', { tags: 'long' }, async () => {
  const page = await plannedDiscs(windows, 9)
  await button(page, 'Medium and settings…').click()
  const years = page.getByRole('checkbox', { name: 'Years in the labels' })
  await years.focus()
  await page.keyboard.press('Space')
  await page.locator('.shelf-note').getByText('Planning').waitFor()
  expect((await callsOf(page, 'plan.start')).at(-1)).toMatchObject({ placement: { labelBy: 'date' } })
})
