import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { choosing } from './chooseStep'
import { button, radio } from './controls'
import { plannedDiscs } from './plannedDiscs'
import { picture, showAs, windowsForTests } from './windowUnderTest'

const windows = windowsForTests()

const fields = (page: Page) => page.getByRole('main').getByRole('textbox')
const field = (page: Page, name: string) => page.getByRole('main').getByRole('textbox', { name, exact: true })

/** No number, size, time or name of a disc. */
const NO_VALUE = '-1.5?'

/**
 * Types what is no value into each text field of the step in turn, and answers whether the field
 * says so and whether the button is off; then takes it back.
 */
async function judgeAll(page: Page, go: string): Promise<Record<string, { says: boolean; off: boolean }>> {
  const found: Record<string, { says: boolean; off: boolean }> = {}
  for (const name of await fields(page).evaluateAll((all) =>
    (all as HTMLInputElement[]).map((one) => one.labels?.[0]?.textContent ?? one.ariaLabel ?? ''),
  )) {
    const before = await field(page, name).inputValue()
    await field(page, name).fill(NO_VALUE)
    found[name] = {
      says: (await field(page, name).getAttribute('aria-invalid')) === 'true',
      off: await button(page, go).first().isDisabled(),
    }
    await field(page, name).fill(before)
    await expect.poll(() => button(page, go).first().isDisabled()).toBe(false)
  }
  return found
}

const refused = (...names: string[]) =>
  Object.fromEntries(names.map((name) => [name, { says: true, off: true }]))

describe('a wrong value', () => {
  it('in any field of the Plan step is named there, and no plan is made until it is right', async () => {
    const page = await plannedDiscs(windows, 2)
    await button(page, 'Medium and settings…').click()
    await radio(page, /^Keep a share/).press('Space')
    // Another size than that of the plan: from now on the button makes another plan.
    await field(page, 'Custom size').fill('24 GB')
    expect(await judgeAll(page, 'Make the plan')).toEqual(
      refused('Custom size', 'Disc names', 'Share of the data', 'Copies of each disc'),
    )
  })

  it('of the space that stays free is named, and the plan is not made again until it is right', {
    tags: 'long',
  }, async () => {
    const page = await plannedDiscs(windows, 2)
    await button(page, 'Medium and settings…').click()
    await field(page, 'Leave free on each disc').fill('much')
    await expect.poll(() => button(page, 'Make again').isDisabled()).toBe(true)
    await field(page, 'Leave free on each disc').fill('')
    await expect.poll(() => button(page, 'Make again').isDisabled()).toBe(false)
  })

  it('is every number of copies but a whole one from 1 to 99; an empty field leaves it open', {
    tags: 'long',
  }, async () => {
    const page = await plannedDiscs(windows, 2)
    await button(page, 'Medium and settings…').click()
    const copies = field(page, 'Copies of each disc')
    const plans: Record<string, boolean> = {}
    for (const typed of ['0', '1.5', '100000', '-2', 'two', '2', '99', '']) {
      await copies.fill(typed)
      // Without a number the plan is the one that is shown.
      plans[typed] = await button(page, typed === '' ? 'Make again' : /^Make (?:the plan|again)$/).isEnabled()
    }
    expect(plans).toEqual({
      '0': false,
      '1.5': false,
      '100000': false,
      '-2': false,
      two: false,
      '2': true,
      '99': true,
      '': true,
    })
    await copies.fill('1.5')
    await showAs(page, { width: 900, height: 600, dark: true })
    await copies.evaluate((element) => element.scrollIntoView({ block: 'center' }))
    await picture(page, 'wrong values, copies of each disc')
  })

  it('that is folded away with the settings holds nothing up: the field comes back with its last value', {
    tags: 'long',
  }, async () => {
    const page = await plannedDiscs(windows, 2)
    await button(page, 'Medium and settings…').click()
    await field(page, 'Copies of each disc').fill('0')
    await expect.poll(() => button(page, 'Make again').isDisabled()).toBe(true)
    await button(page, 'Hide the settings').click()
    await expect.poll(() => button(page, 'Make again').isDisabled()).toBe(false)
    await button(page, 'Medium and settings…').click()
    expect(await field(page, 'Copies of each disc').inputValue()).toBe('')
  })

  it('in any field of the Choose step is named there, and nothing is made of the options', {
    tags: 'long',
  }, async () => {
    const page = await choosing(windows)
    await page.getByText('More', { exact: true }).click()
    expect(await judgeAll(page, 'Build it here…')).toEqual({
      ...refused('Size', 'Volumes', 'Build and write', 'Memory', 'Bytes per table entry'),
      // A folder may have this name; and no rule counts before it is added.
      'Folder or pattern': { says: false, off: false },
    })
  })
})
