import type { Page } from 'playwright-core'
import type { OptionsRequest } from '../../../src/contract/dto/options'
import { DRIVES } from '../../fixtures/fakeEngine/drives'
import { volumeCopy } from '../../fixtures/fakeEngine/fakeCopies'
import { longPath } from '../../fixtures/fakeEngine/longPath'
import type { Scenario } from '../../fixtures/fakeEngine/scenario'
import { now, VOLUMES } from './checkedVolumes'
import { button, exportLists, radio } from './controls'
import { tryRestore } from './drillPanel'
import { READER_NAMES } from './plannedDiscs'
import { check, search, takes } from './restorePanel'
import { addInputs, openRoms, setRow } from './romsPage'
import { unfold } from './surveyStep'
import { advance, finish } from './windowUnderTest'

/** Everything at its longest: names, paths, ranges, marks, problems, histories. */
export const FULL: Scenario = {
  sources: [
    { path: '/media/photos/Photos 2003–2024', kind: 'folder', name: 'Photos 2003–2024' },
    { path: longPath(7), kind: 'file', name: longPath(7).split('/').at(-1) ?? '' },
  ],
  history: true,
  survey: {
    sketched: true,
    longPaths: true,
    skipped: 1412,
    folders: {
      excluded: {
        files: 12,
        bytes: 73_728,
        folders: 0,
        counted: false,
        rules: [
          { from: 'preset', preset: 'litter', pattern: '.DS_Store', files: 12, bytes: 73_728, folders: 0 },
        ],
        paths: [],
        unused: [],
        faults: [],
      },
    },
  },
  checksDue: VOLUMES,
  copies: [
    volumeCopy(1, 'home'),
    volumeCopy(2, 'parents’ house', { state: 'lost', lostWallMs: now }),
    volumeCopy(1, 'home', { volume: 2, label: 'PHOTOS_02', state: 'damaged' }),
    volumeCopy(1, null, { volume: 3, label: 'PHOTOS_03', state: 'overdue' }),
    // Of the plan in the catalog, whose volumes have files and sizes.
    volumeCopy(1, 'the bottom drawer of the desk in the old study', { planId: 'pa' }),
    volumeCopy(1, 'home', { planId: 'pa', volume: 2, label: 'PHOTOS_02', state: 'unverified' }),
    volumeCopy(2, 'parents’ house', { planId: 'pa', volume: 2, label: 'PHOTOS_02' }),
  ],
  settings: { units: 'binary' },
  options: { built: 12 },
  measure: { stallEvery: 9 },
  measured: [
    { seed: 5, bytesPerSecond: 2.3e9 },
    { seed: 6, isCached: true },
    {
      seed: 7,
      bytesPerSecond: 0.52e9,
      device: { key: 'usb:T7', name: 'Samsung T7', kind: 'usb', bus: 'USB' },
    },
  ],
  swept: [
    { seed: 9, request: { kinds: ['UDSB', 'UDSP', 'UDRW'], encryptions: [null, 256], fullBytes: 100e9 } },
    { seed: 6, isCached: true, request: { encryptions: [256] } },
  ],
  stored: { folders: 10, copies: 3, byTime: true },
  problems: [
    {
      code: 'name-unsupported',
      message: 'a name is too long for the medium',
      path: longPath(3),
      blocking: false,
    },
    ...READER_NAMES,
  ],
  failingVolumes: [2],
  setPassword: 'open sesame, please do',
  found: 40,
  drives: DRIVES,
}

const title = (page: Page, step: string) => page.getByRole('heading', { name: step, level: 1 }).waitFor()

async function surveyed(page: Page): Promise<void> {
  await button(page, 'Start survey').click()
  await finish(page)
  await page.getByRole('button', { name: /^Survey, done/ }).waitFor()
}

