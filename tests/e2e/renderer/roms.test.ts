import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { button, callsOf, radio } from './controls'
import { densityOf } from './density'
import { addInputs, compared, openRoms, romsPage, setRow, sets, startComparing } from './romsPage'
import { advance, finish, picture, windowsForTests } from './windowUnderTest'

const windows = windowsForTests()

const COMPLETE = '400 of 496 ROM sets complete, 40 partial, 56 missing. 852 of 986 files found.'

const saved = (page: Page) => page.evaluate(() => window.fake.saved)

it('compares folders with DATs and says how many ROM sets are complete', async () => {
  const page = await romsPage(windows)
  await page.getByText('A DAT lists the files of a collection', { exact: false }).waitFor()
  expect(await button(page, 'Compare').isDisabled()).toBe(true)
  await addInputs(page)
  await radio(page, 'Merged').click()
  await page.getByText('A parent together with all its clones.').waitFor()
  await radio(page, 'As each DAT asks').click()
  await page.keyboard.press('Control+Enter')
  await page.getByText('Comparing files with DATs. Files are only read.').waitFor()
  await advance(page, 0.6)
  await page.getByRole('button', { name: /^ROM sets, running/ }).waitFor()
  await page.getByText(/^about \d+ s left$/).waitFor({ state: 'attached' })
  await finish(page)
  await page.getByText(COMPLETE, { exact: true }).waitFor()
  expect(await callsOf(page, 'roms.compare')).toEqual([
    {
      paths: ['/media/photos/Photos 2003–2024', '/home/anna/Lightroom'],
      dats: [
        '/home/anna/DATs/Nintendo - Game Boy (20261101).dat',
        '/home/anna/DATs/Arcade - Consoles and Computers of a Rather Long Name (2026-11-28).xml',
      ],
    },
  ])
  await page.getByRole('img', { name: '400 complete, 40 partial and 56 missing' }).waitFor()
  const found = await densityOf(page)
  console.log(`ROM sets: ${found.controls} controls, ${found.figures} figures`)
  expect(found.controls).toBeLessThanOrEqual(25)
  expect(await page.locator('[role="treegrid"] [role="row"]').count()).toBeLessThan(60)
})

it('shows ROM sets by state, DAT and words, and unfolds one to its files by mouse and by keys', async () => {
  const page = await romsPage(windows)
  await compared(page)
  await radio(page, /^Partial/).click()
  await page.getByRole('heading', { name: '40 of 496 ROM sets' }).waitFor()
  await button(page, 'DAT: All DATs').click()
  await page.getByRole('menuitemradio', { name: 'Nintendo - Game Boy', exact: true }).click()
  await page.getByRole('heading', { name: '20 of 248 ROM sets' }).waitFor()
  await page.getByRole('searchbox', { name: 'Search' }).fill('garden usa')
  await page.getByRole('heading', { name: /^[23] of 248 ROM sets$/ }).waitFor()
  await setRow(page, 'Moon Garden 2 (USA)').click()
  const held = page.getByRole('table', { name: 'Files of Moon Garden 2 (USA)' })
  await held.getByText('Missing', { exact: true }).waitFor()
  expect(await held.getByText('Right', { exact: true }).count()).toBe(2)
  await page.getByText('A clone of Moon Garden 2 (Europe).').waitFor()
  await setRow(page, 'Moon Garden 2 (USA)').click()
  await held.waitFor({ state: 'detached' })
  await sets(page).focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  await page.locator('.rom-held').waitFor()
  await page.keyboard.press('Enter')
  await page.locator('.rom-held').waitFor({ state: 'detached' })
  await page.getByRole('searchbox', { name: 'Search' }).fill('no such game')
  await page.getByText('No ROM set has these words and this state.').waitFor()
})

it('lists files by state, missing ones, DATs with their notes, and paths that were not read', async () => {
  const page = await romsPage(windows)
  await compared(page)
  await radio(page, /^Files /).click()
  await button(page, 'State of files: All but right ones: 165').click()
  await page.getByRole('menuitemradio', { name: /^Not opened: / }).click()
  await page.getByText('packed.7z', { exact: false }).first().waitFor()
  await page.getByRole('heading', { name: '2 files' }).waitFor()
  await radio(page, /^Missing files /).click()
  await page.getByRole('heading', { name: '134 missing files' }).waitFor()
  await page.getByText('Missing in action', { exact: true }).first().waitFor()
  await radio(page, /^DATs /).click()
  await page.getByText('game "Clock Maker 2 (USA)" names', { exact: false }).first().waitFor()
  await page.getByText('3 paths were not read', { exact: true }).click()
  await page.getByRole('table', { name: '3 paths were not read' }).waitFor()
  await page.getByRole('grid', { name: '2 DATs' }).getByText('Nintendo - Game Boy').click()
  await page.getByRole('heading', { name: '248 ROM sets' }).waitFor()
})

it('saves the tables as CSV and the comparison as JSON', async () => {
  const page = await romsPage(windows)
  await compared(page)
  await radio(page, /^Missing \d/).click()
  await button(page, 'Export 56 of 496 ROM sets as CSV').click()
  await radio(page, /^Missing files /).click()
  await button(page, 'Export 134 missing files as CSV').click()
  await button(page, 'Export JSON').click()
  await page.waitForFunction(() => window.fake.saved.length === 3)
  const [byState, missing, json] = await saved(page)
  expect(byState?.name).toBe('rom-sets.csv')
  expect(byState?.text.split('\r\n')[0]).toBe('rom_set,clone_of,dat,state,found,needed,right')
  expect(byState?.text.trim().split('\r\n')).toHaveLength(57)
  expect(missing?.text.split('\r\n')[0]).toBe('rom_set,name,bytes,state,dat')
  expect(JSON.parse(json?.text ?? '')).toMatchObject({ schema: 'stowage.roms/1', totals: { present: 852 } })
})

