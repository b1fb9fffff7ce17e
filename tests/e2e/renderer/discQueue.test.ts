import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { AskedRestore } from '../../../src/contract/dto/askedRestore'
import type { RestoreRequest } from '../../../src/contract/dto/restore'
import type { Scenario } from '../../fixtures/fakeEngine/scenario'
import { button, callsOf } from './controls'
import { HOME } from './keptSets'
import { check, openedImages, search } from './restorePanel'
import { speakGerman } from './speakGerman'
import { textFaults } from './textFaults'
import { finish, picture, showAs, windowsForTests } from './windowUnderTest'

const windows = windowsForTests()

/** Two of seven discs were given; 2005 and 2009 are on others. */
async function asked(
  discsGiven: readonly string[],
  lostDiscs: readonly number[] = [],
  more: Scenario = {},
): Promise<Page> {
  const scenario: Scenario = {
    ...more,
    discsGiven: ['/media/discs/01.iso', ...discsGiven],
    lostDiscs,
  }
  const page = await windows.window(scenario)
  await openedImages(page)
  for (const year of ['2005', '2009']) await check(page, year).click()
  await button(page, 'Ask for each disc…').click()
  return page
}

/** Drags these files over the window, reads what it promises, and drops them. */
async function drop(page: Page, promise: string, ...names: string[]): Promise<void> {
  const transfer = await page.evaluateHandle((all) => {
    const data = new DataTransfer()
    for (const name of all) data.items.add(new File(['x'], name))
    return data
  }, names)
  await page.dispatchEvent('.rail', 'dragenter', { dataTransfer: transfer })
  await page.locator('.drop-overlay').getByText(promise).waitFor()
  await picture(page, `disc queue, ${promise}`)
  await page.dispatchEvent('.rail', 'drop', { dataTransfer: transfer })
  await page.locator('.drop-overlay').waitFor({ state: 'detached' })
}

async function everyLookOf(page: Page, name: string): Promise<void> {
  await picture(page, name)
  await showAs(page, { dark: true })
  await picture(page, `${name}, dark`)
  await showAs(page, { width: 900, height: 600 })
  await picture(page, `${name}, 900`)
  expect(await textFaults(page)).toEqual([])
  await showAs(page, {})
}

const question = (page: Page) => page.locator('.disc-question [role=status]')
const wrong = (page: Page) => page.locator('.disc-question [role=alert]')
const rows = (page: Page) => page.getByRole('table', { name: 'Discs to insert' }).getByRole('row')

async function restored(page: Page): Promise<readonly string[][]> {
  const requests = (await callsOf(page, 'restore.start')) as RestoreRequest[]
  return requests.map(({ volumes }) => volumes)
}

/** Of two discs one is read; the last one is at another place. */
const WAITING: AskedRestore = {
  id: 'q-0123456789ab',
  askedWallMs: 1_795_000_000_000,
  volumes: ['/media/discs/01.iso'],
  chosen: { paths: ['2005', '2009'], except: [] },
  to: '/home/anna/Pictures, restored',
  force: false,
  trust: false,
  without: [{ label: 'PHOTOS_04', copy: 1 }],
  near: 'home',
  given: ['PHOTOS_02'],
  discs: 2,
  next: { label: 'PHOTOS_04', place: "parents' house" },
}

describe('a restore of an earlier day', () => {
  it('goes on where it was, with the copies that were skipped, by keyboard', { tags: 'long' }, async () => {
    const page = await windows.window({ ...HOME, askedRestores: [WAITING], discsGiven: ['/media/PHOTOS_04'] })
    await page.getByText("1 of 2 discs read; next: PHOTOS_04, kept at: parents' house").waitFor()
    await everyLookOf(page, 'waiting restore, home')
    await page.keyboard.press('Control+7')
    await everyLookOf(page, 'waiting restore, restore')
    await button(page, 'Go on restoring to Pictures, restored').focus()
    await page.keyboard.press('Enter')
    await question(page).getByText('Insert').waitFor()
    await picture(page, 'waiting restore, goes on')
    expect(await callsOf(page, 'restore.queue')).toMatchObject([
      {
        to: WAITING.to,
        resumes: true,
        given: WAITING.given,
        volumes: WAITING.volumes,
        chosen: WAITING.chosen,
        without: WAITING.without,
        near: 'home',
      },
    ])
    await button(page, 'Stop asking').click()
    await button(page, 'Go on restoring to Pictures, restored').waitFor({ state: 'detached' })
  })

  it('is forgotten when a person says so', { tags: 'long' }, async () => {
    const page = await windows.window({ ...HOME, askedRestores: [WAITING] })
    await showAs(page, { width: 900, height: 600, dark: true })
    await speakGerman(page)
    await page.getByText("1 von 2 Discs gelesen; als Nächstes: PHOTOS_04, Ort: parents' house").waitFor()
    await picture(page, 'waiting restore, German')
    expect(await textFaults(page)).toEqual([])
    await button(page, 'Wiederherstellung nach Pictures, restored vergessen').click()
    await page.getByText('Unfertige Wiederherstellungen').waitFor({ state: 'detached' })
    expect(await callsOf(page, 'asked.forget')).toEqual([{ id: WAITING.id }])
  })
})

