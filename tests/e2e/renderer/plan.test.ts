import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { button, callsOf } from './controls'
import { plannedDiscs, READER_NAMES } from './plannedDiscs'
import { windowsForTests } from './windowUnderTest'

const windows = windowsForTests()

const files = (page: Page) => page.locator('.disc-files')
const grid = (page: Page) => files(page).getByRole('grid')

/** The colours of a disc's gauge, by the names of its segments. */
function coloursOf(page: Page, disc: number): Promise<[string, string][]> {
  return page
    .locator('.disc')
    .nth(disc)
    .locator('.segment')
    .evaluateAll((segments) =>
      segments.map((segment): [string, string] => [
        (segment.getAttribute('title') ?? '').replace(/, [^,]*$/, ''),
        getComputedStyle(segment).backgroundColor,
      ]),
    )
}

describe('the gauges of a plan', () => {
  it('give a folder the same colour and letter on all discs, and all others one grey with their names', {
    tags: 'long',
  }, async () => {
    const page = await plannedDiscs(windows, 9)
    const found = new Map<string, Set<string>>()
    for (let disc = 0; disc < 7; disc++)
      for (const [name, colour] of await coloursOf(page, disc))
        found.set(name, (found.get(name) ?? new Set()).add(colour))
    const colours = [...found.values()].map((each) => Array.from(each))
    expect(colours.every((each) => each.length === 1)).toBe(true)
    // Eight folders whose names are years, and the rest.
    expect(found.size).toBe(9)
    expect(new Set(colours.flat()).size).toBe(9)
    const legend = page.getByRole('list', { name: 'Folders by colour' }).getByRole('listitem')
    expect((await legend.allTextContents()).map((text) => text.slice(0, 1)).join('')).toBe('ABCDEFGHo')
  })

  it('name what is on a disc, and how full it is, to a screen reader and to the eye', {
    tags: 'long',
  }, async () => {
    const page = await plannedDiscs(windows, 2)
    const disc = page.getByRole('option', {
      name: /^PHOTOS_01: 24\.3 GB of 24\.8 GB, 98\.1 % full; files 24\.3 GB: [A-H] /,
    })
    await disc.waitFor()
    expect(await disc.locator('.disc-fill').innerText()).toMatch(/^24\.3 GB$/)
    expect(await disc.locator('.disc-fill').getAttribute('title')).toMatch(
      /^24\.3 GB of 24\.8 GB, 98\.1 % full; [\d,]+ sectors, [\d,]+ bytes$/,
    )
  })

  it('are true to the capacity: the files of a disc that fill 60.4 % of it reach 60.4 % of its height', async () => {
    const page = await plannedDiscs(windows, 2)
    const share = await page
      .locator('.disc')
      .nth(1)
      .evaluate((disc) => {
        const gauge = disc.querySelector('.gauge') as HTMLElement
        const heights = [...gauge.querySelectorAll('.segment:not(.recovery)')].map(
          (one) => one.getBoundingClientRect().height,
        )
        return heights.reduce((sum, height) => sum + height, 0) / gauge.clientHeight
      })
    expect(share).toBeGreaterThan(0.59)
    expect(share).toBeLessThan(0.62)
  })

  it('stand in rows that the arrow keys walk; of two hundred only those in view are in the page', async () => {
    const page = await plannedDiscs(windows, 200)
    const shelf = page.getByRole('listbox', { name: '200 discs' })
    expect(await shelf.getByRole('option').count()).toBeLessThan(200)
    const selected = shelf.getByRole('option', { selected: true })
    await selected.focus()
    const below = await page
      .locator('.disc')
      .evaluateAll(
        (tiles) =>
          tiles.findIndex(
            (tile) => tile.getBoundingClientRect().top > (tiles[0]?.getBoundingClientRect().top ?? 0),
          ) + 1,
      )
    expect(below).toBeGreaterThan(10)
    await page.keyboard.press('ArrowDown')
    await page.getByRole('heading', { name: `PHOTOS_${below}`, exact: true }).waitFor()
    await page.keyboard.press('ArrowLeft')
    await page.getByRole('heading', { name: `PHOTOS_${below - 1}`, exact: true }).waitFor()
    await page.keyboard.press('End')
    await page.getByRole('heading', { name: 'PHOTOS_200' }).waitFor()
    expect(await selected.innerText()).toContain('200')
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-selected'))).toBe('true')
  })

  it('fifty-nine are all in view at once, each with its label', { tags: 'long' }, async () => {
    const page = await plannedDiscs(windows, 59)
    await page.locator('.desk-tools').evaluate((element) => element.scrollIntoView({ block: 'start' }))
    const inView = await page.locator('.disc').evaluateAll(
      (tiles) =>
        tiles.filter((tile) => {
          const { top, bottom, left } = tile.getBoundingClientRect()
          return tile.contains(document.elementFromPoint(left + 8, (top + bottom) / 2))
        }).length,
    )
    expect(inView).toBe(59)
    expect(await page.locator('.disc .volume-label').count()).toBe(59)
  })
})

