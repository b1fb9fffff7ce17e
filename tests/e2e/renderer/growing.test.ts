import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { button, callsOf } from './controls'
import { archivePlan } from './growingArchive'
import { check, openedSet, takes } from './restorePanel'
import { finish, windowsForTests } from './windowUnderTest'

const windows = windowsForTests()

const choice = (page: Page) => page.getByRole('radiogroup', { name: 'What is planned', exact: true })
const facts = (page: Page) => page.getByRole('group', { name: 'About this plan' })
const lastPlan = async (page: Page) => (await callsOf(page, 'plan.start')).at(-1)

it('adds to the plan of the open project that was built, and shows how the archive grows', {
  tags: 'long',
}, async () => {
  const page = await archivePlan(windows)
  await choice(page)
    .getByRole('radio', { name: /^Add to PHOTOS_01 to PHOTOS_0\d \d discs, / })
    .waitFor()
  await page.evaluate(axe.source)
  const faults = await page.evaluate(async () => {
    const { axe: found } = window as unknown as { axe: typeof axe }
    return (await found.run('.growth-choice')).violations.map(({ id }) => id)
  })
  expect(faults).toEqual([])
  await button(page, /^Make the plan/).click()
  await page.locator('.shelf-note').getByText('Planning').waitFor()
  await finish(page)
  expect(await lastPlan(page)).toMatchObject({ addTo: 'p-first' })
  await facts(page)
    .getByText(/^Generation 2, added to PHOTOS_01 to PHOTOS_0\d: [\d,]+ new .*10 moved, 1 deleted/)
    .waitFor()
  await facts(page)
    .getByText(/^1 new disc\. Restoring everything then reads \d+ discs\.$/)
    .waitFor()
})

it('records moved, renamed and deleted files alone where that is chosen', { tags: 'long' }, async () => {
  const page = await archivePlan(windows)
  const alone = page.getByRole('checkbox', { name: /^Also record names alone/ })
  await alone.press('Space')
  await button(page, /^Make the plan/).click()
  await page.locator('.shelf-note').getByText('Planning').waitFor()
  await finish(page)
  expect(await lastPlan(page)).toMatchObject({ addTo: 'p-first', recordNames: true })
  await facts(page)
    .getByText(/^1 new disc that holds just the list of files\. Restoring everything then reads \d+ discs\.$/)
    .waitFor()
  await button(page, 'Medium and settings…').click()
  await choice(page)
    .getByRole('radio', { name: /^Plan everything anew/ })
    .check({ force: true })
  await alone.waitFor({ state: 'detached' })
})

it('plans everything anew where that is chosen by the keyboard', { tags: 'long' }, async () => {
  const page = await archivePlan(windows)
  await choice(page)
    .getByRole('radio', { name: /^Add to / })
    .focus()
  await page.keyboard.press('ArrowDown')
  await button(page, /^Make the plan/).click()
  await page.locator('.shelf-note').getByText('Planning').waitFor()
  await finish(page)
  expect(await lastPlan(page)).not.toHaveProperty('addTo')
  expect(
    await facts(page)
      .getByText(/^Generation/)
      .count(),
  ).toBe(0)
})

it('restores an archive as of the generation that is chosen', { tags: 'long' }, async () => {
  const page = await windows.window({ history: true, setGenerations: 3 })
  await openedSet(page)
  const slider = page.getByRole('slider', { name: 'As it was on' })
  expect(await slider.getAttribute('aria-valuetext')).toMatch(/^\d+ \w+ \d{4} \(newest\)$/)
  await slider.focus()
  await page.keyboard.press('ArrowLeft')
  expect(await slider.getAttribute('aria-valuetext')).toMatch(/, generation 2$/)
  await expect.poll(async () => (await callsOf(page, 'restore.open')).length).toBe(2)
  await check(page, '2003').click()
  await takes(page, /PHOTOS_01/)
  await button(page, 'Restore…').click()
  expect((await callsOf(page, 'restore.open')).at(-1)).toMatchObject({ asOf: '2' })
  expect((await callsOf(page, 'restore.start')).at(-1)).toMatchObject({ asOf: '2' })
})

it('shows no dates to choose from where an archive has one', { tags: 'long' }, async () => {
  const page = await windows.window({ history: true, setGenerations: 1 })
  await openedSet(page)
  expect(await page.getByRole('slider').count()).toBe(0)
})
