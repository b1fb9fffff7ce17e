import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { VolumeCopy } from '../../../src/contract/dto/copies'
import { volumeDue } from '../../fixtures/fakeEngine/fakeChecks'
import { volumeCopy } from '../../fixtures/fakeEngine/fakeCopies'
import type { Scenario } from '../../fixtures/fakeEngine/scenario'
import { button, callsOf, region } from './controls'
import { cutTables, LOOKS, see } from './everyLook'
import { HOME } from './keptSets'
import { speakGerman } from './speakGerman'
import { title } from './waysToStates'
import { type Look, picture, showAs, windowsForTests } from './windowUnderTest'

const windows = windowsForTests()
const NOW = Date.now()
const LETTERS = 'Letters of the family'
const VOLUMES = [1, 2, 3, 4, 5, 6, 7, 8, 9]

const copyOf = (volume: number, copy: number, place: string | null, facts: Partial<VolumeCopy> = {}) =>
  volumeCopy(copy, place, { planId: 'p-verified', volume, label: `LETTERS_0${volume}`, ...facts })

/** The archive of letters with these copies, among other sets. */
function letters(copies: readonly VolumeCopy[], more: Scenario = {}): Scenario {
  const checksDue = copies
    .filter(({ state }) => state === 'good')
    .map(({ label, volume, copy }) =>
      Object.assign(volumeDue(label, volume, NOW, { checkedDays: 20, dueDays: 345 }), {
        planId: 'p-verified',
        copy,
      }),
    )
  return { ...HOME, checksDue: [...(HOME.checksDue ?? []), ...checksDue], copies, ...more }
}

const TWO_PLACES = VOLUMES.flatMap((volume) => [copyOf(volume, 1, 'home'), copyOf(volume, 2, 'the studio')])

const isNotOf =
  (volume: number, copy: number) =>
  (known: VolumeCopy): boolean =>
    known.volume !== volume || known.copy !== copy

/** The line of a row on Home that says how many copies there are, and leads to them. */
const copiesOf = (page: Page, label: string) =>
  region(page, 'My archives').getByRole('button', { name: `. Copies and places of ${label}` })

/** The page of the letters, by one press of a key in their row. */
async function openLetters(scenario: Scenario, look: Look = {}): Promise<Page> {
  const page = await windows.window(scenario, look)
  await copiesOf(page, LETTERS).press('Enter')
  await title(page, LETTERS)
  return page
}

const says = (page: Page) => page.locator('.page-says').innerText()
const steps = (page: Page) => region(page, 'Next steps')
const rowsOf = (page: Page, panel: string) => region(page, panel).getByRole('row')

