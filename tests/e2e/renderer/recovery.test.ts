import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { button, callsOf } from './controls'
import { detailsOf, plannedDiscs } from './plannedDiscs'
import { finish, windowsForTests } from './windowUnderTest'

const windows = windowsForTests()

const choice = (page: Page) => page.getByRole('radiogroup', { name: 'Recovery data', exact: true })
const line = (page: Page) => page.getByRole('group', { name: 'About this plan' })
const lastPlan = async (page: Page) => (await callsOf(page, 'plan.start')).at(-1)

it('fills the free room with recovery data, and names what it survives and the discs without', async () => {
  const page = await plannedDiscs(windows, 3)
  expect(await lastPlan(page)).toMatchObject({ protection: 'fill' })
  await line(page).getByText('Recovery data on 1 of 3 discs', { exact: true }).waitFor()
  const facts = await detailsOf(page)
  await facts.getByText(/^Recovery data: [\d.]+ GB; 1 disc survives a scratch of [\d.]+ GB\./).waitFor()
  await facts.getByText(/^[A-Z_]+01 and [A-Z_]+02 have no recovery data: too little is free\./).waitFor()
  await page.getByRole('option', { name: /03: .*; recovery data [\d.]+ GB repairs a scratch/ }).waitFor()
  expect(await page.locator('.segment.recovery').count()).toBe(1)
})

it('keeps a share that is chosen by the keyboard and typed, or none, and does not ask for folders', {
  tags: 'long',
}, async () => {
  const page = await plannedDiscs(windows, 3)
  await button(page, 'Medium and settings…').click()
  await choice(page)
    .getByRole('radio', { name: /^As much as costs no disc/ })
    .focus()
  await page.keyboard.press('ArrowDown')
  const share = page.getByRole('textbox', { name: 'Share of the data' })
  expect(await share.inputValue()).toBe('10 %')
  await share.fill('0')
  await page.getByText('Not a share from 1 % to 100 %.').waitFor()
  await share.fill('7.5')
  await page.evaluate(axe.source)
  const faults = await page.evaluate(async () => {
    const { axe: found } = window as unknown as { axe: typeof axe }
    return (await found.run('.recovery')).violations.map(({ id }) => id)
  })
  expect(faults).toEqual([])
  await button(page, 'Make the plan').click()
  await page.locator('.shelf-note').getByText('Planning').waitFor()
  await finish(page)
  expect(await lastPlan(page)).toMatchObject({ protection: 7.5 })
  await page.locator('.settings-line').getByText('7.5 % recovery data').waitFor()

  await button(page, 'Medium and settings…').click()
  await choice(page).getByRole('radio', { name: /^None/ }).check({ force: true })
  await button(page, 'Make the plan').click()
  await page.locator('.shelf-note').getByText('Planning').waitFor()
  await finish(page)
  expect(await lastPlan(page)).not.toHaveProperty('protection')
  await (await detailsOf(page)).getByText(/^No recovery data: /).waitFor()

  await button(page, 'Medium and settings…').click()
  await page
    .getByRole('radio', { name: /One folder/ })
    .first()
    .check({ force: true })
  await choice(page).waitFor({ state: 'detached' })
})

const parity = (page: Page) => page.getByRole('radiogroup', { name: 'Parity discs', exact: true })

it('compares what each level survives and costs before a plan is made', { tags: 'long' }, async () => {
  const page = await plannedDiscs(windows, 3)
  await button(page, 'Medium and settings…').click()
  await button(page, 'Compare what each level survives and costs').click()
  const table = page.getByRole('table', { name: 'What each level survives and costs' })
  await table.getByText('Fill, second copy').waitFor()
  const rows = await table.getByRole('row').allInnerTexts()
  expect(rows).toHaveLength(8)
  expect(rows[4]).toMatch(/^Fill\s+600\s+[\d.]+\s?GB\s+0\s/)
  expect(rows[6]).toMatch(/^Fill \+ 2 parity discs\s.*5 \(\+2\)/s)
  expect(await callsOf(page, 'plan.compareProtection')).toMatchObject([{ protection: 'fill' }])
  // They are of other settings.
  await choice(page).getByRole('radio', { name: /^None/ }).check({ force: true })
  await table.waitFor({ state: 'detached' })
})

it('adds parity discs, and says which discs may be lost then', { tags: 'long' }, async () => {
  const page = await plannedDiscs(windows, 3)
  await button(page, 'Medium and settings…').click()
  await parity(page)
    .getByRole('radio', { name: /^Two more discs/ })
    .check({ force: true })
  await page.evaluate(axe.source)
  const faults = await page.evaluate(async () => {
    const { axe: found } = window as unknown as { axe: typeof axe }
    return (await found.run('.plan-main')).violations.map(({ id }) => id)
  })
  expect(faults).toEqual([])
  await button(page, 'Make the plan').click()
  await page.locator('.shelf-note').getByText('Planning').waitFor()
  await finish(page)
  expect(await lastPlan(page)).toMatchObject({ protectSet: 2 })
  await page.locator('.settings-line').getByText('2 parity discs').waitFor()
  await (await detailsOf(page))
    .getByText(/^Parity: [A-Z_]+_P and [A-Z_]+_Q, .*Any two lost discs can be made again/)
    .waitFor()
})

it('shows why folders have no parity discs', { tags: 'long' }, async () => {
  const page = await plannedDiscs(windows, 3)
  await button(page, 'Medium and settings…').click()
  await page
    .getByRole('radio', { name: /One folder/ })
    .first()
    .check({ force: true })
  await page.getByText('Parity discs are made of disc images; this plan has folders.').waitFor()
  expect(
    await parity(page)
      .getByRole('radio', { name: /^One more disc/ })
      .isDisabled(),
  ).toBe(true)
})