describe('the page of a plan', () => {
  it('shows both discs of two whole without scrolling, at 900×600', async () => {
    const page = await plannedDiscs(windows, 2, {}, { width: 900, height: 600 })
    const [shelf, seen] = await page.evaluate(() =>
      ['.shelf', '.page-body'].map((part) => {
        const { top, bottom } = (document.querySelector(part) as Element).getBoundingClientRect()
        return { top, bottom }
      }),
    )
    if (!shelf || !seen) throw new Error('the page has no shelf')
    expect(await page.getByRole('option').count()).toBe(2)
    expect(shelf.top).toBeGreaterThanOrEqual(seen.top)
    expect(shelf.bottom).toBeLessThanOrEqual(seen.bottom)
    // A shelf that scrolls by itself would be whole and hide a disc.
    expect(
      await page.locator('.shelf').evaluate((element) => element.scrollHeight - element.clientHeight),
    ).toBeLessThanOrEqual(0)
  })

  it('keeps all figures, volumes and times one press away, also when it is opened again', {
    tags: 'long',
  }, async () => {
    const page = await plannedDiscs(windows, 9)
    const line = page.getByRole('group', { name: 'About this plan' })
    expect(await line.innerText()).toMatch(/^[\d.]+ GB in 3,600 files/)
    expect(await page.getByRole('table', { name: 'Volumes' }).count()).toBe(0)
    await page.getByText('Details', { exact: true }).click()
    const details = page.locator('.plan-details')
    for (const label of ['Discs', 'Content', 'Last disc', 'Split files'])
      await details.locator('.figure-label', { hasText: label }).waitFor()
    for (const table of ['Volumes', 'Time']) await details.getByRole('table', { name: table }).waitFor()
    const sized = details.getByRole('list', { name: 'Folders by colour' }).getByRole('listitem')
    expect((await sized.first().innerText()).replace(/\s+/g, ' ')).toMatch(/^A .+ [\d.]+ GB$/)
    await page.keyboard.press('Control+3')
    await page.getByRole('heading', { name: 'Choose', level: 1 }).waitFor()
    await page.keyboard.press('Control+4')
    await details.getByRole('table', { name: 'Volumes' }).waitFor()
  })
})

describe('the files of a disc', () => {
  it('open and close by the keyboard, and come in pages as they are scrolled to', async () => {
    const page = await plannedDiscs(windows, 2)
    await grid(page).getByText('part 1 of 3').waitFor()
    await grid(page).focus()
    await page.keyboard.press('Enter')
    await files(page).getByText('IMG_0001.CR2', { exact: true }).waitFor()
    await page.keyboard.press('End')
    await files(page).getByText('IMG_2500.CR2', { exact: true }).waitFor()
    expect(await callsOf(page, 'plan.folder')).toMatchObject([
      { volume: 1, folder: 'Photos 2003–2024', offset: 0 },
      { volume: 1, folder: 'Photos 2003–2024/2007 Karelia', offset: 0 },
      { volume: 1, folder: 'Photos 2003–2024/2007 Karelia', offset: 2000 },
    ])
    expect(await grid(page).getByRole('row').count()).toBeLessThan(60)
    await page.keyboard.press('Backspace')
    await grid(page).getByText('part 1 of 3').waitFor()
    await page.keyboard.press('Backspace')
    await grid(page).getByText('Photos 2003–2024', { exact: true }).waitFor()
    expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('grid')
  })

  it('are those of the selected disc', { tags: 'long' }, async () => {
    const page = await plannedDiscs(windows, 2)
    await page.getByRole('option', { name: /^PHOTOS_02/ }).click()
    await grid(page).getByText('part 2 of 3').waitFor()
    await files(page).getByRole('heading', { name: 'PHOTOS_02' }).waitFor()
    await files(page)
      .getByText(
        /^305 files, 14\.9 GB; image with lists and index: 24\.8 GB of 24\.8 GB; 0 B free; recovery data 9\.81 GB repairs /,
      )
      .waitFor()
  })

  it('take the same room before they are there', { tags: 'long' }, async () => {
    const missing = { fails: { 'plan.folder': { code: 'io', message: 'cannot read the catalog' } as const } }
    const empty = await plannedDiscs(windows, 2, missing, {}, false)
    await empty.getByText('cannot read the catalog', { exact: false }).first().waitFor()
    const heightOf = (page: Page) => files(page).evaluate((element) => element.getBoundingClientRect().height)
    const before = await heightOf(empty)
    expect(await heightOf(await plannedDiscs(windows, 2))).toBe(before)
  })
})

describe('names that other systems show otherwise', () => {
  it('are counted before the plan is exported, with the reason and the cure behind the count', {
    tags: 'long',
  }, async () => {
    const page = await plannedDiscs(windows, 2, { problems: READER_NAMES })
    const summary = page.getByText('14 names will look different on Windows', { exact: true })
    await summary.waitFor()
    await page.getByText('1 name looks the same as another to Windows and Macs', { exact: true }).waitFor()
    expect(await page.getByText('No problems', { exact: false }).count()).toBe(0)
    expect(await page.getByText('has ? in its name').first().isVisible()).toBe(false)
    await summary.focus()
    await page.keyboard.press('Enter')
    expect(await page.getByText('has ? in its name').count()).toBe(3)
    await page.getByText('11 more names of this kind are not listed.').waitFor()
    await page
      .getByText('Restoring with Stowage gives every file its own name.', { exact: false })
      .first()
      .waitFor()
    expect(await button(page, 'Build and verify').isEnabled()).toBe(true)
    await page.evaluate(axe.source)
    const violations = await page.evaluate(async () => {
      const { axe: found } = window as unknown as { axe: typeof axe }
      const { violations: all } = await found.run('.plan-main', {
        runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa'] },
        preload: false,
      })
      return all.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
    })
    expect(violations).toEqual([])
  })
})