/** Opens help from the head of the window; what is open before is closed. */
async function openHelp(page: Page, item: string, dialog: string): Promise<void> {
  await page.keyboard.press('Escape')
  await button(page, 'Help').click()
  await page.getByRole('menuitem', { name: item }).click()
  await page.getByRole('dialog', { name: dialog }).waitFor()
}

/** The states of each step in turn: what leads there, by the name of the state. */
export const STEPS: Readonly<Record<string, Readonly<Record<string, (page: Page) => Promise<unknown>>>>> = {
  source: {
    listed: (page) => page.getByText('2 sources, ready').waitFor(),
    answered: async (page) => {
      await radio(page, 'Discs').click()
      for (const system of ['Windows', 'Linux']) await page.getByText(system, { exact: true }).click()
      await radio(page, 'Yes, encrypt it').click()
      await radio(page, 'Readable in 30 years').click()
      await page.getByText('Survey settings', { exact: true }).click()
      await page.getByText('DATs for ROM collections', { exact: true }).click()
      await button(page, 'Add DATs…').click()
      await button(page, /^Remove Nintendo/).waitFor()
    },
    rules: async (page) => {
      await button(page, 'Open Photos 2003–2024').click()
      await page.getByRole('checkbox', { name: 'Keep Exports', exact: true }).click()
      await page.locator('.kept-rules summary').click()
      await page.getByRole('list', { name: 'Patterns' }).waitFor()
    },
    map: async (page) => {
      await page.getByRole('radio', { name: 'Map' }).click()
      await page.getByRole('option').first().click()
    },
    'map-by-type': (page) => page.getByRole('radio', { name: 'Type', exact: true }).click(),
    'map-by-year': (page) => page.getByRole('radio', { name: 'Year', exact: true }).click(),
  },
  survey: {
    running: async (page) => {
      await button(page, 'Start survey').click()
      await advance(page, 0.37)
      // The strip of a small window has it too, but does not show it.
      await page.getByText('29,074 of 78,579 files', { exact: true }).waitFor({ state: 'attached' })
    },
    done: async (page) => {
      await finish(page)
      for (const line of ['Analysis', 'Duplicate files', '1,412 files were not read'])
        await unfold(page, line)
      await page.getByRole('table', { name: '1,412 files were not read' }).waitFor()
    },
    'by-folders': async (page) => {
      await page.getByRole('radio', { name: 'Folders and years' }).click()
      await page.getByRole('list', { name: 'Largest folders' }).waitFor()
    },
    stored: async (page) => {
      await page.getByRole('radio', { name: 'Types', exact: true }).click()
      const table = page.getByRole('grid', { name: 'Already on verified volumes' })
      await table.getByText('/2019', { exact: true }).click()
      await page.getByRole('button', { name: 'Leave this folder out' }).click()
    },
    'as-tables': async (page) => {
      for (const toggle of await page.getByRole('button', { name: /^Table of / }).all()) await toggle.click()
    },
  },
  measure: {
    empty: async (page) => {
      await page.keyboard.press('Control+8')
      await title(page, 'Measure')
    },
    ready: async (page) => {
      await button(page, 'Choose a folder…').click()
      await page.getByText('in its own folder', { exact: false }).first().waitFor()
    },
    running: async (page) => {
      await button(page, 'Measure').click()
      await advance(page, 0.6)
      await page.getByText('Each point is one timed file.').waitFor()
    },
    done: async (page) => {
      await finish(page)
      await page.getByRole('button', { name: /^Measure, done/ }).waitFor()
      await page.getByRole('table', { name: 'Tests' }).getByText('Files of random size').first().waitFor()
    },
    compared: async (page) => {
      await page.getByRole('radio', { name: 'All devices' }).click()
      await page
        .getByRole('button', { name: /^Compare with Quick/ })
        .last()
        .click()
      await page.getByRole('table', { name: /^Compared with Quick, / }).waitFor()
      for (const toggle of await page.getByRole('button', { name: /^Table of / }).all()) await toggle.click()
    },
  },
  bands: {
    ready: async (page) => {
      await page.keyboard.press('Control+8')
      await page.getByRole('radio', { name: 'Band sizes' }).click()
      await button(page, 'Choose a folder…').click()
      await page.getByText('in its own folder', { exact: false }).first().waitFor()
    },
    done: async (page) => {
      await page
        .getByRole('button', { name: /^Open the band sweep of/ })
        .first()
        .click()
      await page.getByText('it has', { exact: false }).first().waitFor()
    },
    'as-table': async (page) => {
      await button(page, 'Table of Band sizes').click()
      await page.getByRole('table', { name: 'Band sizes' }).waitFor()
    },
  },
  choose: {
    candidates: async (page) => {
      await surveyed(page)
      await button(page, 'Choose').click()
      await page.getByRole('article', { name: 'Encrypted vault' }).waitFor()
    },
    chosen: async (page) => {
      await radio(page, 'All options').click()
      await page.getByText(/^Best of \d+: /).waitFor()
      await page.getByText('More', { exact: true }).click()
    },
    compared: async (page) => {
      const table = page.getByRole('grid', { name: 'All options' })
      await table.focus()
      for (const key of ['ArrowDown', 'Enter', 'End', 'Enter', 'Home']) await page.keyboard.press(key)
      await button(page, 'Table of Trade-offs').click()
      await page.getByRole('article').nth(2).waitFor()
    },
    built: async (page) => {
      await page.locator('button:enabled', { hasText: 'Build it here…' }).first().click()
      await button(page, 'Start the build').click()
      await finish(page)
      await page.getByText(/^Built 3 Mar 2026/).waitFor()
    },
    impossible: async (page) => {
      await page.getByRole('textbox', { name: 'Memory' }).fill('10 MB')
      await page.getByRole('region', { name: 'No option meets these limits' }).waitFor()
    },
    accuracy: async (page) => {
      await page.getByRole('radio', { name: 'Forecast vs. actual' }).click()
      await page.getByRole('table', { name: 'Builds' }).waitFor()
    },
  },
  plan: {
    empty: async (page) => {
      await surveyed(page)
      await page.keyboard.press('Control+4')
      await title(page, 'Plan')
    },
    awaited: async (page) => {
      await button(page, 'Make the plan').click()
      await advance(page, 0.5)
      await page.getByText(/^Planning \d+ discs, \d+ of \d+$/).waitFor()
    },
    made: async (page) => {
      await finish(page)
      await page.getByRole('option').first().waitFor()
    },
    searched: async (page) => {
      await page.getByRole('main').getByRole('searchbox').fill('2009')
      await page.getByRole('grid', { name: 'Found' }).waitFor()
      await page.getByRole('main').getByRole('searchbox').fill('')
    },
    names: async (page) => {
      for (const details of await page.locator('.reader-names summary').all()) await details.click()
    },
    folder: async (page) => {
      await page.locator('.disc-files').getByRole('grid').press('Enter')
      await page.getByText('IMG_0001.CR2', { exact: true }).waitFor()
    },
    exported: async (page) => {
      await exportLists(page)
      await page.waitForFunction(() => window.fake.callsOf('plan.export').length === 1)
      await finish(page)
      await button(page, 'Build it').waitFor()
    },
  },
  packed: {
    chosen: async (page) => {
      await surveyed(page)
      await page.keyboard.press('Control+3')
      await radio(page, 'All options').click()
      await radio(page, 'AES-256').click()
      await page.getByText('More', { exact: true }).click()
      await page.getByRole('radiogroup', { name: 'Container' }).getByText('7z', { exact: true }).click()
      await radio(page, 'Smallest').click()
      await page.waitForFunction(() => {
        const { encryption, limits, goal } = window.fake.callsOf('options.list').at(-1) as OptionsRequest
        return encryption === 'aes-256' && limits.container === '7z' && goal === 'smallest'
      })
      await page.locator('.choose[aria-busy=false]').waitFor()
      await page.getByText(/^Best of \d+: .*7z/).waitFor()
      await button(page, 'Use this').click()
      await title(page, 'Plan')
    },
    disk: async (page) => {
      await page.getByRole('radio', { name: 'One folder on a disk' }).focus()
      await page.keyboard.press('Space')
      await button(page, 'Make the plan').click()
      await finish(page)
      await page.getByRole('option').first().waitFor()
    },
    joined: async (page) => {
      await button(page, 'Medium and settings…').click()
      await page.getByRole('radio', { name: /^BD-R 25 GB ?24\.8|^BD-R 25 GB ?23\.1/ }).focus()
      await page.keyboard.press('Space')
      await page.getByText('One packed file across all discs').click()
      await button(page, 'Make the plan').click()
      await finish(page)
      await page.getByRole('option').nth(2).waitFor()
    },
    made: async (page) => {
      await button(page, 'Medium and settings…').click()
      await page.getByText('Each disc restores alone').click()
      await button(page, 'Make the plan').click()
      await finish(page)
      await page.getByRole('heading', { name: /_01$/ }).waitFor()
    },
    password: async (page) => {
      await exportLists(page)
      await page.waitForFunction(() => window.fake.callsOf('plan.export').length === 1)
      await finish(page)
      await button(page, 'Build it').click()
      await button(page, 'Build all').click()
      for (const name of ['New password', 'Repeat password'])
        await page.getByLabel(name, { exact: true }).fill('open sesame, please do')
    },
    packing: async (page) => {
      await button(page, 'Start the build').click()
      await advance(page, 0.3)
      await page.locator('.strip').getByText('Packing', { exact: true }).waitFor()
    },
    verified: async (page) => {
      await finish(page)
      await button(page, 'Verify').click()
      await finish(page)
      await page.getByText('failed', { exact: false }).first().waitFor()
    },
  },
  build: {
    empty: async (page) => {
      await surveyed(page)
      await page.keyboard.press('Control+5')
      await title(page, 'Build')
    },
    running: async (page) => {
      await page.keyboard.press('Control+4')
      await button(page, 'Make the plan').click()
      await finish(page)
      await exportLists(page)
      await page.waitForFunction(() => window.fake.callsOf('plan.export').length === 1)
      await finish(page)
      await button(page, 'Build it').click()
      await button(page, 'Build all').click()
      await advance(page, 0.5)
      await page.getByText('working').waitFor()
    },
    verified: async (page) => {
      await finish(page)
      await button(page, 'Verify').click()
      await finish(page)
      await page.getByText('failed', { exact: false }).first().waitFor()
    },
    writing: async (page) => {
      await button(page, 'Burn or copy…').click()
      await page.getByRole('radio', { name: /^\/dev\/sr0/ }).press('Space')
    },
    disc: async (page) => {
      await button(page, 'Burn 9 discs').click()
      await advance(page, 0.4)
      await page.evaluate(() => window.fake.askForDisc(2, 'the disc in /dev/sr0 is not blank'))
      await page.getByRole('alertdialog').waitFor()
    },
  },
  catalog: {
    listed: async (page) => {
      await page.keyboard.press('Control+6')
      await title(page, 'Catalog')
      await page
        .getByRole('button', { name: /^Open Photos/ })
        .first()
        .waitFor()
    },
    found: async (page) => {
      await page.getByRole('searchbox', { name: 'Find archives, discs, files' }).fill('karelia*.cr2')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: '40 files found' }).waitFor()
    },
  },
  archive: {
    discs: async (page) => {
      await page.keyboard.press('Alt+Home')
      await button(page, /\. Copies and places of PHOTOS_01 to _03$/).click()
      await page.getByText('Every copy of PHOTOS_02 is lost or damaged', { exact: false }).waitFor()
    },
    judged: async (page) => {
      await page.keyboard.press('Alt+Home')
      await button(page, /\. Copies and places of PHOTOS_01 to _05$/).click()
      await page
        .getByRole('table', { name: 'If one place burns' })
        .getByText(/files, /)
        .first()
        .waitFor()
      await button(page, 'Is the source of PHOTOS_01 to _05 safe to delete?').click()
      await page.getByText('is not safe to delete', { exact: false }).first().waitFor()
    },
  },
  restore: {
    locked: async (page) => {
      await page.keyboard.press('Control+6')
      await page
        .getByRole('button', { name: /^Restore .+, \d/ })
        .first()
        .click()
      await page.getByText('This set is encrypted.', { exact: false }).waitFor()
    },
    tree: async (page) => {
      await page.getByLabel('Password', { exact: true }).fill('open sesame, please do')
      await button(page, 'Open the set').click()
      await button(page, 'Open 2003').click()
      await check(page, 'Iceland').click()
      await takes(page, /^1 folder, 40 files/)
    },
    found: async (page) => {
      await search(page).fill('*_00001.cr?')
      await page.getByText('42 folders and files match', { exact: false }).waitFor()
    },
    done: async (page) => {
      await search(page).fill('')
      await button(page, 'Restore…').click()
      await finish(page)
      await button(page, 'Show in folder').waitFor()
    },
    drill: tryRestore,
    drilled: async (page) => {
      await button(page, 'Start the drill').click()
      await finish(page)
      await page.getByText('20 of 20 files came back', { exact: false }).waitFor()
    },
    which: async (page) => {
      await button(page, 'Choose another set…').click()
      await page.keyboard.press('Control+6')
      await page.keyboard.press('Control+7')
      await title(page, 'Restore')
    },
  },
  images: {
    new: async (page) => {
      await page.keyboard.press('Control+9')
      await title(page, 'Images')
      await page.getByRole('region', { name: 'Preview' }).waitFor()
    },
    existing: async (page) => {
      await page.getByRole('radio', { name: 'Existing image' }).click()
      await button(page, 'Open a sparse bundle…').click()
      await button(page, 'Verify').waitFor()
    },
  },
  help: {
    keys: async (page) => {
      await page.locator('h1').focus()
      await page.keyboard.press('?')
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    },
    glossary: (page) => openHelp(page, 'Glossary', 'Glossary'),
    diagnostics: async (page) => {
      await openHelp(page, 'Copy diagnostics', 'Diagnostics')
      await page.getByText('All 7 checks are ok.', { exact: false }).waitFor()
    },
    about: (page) => openHelp(page, 'About Stowage', 'About Stowage'),
    removed: async (page) => {
      await page.keyboard.press('Escape')
      await button(page, 'Remove Photos 2003–2024 from the sources').click()
      await button(page, 'Undo').waitFor()
    },
    'skip-link': async (page) => {
      await page.keyboard.press('Control+1')
      await page.getByRole('link', { name: 'Skip to the step' }).focus()
    },
  },
  roms: {
    empty: openRoms,
    ready: addInputs,
    running: async (page) => {
      await button(page, 'Compare').click()
      await advance(page, 0.6)
      await page.getByText('The result is shown when all files are compared.').waitFor()
    },
    unfolded: async (page) => {
      await finish(page)
      await radio(page, /^Partial/).click()
      await setRow(page, 'Moon Garden').click()
      await page.locator('.rom-held').waitFor()
    },
    missing: (page) => radio(page, /^Missing files /).click(),
    files: (page) => radio(page, /^Files /).click(),
    dats: async (page) => {
      await radio(page, /^DATs /).click()
      await page.getByText('3 paths were not read', { exact: true }).click()
    },
    outdated: async (page) => {
      await page.getByText('with 2 DATs, layout as each DAT asks', { exact: false }).click()
      await radio(page, 'Merged').click()
    },
  },
  settings: {
    shown: async (page) => {
      await page.keyboard.press('Control+,')
      await title(page, 'Settings')
    },
    wrong: (page) => page.getByRole('textbox', { name: 'Memory for duplicate blocks' }).fill('1k'),
  },
}
