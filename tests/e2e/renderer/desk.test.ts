import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { button, callsOf } from './controls'
import { planAgain, plannedDiscs, planning } from './plannedDiscs'
import { advance, finish, windowsForTests } from './windowUnderTest'

const windows = windowsForTests()

const KARELIA = 'Photos 2003–2024/2007 Karelia'

const files = (page: Page) => page.locator('.disc-files')
const tile = (page: Page, disc: number) =>
  page.getByRole('option', { name: new RegExp(`^PHOTOS_${String(disc).padStart(2, '0')}`) })
const wishes = (page: Page) => page.getByRole('group', { name: 'Your changes' })

/** What the last plan was asked for. */
const lastPlacement = async (page: Page): Promise<unknown> => {
  const calls = (await callsOf(page, 'plan.start')) as { placement?: unknown }[]
  return calls.at(-1)?.placement
}

/** Ends the plan that is being made. */
async function planned(page: Page): Promise<void> {
  await page.locator('.shelf-note').getByText('Planning').waitFor()
  await finish(page)
  await page.locator('.shelf-note').getByText('Planning').waitFor({ state: 'detached' })
}

/** What axe finds in the step, with its experimental rule that names contain what is seen. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  return page.evaluate(async () => {
    const { axe: found } = window as unknown as { axe: typeof axe }
    const { violations: all } = await found.run('.desk', {
      runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa'] },
      rules: { 'label-content-name-mismatch': { enabled: true }, 'empty-table-header': { enabled: true } },
      preload: false,
    })
    // The rows of a grid scroll by the keys of the grid itself.
    return all
      .filter(({ id }) => id !== 'scrollable-region-focusable')
      .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
  })
}

describe('a folder of a disc', () => {
  it('is dragged to another disc, which plans again at once; Undo takes it back', async () => {
    const page = await plannedDiscs(windows, 3, { survey: { files: 900, bytes: 60e9 } })
    await files(page).getByText('2007 Karelia', { exact: true }).dragTo(tile(page, 3))
    expect(await lastPlacement(page)).toEqual({ pins: [{ path: KARELIA, volume: 3 }] })
    await page.getByRole('heading', { name: 'PHOTOS_01', exact: true }).waitFor()
    await planned(page)
    await wishes(page).getByText('2007 Karelia on PHOTOS_03').waitFor()
    await tile(page, 3).click()
    await files(page).getByText('2007 Karelia', { exact: true }).waitFor()
    await files(page).getByText('kept', { exact: true }).waitFor()
    await button(page, 'Undo').click()
    expect(await lastPlacement(page)).toBeUndefined()
    await planned(page)
    await wishes(page).waitFor({ state: 'detached' })
  })

  it('is dragged from the gauge of its disc', { tags: 'long' }, async () => {
    const page = await plannedDiscs(windows, 3, { survey: { files: 900, bytes: 60e9 } })
    await tile(page, 1).locator('.segment[title^="2007 Karelia"]').dragTo(tile(page, 2))
    expect(await lastPlacement(page)).toEqual({ pins: [{ path: KARELIA, volume: 2 }] })
  })

  it('moves, stays and is kept together by the keyboard alone', async () => {
    const page = await plannedDiscs(windows, 3, { survey: { files: 900, bytes: 60e9 } })
    await tile(page, 1).focus()
    await page.keyboard.press('Enter')
    expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('grid')
    await page.keyboard.press('m')
    const menu = page.getByRole('menu', { name: 'Actions for 2007 Karelia' })
    await menu.waitFor()
    expect(await menu.getByRole('menuitem').allTextContents()).toEqual([
      'Move to disc…',
      'Keep on this disc',
      'Keep together',
    ])
    await menu.getByRole('menuitem', { name: 'Move to disc…' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Enter')
    const discs = page.getByRole('menu', { name: 'Move 2007 Karelia to' })
    await discs.waitFor()
    expect(await discs.getByRole('menuitem').allTextContents()).toEqual(['PHOTOS_02', 'PHOTOS_03'])
    await discs.getByRole('menuitem', { name: 'PHOTOS_02' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => window.fake.callsOf('plan.start').length === 2)
    expect(await lastPlacement(page)).toEqual({ pins: [{ path: KARELIA, volume: 3 }] })
    await planned(page)
    await page.locator('.disc-files [role=grid]').focus()
    await page.keyboard.press('m')
    // Enter in a menu that has not taken the focus yet is lost.
    await page.getByRole('menuitem').first().and(page.locator(':focus')).waitFor()
    await page.keyboard.press('End')
    await page.getByRole('menuitem', { name: 'Keep together' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Enter')
    await planned(page)
    expect(await wishes(page).getByRole('listitem').allTextContents()).toMatchObject([
      expect.stringContaining('on PHOTOS_03'),
      expect.stringContaining('together'),
    ])
    await page.locator('.disc-files [role=grid]').focus()
    await page.keyboard.press('Control+z')
    await planned(page)
    expect(await wishes(page).getByRole('listitem').count()).toBe(1)
  })

  it('that does not fit stays where it was, and the reason is shown', { tags: 'long' }, async () => {
    const page = await plannedDiscs(windows, 3)
    await files(page).getByText('2007 Karelia', { exact: true }).dragTo(tile(page, 2))
    await planned(page)
    await page.getByText('it does not fit', { exact: false }).and(page.locator('.notice *')).first().waitFor()
    await wishes(page).waitFor({ state: 'detached' })
    expect(await page.getByText('The settings have changed.', { exact: false }).count()).toBe(0)
    await button(page, 'Make again').waitFor()
  })
})

describe('a disc', () => {
  it('is renamed in its place: F2, a name that no other disc has, Enter', { tags: 'long' }, async () => {
    const page = await plannedDiscs(windows, 2)
    await tile(page, 1).focus()
    await page.keyboard.press('F2')
    const field = page.getByRole('textbox', { name: 'New name of PHOTOS_01' })
    await field.fill('photos 02')
    await page.getByText('Another disc has this name.').waitFor()
    await field.press('Enter')
    expect(await callsOf(page, 'plan.start')).toHaveLength(1)
    await field.fill('iceland-2011')
    await field.press('Enter')
    expect(await lastPlacement(page)).toEqual({ labels: [{ volume: 1, label: 'ICELAND_2011' }] })
    await planned(page)
    await page.getByRole('heading', { name: 'ICELAND_2011' }).waitFor()
    await button(page, 'Take back: Disc 1: ICELAND_2011').click()
    await planned(page)
    await page.getByRole('heading', { name: 'PHOTOS_01' }).waitFor()
  })
})

describe('the search of a plan', () => {
  it('marks the discs that have it and lists where it is', { tags: 'long' }, async () => {
    const page = await plannedDiscs(windows, 12)
    await page.getByRole('searchbox', { name: 'Which disc has it?' }).fill('karelia')
    const found = page.getByRole('grid', { name: 'Found' })
    await found.getByText('2007 Karelia').first().waitFor()
    expect(await callsOf(page, 'plan.search')).toMatchObject([{ pattern: 'karelia' }])
    const places = await found.getByRole('row').count()
    expect(await page.locator('.disc.found').count()).toBe(places - 1)
    expect(await page.locator('.disc.unfound').count()).toBe(12 - (places - 1))
    await found.getByText('2007 Karelia').last().click()
    const label = await page.locator('.disc[aria-selected=true]').getAttribute('aria-label')
    await files(page).getByText('IMG_0001.CR2', { exact: true }).waitFor()
    await page.getByRole('main').getByRole('searchbox').fill('nowhere')
    await page.getByText('Not on any disc.').first().waitFor()
    await page.getByRole('main').getByRole('searchbox').fill('')
    await found.waitFor({ state: 'detached' })
    expect(label).toMatch(/; found: \d+ files?$/)
  })
})

describe('a plan that is made', () => {
  it('shows the place of its discs and how many are sized, never that there is no plan', {
    tags: 'long',
  }, async () => {
    const page = await planning(windows, 59)
    expect(await page.getByText('No plan yet').count()).toBe(0)
    const awaited = page.locator('.gauge.awaited')
    expect(await awaited.count()).toBeGreaterThan(50)
    await advance(page, 0.5)
    await page.getByText('Planning 59 discs, 30 of 59').waitFor()
    expect(await awaited.count()).toBe(59)
    const placesOf = () =>
      page.locator('.gauge').evaluateAll((gauges) =>
        gauges.map((gauge) => {
          const { left, top, width, height } = gauge.getBoundingClientRect()
          return [left, top, width, height].map(Math.round)
        }),
      )
    const before = await placesOf()
    await finish(page)
    await page.getByRole('listbox', { name: '59 discs' }).waitFor()
    expect(await placesOf()).toEqual(before)
  })

  it('again keeps the old picture with a note; its cost in discs is said', { tags: 'long' }, async () => {
    const page = await plannedDiscs(windows, 12)
    await planAgain(page, 'By name')
    await advance(page, 0.5)
    await page.getByText('Planning 12 discs, 6 of 12').waitFor()
    expect(await page.getByRole('option').count()).toBe(12)
    expect(await lastPlacement(page)).toEqual({ order: 'name' })
    await finish(page)
    await page.getByText('2 more than the fewest').waitFor()
  })

  it('with room left free draws it once the size is entered', { tags: 'long' }, async () => {
    const page = await plannedDiscs(windows, 2)
    await button(page, 'Medium and settings…').click()
    const field = page.getByRole('textbox', { name: 'Leave free on each disc' })
    await field.fill('lots')
    await page.getByText('Not a size, such as 500 MB.').waitFor()
    await field.press('Enter')
    expect(await callsOf(page, 'plan.start')).toHaveLength(1)
    await field.fill('2 GB')
    await field.press('Enter')
    expect(await lastPlacement(page)).toEqual({ reserveBytes: 2e9 })
    await planned(page)
    await page.getByText('2.00 GB of it stay free', { exact: false }).waitFor()
    expect(await page.locator('.gauge-reserve').count()).toBe(2)
  })
})

it('axe finds nothing in the desk: made, searched, renamed and with changes', { tags: 'long' }, async () => {
  const page = await plannedDiscs(windows, 12)
  expect(await violations(page)).toEqual([])
  await page.getByRole('main').getByRole('searchbox').fill('karelia')
  await page.getByRole('grid', { name: 'Found' }).waitFor()
  expect(await violations(page)).toEqual([])
  await planAgain(page, 'By date')
  expect(await violations(page)).toEqual([])
  await finish(page)
  await page.getByText('2 more than the fewest').waitFor()
  await button(page, 'Medium and settings…').click()
  expect(await violations(page)).toEqual([])
})