describe('the queue of discs', () => {
  it('asks for one disc after another by label and place, and restores from each', async () => {
    const page = await asked(['/media/discs/PHOTOS_02.iso', '/media/PHOTOS_04'])
    await question(page).getByText('Insert PHOTOS_02, copy 1, kept at: home').waitFor()
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Choose the disc or folder…')
    // Everything goes by keyboard: the button for the next disc has the focus.
    await page.keyboard.press('Enter')
    await question(page).getByText('Reading PHOTOS_02…').waitFor()
    await finish(page)
    await question(page).getByText('Insert PHOTOS_04, copy 1, kept at: home').waitFor()
    await page.keyboard.press('Enter')
    await question(page).getByText('Reading PHOTOS_04…').waitFor()
    await finish(page)
    await question(page).getByText('No disc is left to insert.').waitFor()
    expect(await rows(page).count()).toBe(0)
    expect(await page.getByRole('region', { name: 'Restore to' }).count()).toBe(0)
    await picture(page, 'disc queue, done')
    expect(await restored(page)).toEqual([['/media/discs/PHOTOS_02.iso'], ['/media/PHOTOS_04']])
  })

  it('says which disc was given in place of the one that is wanted, and restores nothing', {
    tags: 'long',
  }, async () => {
    const page = await asked(['/media/PHOTOS_06', '/media/OTHER', '/media/PHOTOS_02'])
    await button(page, 'Choose the disc or folder…').click()
    await wrong(page).getByText('This is PHOTOS_06, which is not needed now. Insert PHOTOS_02.').waitFor()
    const before = await page.locator('.disc-question').boundingBox()
    await button(page, 'Choose the disc or folder…').click()
    await wrong(page).getByText('This is OTHER, which belongs to another set. Insert PHOTOS_02.').waitFor()
    expect(await restored(page)).toEqual([])
    await button(page, 'Choose the disc or folder…').click()
    await question(page).getByText('Reading PHOTOS_02…').waitFor()
    // Nothing moves when the warning goes.
    expect(await page.locator('.disc-question').boundingBox()).toEqual(before)
    await finish(page)
    await question(page).getByText('Insert PHOTOS_04').waitFor()
  })

  it('takes discs that are dropped on the window, several at once, and none while one is read', {
    tags: 'long',
  }, async () => {
    const page = await asked([])
    await drop(page, 'Drop to restore from PHOTOS_02', 'PHOTOS_06')
    await wrong(page).getByText('This is PHOTOS_06, which is not needed now. Insert PHOTOS_02.').waitFor()
    await showAs(page, { width: 900, height: 600, dark: true })
    await picture(page, 'disc queue, wrong disc')
    await drop(page, 'Drop to restore from PHOTOS_02', 'OTHER', 'PHOTOS_04', 'PHOTOS_02', 'PHOTOS_02.iso')
    await question(page).getByText('Reading PHOTOS_04 and PHOTOS_02…').waitFor()
    await drop(page, 'Reading PHOTOS_04 and PHOTOS_02…', 'PHOTOS_06')
    await finish(page)
    await question(page).getByText('No disc is left to insert.').waitFor()
    expect(await restored(page)).toEqual([['/media/dropped/PHOTOS_04', '/media/dropped/PHOTOS_02']])
    // From now on a drop is for another archive.
    await drop(page, 'Drop to archive', 'Karelia')
    await page.getByRole('heading', { name: 'Source', level: 1 }).waitFor()
    await page.keyboard.press('Control+7')
    await button(page, 'Done').click()
    await page.locator('.disc-queue').waitFor({ state: 'detached' })
  })

  it('asks for a disc again whose restore has failed', { tags: 'long' }, async () => {
    const page = await asked(['/media/PHOTOS_02', '/media/PHOTOS_02'], [], {
      jobFails: { restore: { code: 'io', message: 'cannot write /home/anna/back: input/output error' } },
    })
    await button(page, 'Choose the disc or folder…').click()
    await question(page).getByText('Reading PHOTOS_02…').waitFor()
    await finish(page)
    await question(page).getByText('Insert PHOTOS_02, copy 1, kept at: home').waitFor()
  })

  it('goes on without a disc: its files come from another copy, or are named as lost', {
    tags: 'long',
  }, async () => {
    const page = await asked([], [2])
    await question(page).getByText("Insert PHOTOS_02, copy 2, kept at: parents' house").waitFor()
    await button(page, 'Skip this copy').click()
    await question(page).getByText('Insert PHOTOS_04, copy 1, kept at: home').waitFor()
    await button(page, 'Skip this copy').click()
    await question(page).getByText("Insert PHOTOS_04, copy 2, kept at: parents' house").waitFor()
    await page.getByText('1 file cannot be restored', { exact: false }).waitFor()
    expect(await rows(page).count()).toBe(2)
    await button(page, 'Stop asking').click()
    await page.locator('.disc-queue').waitFor({ state: 'detached' })
    expect(await search(page).isVisible()).toBe(true)
  })
})