describe('the page of an archive', () => {
  it('is one press from Home, and says how well its copies keep it', async () => {
    const page = await openLetters(letters(TWO_PLACES))
    expect(await says(page)).toBe('Good. 2 copies of each volume at 2 places, verified in Mar 2026 or later.')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(LETTERS)
    expect(await steps(page).count()).toBe(0)
    await button(page, 'My archives').click()
    await title(page, 'Home')
  })

  it.each([
    ['2 copies at 2 places', TWO_PLACES],
    ['1 copy at 1 place', TWO_PLACES.filter(isNotOf(4, 2))],
    ['8 of 9 without a copy', [copyOf(1, 1, 'home')]],
    [
      'lost: LETTERS_01, copy 2, the studio',
      [...TWO_PLACES.filter(isNotOf(1, 2)), copyOf(1, 2, 'the studio', { state: 'lost', lostWallMs: NOW })],
    ],
    [
      'damaged: LETTERS_02, copy 1, home',
      [...TWO_PLACES.filter(isNotOf(2, 1)), copyOf(2, 1, 'home', { state: 'damaged', damagedWallMs: NOW })],
    ],
  ])('has its health in the row of Home: %s', async (words, copies) => {
    const page = await windows.window(letters(copies))
    const row = region(page, 'My archives').getByRole('row').filter({ hasText: LETTERS })
    await row.getByText(words, { exact: true }).waitFor()
  })

  it('counts no image in the folder of its plan in the row of Home', async () => {
    const built = VOLUMES.map((volume) => copyOf(volume, 0, null))
    const page = await windows.window(letters(built))
    const row = region(page, 'My archives').getByRole('row').filter({ hasText: LETTERS })
    await row.getByText('9 × BD-R 25 GB').waitFor()
    expect(await row.getByText(/\d cop(y|ies)/).count()).toBe(0)
  })

  it('is found by the name of the archive or of a disc, from any page', async () => {
    const page = await windows.window(letters(TWO_PLACES))
    for (const words of ['of the fam', 'letters_07']) {
      await page.keyboard.press('Control+f')
      await page.getByRole('searchbox', { name: 'Find archives, discs, files' }).fill(words)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: '1 archive found' }).waitFor()
      await button(page, `Copies and places of ${LETTERS}`).click()
      await title(page, LETTERS)
    }
  })

  it('lists the copies of this archive alone, each with its place and medium', async () => {
    const page = await openLetters(letters(TWO_PLACES))
    const rows = rowsOf(page, 'Discs and images')
    await rows.nth(3).waitFor()
    expect(await rows.filter({ hasText: 'LETTERS_01' }).filter({ hasText: 'optical disc' }).count()).toBe(1)
    expect(await rows.filter({ hasText: 'LETTERS_01' }).filter({ hasText: 'the studio' }).count()).toBe(1)
    expect(await rows.filter({ hasText: 'FAMILY' }).count()).toBe(0)
    expect(await rowsOf(page, 'Verification calendar').filter({ hasText: 'FAMILY' }).count()).toBe(0)
  })

  it('says what remains and what is gone if any one place burns', async () => {
    const page = await openLetters(
      letters([...VOLUMES.map((volume) => copyOf(volume, 1, 'home')), copyOf(1, 2, 'the studio')]),
    )
    const rows = rowsOf(page, 'If one place burns')
    const home = rows.filter({ hasText: 'home' })
    await home.getByText('8 volumes').waitFor()
    await home.getByText('1 volume', { exact: true }).waitFor()
    expect(await home.getByText(/^[\d,]+ files, [\d.]+.GB$/).count()).toBe(2)
    await rows.filter({ hasText: 'the studio' }).getByText('none').waitFor()
    expect(await says(page)).toBe(
      'One place. 1 copy of each volume at 1 noted place, verified in Mar 2026 or later. ' +
        'The loss of one place may take volumes with it.',
    )
  })

  it('says which copy is lost where, and leads to writing it again', async () => {
    const lost = copyOf(1, 2, 'the studio', { state: 'lost', lostWallMs: NOW })
    const page = await openLetters(letters([...TWO_PLACES.filter(isNotOf(1, 2)), lost]))
    expect(await says(page)).toBe(
      'Copy lost. LETTERS_01, copy 2, the studio: write it again. ' +
        'At least 1 copy of each volume is left, at 1 noted place.',
    )
    await region(page, 'Lost copies')
      .getByRole('button', { name: /^Write again: LETTERS_01, copy 2, the studio/ })
      .click()
    await title(page, 'Build')
    const form = region(page, 'Burn or copy')
    expect(await form.getByRole('textbox', { name: 'Copy' }).inputValue()).toBe('2')
    expect(await button(page, 'Copy 1 volume').count()).toBe(0)
  })

  it('offers to write a lost copy again where it was', async () => {
    const lost = copyOf(1, 2, 'the studio', { state: 'lost', lostWallMs: NOW })
    const writtenTo = { kind: 'folder', path: '/media/studio', problem: null } as const
    const page = await openLetters(letters([...TWO_PLACES.filter(isNotOf(1, 2)), lost], { writtenTo }))
    await button(page, /^Write again: LETTERS_01, copy 2, the studio/).press('Enter')
    const form = region(page, 'Burn or copy')
    await form.getByText('/media/studio').waitFor()
    expect(await form.getByRole('textbox', { name: 'Kept at' }).inputValue()).toBe('the studio')
    expect(await callsOf(page, 'copies.writtenTo')).toEqual([{ planId: 'p-verified', copy: 2, volumes: [1] }])
    expect(await button(page, /^Add copy/).count()).toBe(0)
    await button(page, 'Copy 1 volume').click()
    await page.waitForFunction(() => window.fake.callsOf('run.write').length === 1)
    expect(await callsOf(page, 'run.write')).toMatchObject([
      { folder: '/media/studio', volumes: [1], copy: 2, place: 'the studio', again: true },
    ])
    await page.evaluate(() => window.fake.finish())
  })

  it.each([
    [
      { kind: 'folder', path: '/media/studio', problem: 'its file system is not mounted' },
      'Copy 2 was written to /media/studio, which cannot be reached now: its file system is not mounted.',
    ],
    [
      { kind: 'drive', path: '/dev/sr7', problem: null },
      'Copy 2 was written with /dev/sr7, which is not among the drives now.',
    ],
  ] as const)('says that where a lost copy was cannot be reached: %j', async (writtenTo, words) => {
    const lost = copyOf(1, 2, 'the studio', { state: 'lost', lostWallMs: NOW })
    const page = await openLetters(letters([...TWO_PLACES.filter(isNotOf(1, 2)), lost], { writtenTo }))
    await button(page, /^Write again: LETTERS_01, copy 2, the studio/).click()
    const form = region(page, 'Burn or copy')
    await form.getByText(words, { exact: false }).waitFor()
    await picture(page, `archive-unreached-${writtenTo.kind}`)
    await form.getByText('A folder or mounted disk').click()
    await button(page, 'Copy 1 volume').waitFor()
    expect(await form.getByText(words, { exact: false }).count()).toBe(0)
  })

  it('leads to the checks that are due, and to the next copy', async () => {
    const due = {
      ...volumeDue('LETTERS_02', 2, NOW, { checkedDays: 400, dueDays: -35 }),
      planId: 'p-verified',
    }
    const copies = VOLUMES.map((volume) =>
      copyOf(volume, 1, 'home', volume === 2 ? { state: 'overdue' } : {}),
    )
    const scenario = letters(copies)
    const page = await openLetters({ ...scenario, checksDue: [...(scenario.checksDue ?? []), due] })
    expect(await says(page)).toMatch(/^Check due\. 1 copy is due for a check\./)
    await steps(page)
      .getByRole('button', { name: 'Check now: 1 copy is due for a check: LETTERS_02.' })
      .click()
    await title(page, 'Catalog')
    expect(await callsOf(page, 'check.start')).toMatchObject([{ volumes: ['/media/backup/Letters plan'] }])
    await page.evaluate(() => window.fake.finish())
    await page.keyboard.press('Alt+Home')
    await copiesOf(page, LETTERS).click()
    await steps(page)
      .getByRole('button', { name: /^Write a copy: LETTERS_01 to LETTERS_09: 9 volumes have one copy/ })
      .click()
    await title(page, 'Build')
    const form = region(page, 'Burn or copy')
    expect(await form.getByRole('textbox', { name: 'Copy' }).inputValue()).toBe('2')
  })

  it('notes the place of a copy that has none', async () => {
    const page = await openLetters(letters([copyOf(1, 1, null), copyOf(1, 2, 'the studio')]))
    const row = rowsOf(page, 'If one place burns').filter({ hasText: 'the studio' })
    await row.getByText('1 volume', { exact: true }).waitFor()
    expect(await rowsOf(page, 'If one place burns').first().innerText()).toContain('Place not noted')
    await steps(page)
      .getByRole('button', { name: /^Place…: 1 copy has no place noted/ })
      .press('Enter')
    await region(page, 'Where is this copy kept?').getByRole('textbox', { name: 'Kept at' }).fill('home')
    await page.keyboard.press('Enter')
    await rowsOf(page, 'If one place burns').filter({ hasText: 'home' }).waitFor()
    expect(await callsOf(page, 'copies.note')).toMatchObject([
      { of: 'p-verified:LETTERS_01', copy: 1, kind: 'place', place: 'home' },
    ])
  })

  it('has a line for each set of an archive, the one that presses most first', async () => {
    const scenario = letters(TWO_PLACES)
    const second = {
      id: 'p-second',
      project: { id: 'pr-0123456789ab', name: LETTERS },
      firstLabel: 'COPIES_01',
      lastLabel: 'COPIES_09',
      volumes: 9,
      built: 2,
      directory: '/media/backup/Second plan',
    }
    const ofSecond = [1, 2].map((volume) =>
      copyOf(volume, 0, null, { planId: 'p-second', label: `COPIES_0${volume}` }),
    )
    const page = await openLetters({
      ...scenario,
      sets: [...(scenario.sets ?? []), second],
      copies: [...TWO_PLACES, ...ofSecond],
    })
    expect(await says(page)).toBe('Incomplete. COPIES_01 to _09: 7 of 9 volumes have no copy yet.')
    const lines = page.getByRole('list', { name: 'Sets of this archive' }).getByRole('listitem')
    await lines.filter({ hasText: 'LETTERS_01 to _09: 2 copies of each volume at 2 places' }).waitFor()
    expect(await lines.count()).toBe(2)
    await steps(page)
      .getByText('COPIES_01 and COPIES_02: 2 volumes have one copy.', { exact: false })
      .waitFor()
    await button(page, 'Continue: 7 volumes were not built or written yet.').click()
    await title(page, 'Build')
    await page.getByText('/media/backup/Second plan').first().waitFor()
  })

  it('asks if the source may be deleted only when a person does', async () => {
    const scenario = letters(TWO_PLACES, { isSafe: true })
    const sets = scenario.sets?.map((set) => Object.assign({ surveyId: 's1' }, set))
    const page = await openLetters({ ...scenario, ...(sets && { sets }) })
    expect(await callsOf(page, 'copies.safe')).toEqual([])
    await button(page, `Is the source of ${LETTERS} safe to delete?`).click()
    const verdict = region(page, 'Safe to delete?')
    await verdict.getByText('Iceland is safe to delete.').waitFor()
    expect(await callsOf(page, 'copies.safe')).toMatchObject([{ surveyId: 's1' }])
    await verdict.getByRole('button', { name: 'Close' }).click()
    await verdict.waitFor({ state: 'detached' })
  })

  it('is there for discs whose plan nobody has, without their files and sizes', async () => {
    const disc = volumeCopy(1, 'attic', { planId: null, label: 'FAMILY_01' })
    const page = await windows.window({ ...HOME, copies: [disc] })
    await copiesOf(page, 'FAMILY_01').click()
    await title(page, 'FAMILY_01')
    const row = rowsOf(page, 'If one place burns').filter({ hasText: 'attic' })
    await row.getByText('1 volume', { exact: true }).waitFor()
    expect(await row.getByText('files').count()).toBe(0)
  })

  it('cuts no text at any size and in either theme, in German too', { tags: 'long' }, async () => {
    const copies = [
      ...TWO_PLACES.filter(isNotOf(1, 2)).filter(isNotOf(2, 1)).filter(isNotOf(3, 2)),
      copyOf(1, 2, 'the studio', { state: 'lost', lostWallMs: NOW }),
      copyOf(2, 1, 'home', { state: 'damaged' }),
      copyOf(3, 2, null),
    ]
    const page = await openLetters(letters(copies))
    await rowsOf(page, 'If one place burns').nth(2).waitFor()
    expect(await cutTables(page)).toEqual([])
    for (const [name, look] of LOOKS) {
      await showAs(page, look)
      await see(page, `archive-${name}`)
    }
    await speakGerman(page)
    for (const [name, look] of LOOKS) {
      await showAs(page, look)
      await see(page, `archive-german-${name}`)
    }
  })
})