it('takes DATs and folders that are dropped, and says when the result is of others', async () => {
  const page = await romsPage(windows)
  await page.evaluate(() =>
    window.fake.emit('app.sourcesGiven', [
      { path: '/media/roms', kind: 'folder', name: 'roms' },
      { path: '/media/Nintendo.dat', kind: 'file', name: 'Nintendo.dat' },
      { path: '/media/game.zip', kind: 'file', name: 'game.zip' },
      { path: '/media/Sony - Datfile (2026).zip', kind: 'file', name: 'Sony - Datfile (2026).zip' },
    ]),
  )
  const names = (list: string) =>
    page.getByRole('list', { name: list, exact: true }).locator('.source-name').allTextContents()
  expect(await names('Files to check')).toEqual(['roms', 'game.zip'])
  expect(await names('DATs')).toEqual(['Nintendo.dat', 'Sony - Datfile (2026).zip'])
  await button(page, 'Compare').click()
  await finish(page)
  await sets(page).waitFor()
  await page.getByText('roms +1 with 2 DATs', { exact: false }).click()
  await button(page, 'Remove game.zip').click()
  await page.getByText('The folders, DATs or layout have changed since this comparison.').waitFor()
  await page.getByRole('button', { name: /^ROM sets, out of date/ }).waitFor()
  await button(page, 'Compare again').click()
  await finish(page)
  await page.getByText('have changed since this comparison', { exact: false }).waitFor({ state: 'detached' })
  // On other pages a drop is for an archive.
  await page.keyboard.press('Control+1')
  await page.evaluate(() => window.fake.give('2012'))
  await page.getByText('1 source, ready').waitFor()
})

it('keeps the last result when a comparison is cancelled, and says that nothing was left', async () => {
  const page = await romsPage(windows)
  await startComparing(page)
  await advance(page, 0.5)
  await button(page, 'Cancel').click()
  await page.getByText('The comparison of ROM sets was stopped', { exact: false }).waitFor()
  await page.getByText('none is renamed, moved or deleted', { exact: false }).waitFor()
  await button(page, 'Compare').click()
  await finish(page)
  await page.getByText(COMPLETE, { exact: true }).waitFor()
  await button(page, 'Compare again').click()
  await advance(page, 0.5)
  await button(page, 'Cancel').click()
  await page.getByText(COMPLETE, { exact: true }).waitFor()
  expect(await sets(page).isVisible()).toBe(true)
})

it('names the DAT that cannot be read, and what to do now', async () => {
  const page = await romsPage(windows, {
    jobFails: { roms: { code: 'bad-input', message: 'cannot read NES.dat: line 7: a size that is none' } },
  })
  await startComparing(page)
  await finish(page)
  await page.getByText('Cannot read NES.dat: line 7: a size that is none.').waitFor()
  await page.getByText('Remove this DAT, or replace it with a sound copy.', { exact: false }).waitFor()
  await page.getByRole('button', { name: /^ROM sets, failed/ }).waitFor()
  expect(await button(page, 'Compare').isEnabled()).toBe(true)
})

it('takes the folders and DATs of the source in hand', async () => {
  const page = await windows.window({
    sources: [{ path: '/media/roms', kind: 'folder', name: 'roms' }],
  })
  await page.getByText('DATs for ROM collections', { exact: true }).click()
  await button(page, 'Add DATs…').click()
  await openRoms(page)
  await button(page, 'Take those of Source').click()
  await button(page, 'Remove roms').waitFor()
  await button(page, 'Remove Nintendo - Game Boy (20261101).dat').waitFor()
})

it('hands what was compared on to Source, with its DATs, and asks where an archive is in hand', async () => {
  const page = await romsPage(windows)
  await radio(page, 'Merged').click()
  await compared(page)
  await button(page, 'Archive these').click()
  await page.getByText('2 sources, ready').waitFor()
  await page.getByText('DATs for ROM collections: 2', { exact: true }).click()
  expect(await radio(page, 'Merged').isChecked()).toBe(true)
  const other = await romsPage(windows, {
    sources: [{ path: '/media/letters', kind: 'folder', name: 'letters' }],
  })
  await compared(other)
  await button(other, 'Archive these').click()
  await other.getByRole('dialog').getByRole('button', { name: 'New archive' }).click()
  await other.getByText('2 sources, ready').waitFor()
  await other.getByText('DATs for ROM collections: 2', { exact: true }).waitFor()
})

it('stays quick with 40,000 ROM sets: only rows in view are drawn', { tags: 'long' }, async () => {
  const page = await romsPage(windows, { roms: { games: 20_000 } })
  await compared(page)
  expect(await page.locator('.page-says').innerText()).toMatch(
    /^3\d,\d{3}\sof\s39,\d{3}\sROM\ssets\scomplete,\s\d,\d{3}\spartial,\s\d,\d{3}\smissing/,
  )
  await page.getByRole('searchbox', { name: 'Search' }).fill('garden 800')
  await page.getByRole('heading', { name: /^\d of 39,\d\d\d ROM sets$/ }).waitFor()
  await page.getByRole('searchbox', { name: 'Search' }).fill('')
  await sets(page).focus()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.locator('.rom-held').waitFor()
  expect(await page.getByRole('row').count()).toBeLessThan(80)
  await picture(page, 'roms-40000')
})
