import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { volumeCopy } from '../../fixtures/fakeEngine/fakeCopies'
import type { KeptSet } from '../../fixtures/fakeEngine/scenario'
import { button, callsOf, region } from './controls'
import { archivesFrom, HOME, MANY } from './keptSets'
import { finish, picture, showAs, windowsForTests } from './windowUnderTest'

const windows = windowsForTests()

const LETTERS = 'Letters of the family'

const title = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor()
const rows = (page: Page) => page.getByRole('table', { name: 'My archives' }).getByRole('row')
const row = (page: Page, label: string) => rows(page).filter({ hasText: label })
const menuOf = (page: Page, label: string) => button(page, `${label}: More`)
const picks = async (page: Page, label: string, act: string) => {
  await menuOf(page, label).click()
  await page.getByRole('menuitem', { name: act, exact: true }).click()
}
const attention = (page: Page) => region(page, 'Needs attention')

describe('Home for a newcomer', () => {
  it('says how to begin, and one press leads on', async () => {
    const page = await windows.window()
    await title(page, 'Home')
    await page.getByText('Drop a folder here').waitFor()
    expect(await page.getByRole('list', { name: 'Start here' }).getByRole('listitem').count()).toBe(3)
    expect(await region(page, 'My archives').count()).toBe(0)
    await button(page, 'Choose folders…').click()
    await title(page, 'Source')
    await button(page, 'Start survey').click()
    await finish(page)
    await page.getByRole('button', { name: /^Survey, done/ }).waitFor()
  })

  it('takes the sample and what is dropped to the sources', { tags: 'long' }, async () => {
    const page = await windows.window()
    await button(page, 'Try the sample source').click()
    await title(page, 'Source')
    await page.keyboard.press('Alt+Home')
    await title(page, 'Home')
    await page.evaluate(() => window.fake.give('Holidays'))
    const question = page.getByRole('dialog', { name: 'Where does Holidays belong?' })
    await question.waitFor()
    await picture(page, 'hand-question')
    await question.getByRole('button', { name: 'Add to this archive' }).click()
    await title(page, 'Source')
    await page.getByText('2 sources, ready').waitFor()
  })

  it('begins a new archive empty, with its own answers, where the last one was opened', {
    tags: 'long',
  }, async () => {
    const page = await windows.window(HOME)
    await page.evaluate(() => window.fake.give('Laboratory'))
    await title(page, 'Source')
    const secret = page.getByRole('radio', { name: 'Yes, encrypt it' })
    await page.getByText('Yes, encrypt it').click()
    expect(await secret.isChecked()).toBe(true)
    await page.keyboard.press('Alt+Home')
    await button(page, 'New archive').click()
    await title(page, 'Source')
    await page.getByText('Drop a folder here').waitFor()
    expect(await page.getByText('Laboratory').count()).toBe(0)
    expect(await secret.isChecked()).toBe(false)
  })

  it('is left for the sources that the window was started with', { tags: 'long' }, async () => {
    const page = await windows.window({
      sources: [{ path: '/media/photos', kind: 'folder', name: 'photos' }],
    })
    await title(page, 'Source')
    await button(page, 'Home').click()
    await title(page, 'Home')
  })
})

describe('Home with sets', () => {
  it('shows each set with its state, and those that need attention first', async () => {
    const page = await windows.window(HOME)
    await page.getByText('7 archives. 4 need attention.').waitFor()
    await button(page, 'Home 4 need attention').waitFor()
    const shown = await rows(page).locator('.link.home-name, .home-lines .link').allInnerTexts()
    expect(shown).toEqual([
      'PHOTOS_01 to _09',
      'VIDEOS_01 to _09',
      'SCANS_01 to _09',
      'FAMILY_01 to _03',
      'MUSIC_01 to _09',
      'Letters of the family',
      'PHOTOS_01 to _05',
    ])
    await row(page, 'LETTERS_01')
      .getByText(/^verified on /)
      .waitFor()
    await row(page, 'LETTERS_01')
      .getByText(/^check by /)
      .waitFor()
    await row(page, 'LETTERS_01').getByText('Letters of the family').waitFor()
    await row(page, 'VIDEOS_01').getByText('4 of 9 built').waitFor()
    await row(page, 'MUSIC_01').getByText('exported, not built').waitFor()
    await row(page, 'SCANS_01').getByText('folder not found').waitFor()
    await row(page, 'FAMILY_01').getByText('known by its discs only').waitFor()
  })

  it('lets a person choose how often a set is checked, and shows the new day', { tags: 'long' }, async () => {
    const page = await windows.window(HOME)
    const family = row(page, 'FAMILY_01')
    await family.getByText('check now').waitFor()
    await family.getByRole('button', { name: /^How often to check FAMILY_01/ }).click()
    const menu = page.getByRole('menu', { name: /^How often to check FAMILY_01/ })
    expect(await menu.getByRole('menuitemradio').allInnerTexts()).toEqual([
      'Every 6 months',
      'Every year',
      'Every 2 years',
      'Every 5 years',
    ])
    expect(await menu.getByRole('menuitemradio', { checked: true }).innerText()).toBe('Every year')
    await menu.getByRole('menuitemradio', { name: 'Every 5 years' }).click()
    await family.getByText(/^check by /).waitFor()
    expect(await callsOf(page, 'check.every')).toMatchObject([{ everyMonths: 60 }])
  })

  it('says what needs attention, each with one action', { tags: 'long' }, async () => {
    const page = await windows.window(HOME)
    await attention(page).getByText('The last check found 1 damaged volume: PHOTOS_02.').waitFor()
    await attention(page).getByText('The build was interrupted: 4 of 9 volumes are built.').waitFor()
    await attention(page).getByText('The folder of its plan is not there any more.').waitFor()
    await attention(page).getByText('FAMILY_01 and FAMILY_02. A check reads every file back.').waitFor()
    await button(page, 'Check now: 2 discs to check').click()
    await title(page, 'Catalog')
    await button(page, 'Choose a disc or folder…').waitFor()
    await page.keyboard.press('Alt+Home')
    await attention(page).getByRole('button', { name: 'Continue: VIDEOS_01 to _09' }).click()
    await title(page, 'Build')
    await page.getByText('/media/backup/Videos plan').first().waitFor()
  })

  it('opens a set in every step: its plan, what was built and verified, its survey', async () => {
    const page = await windows.window(HOME)
    await button(page, 'Open Letters of the family').click()
    await title(page, 'Build')
    await page.getByText('Built and verified: every file matches the survey.').waitFor()
    await page.keyboard.press('Control+4')
    await page.getByText('/media/backup/Letters plan').first().waitFor()
    await page.keyboard.press('Control+2')
    await page.getByRole('button', { name: /^Survey, done/ }).waitFor()
  })

  it('shows what was built and verified of a set whose folder is gone, and finds it again', {
    tags: 'long',
  }, async () => {
    const page = await windows.window(HOME)
    await button(page, 'Open SCANS_01 to _09').click()
    await page.getByText('The folder of this plan is not at hand.', { exact: false }).waitFor()
    await page.getByText('Built and verified: every file matches the survey.').waitFor()
    const states = await page.locator('.state-word').allInnerTexts()
    expect(new Set(states.map((text) => text.replace(/\W/g, '')))).toEqual(new Set(['done']))
    await page.keyboard.press('Alt+Home')
    await button(page, 'Find the folder…: SCANS_01 to _09').click()
    await page.waitForFunction(() => window.fake.callsOf('app.chooseDirectory').length === 1)
  })

  it('restores a set, and verifies it and shows its folder by the menu of its row', {
    tags: 'long',
  }, async () => {
    const page = await windows.window(HOME)
    await picks(page, LETTERS, 'Show folder')
    expect(await callsOf(page, 'app.showFolder')).toEqual([{ path: '/media/backup/Letters plan' }])
    await button(page, `Restore ${LETTERS}`).click()
    await title(page, 'Restore')
    await expect
      .poll(() => callsOf(page, 'restore.open'))
      .toMatchObject([{ volumes: ['/media/backup/Letters plan'] }])
    await page.keyboard.press('Alt+Home')
    await picks(page, LETTERS, 'Verify')
    await title(page, 'Build')
    await expect.poll(() => callsOf(page, 'run.verify')).toHaveLength(1)
  })

  it('offers one main action in each row, and the rest in a menu that keys open', async () => {
    const page = await windows.window(HOME)
    const shown = async (label: string): Promise<string[]> =>
      (await row(page, label).locator('.home-acts').getByRole('button').allInnerTexts()).map((words) =>
        words.replace(/\s*▾/, ''),
      )
    expect(await shown('PHOTOS_01 to _09')).toEqual(['Check 1 disc', 'Restore…', 'More'])
    expect(await shown('VIDEOS_01')).toEqual(['Continue', 'Restore…', 'More'])
    expect(await shown('FAMILY_01')).toEqual(['Check 2 discs', 'Restore…', 'More'])
    expect(await shown('MUSIC_01')).toEqual(['Continue', 'More'])
    expect(await shown(LETTERS)).toEqual(['Add what is new', 'Restore…', 'More'])
    await menuOf(page, LETTERS).press('Enter')
    const menu = page.getByRole('menu', { name: LETTERS })
    expect(await menu.getByRole('menuitem').allInnerTexts()).toEqual([
      'Verify',
      'Copies and places',
      'Show folder',
    ])
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await title(page, LETTERS)
  })

  it('writes the wanted copy that is missing, and keeps adding in the menu', async () => {
    const copies = Array.from({ length: 9 }, (_, at) =>
      volumeCopy(1, 'home', { planId: 'p-verified', volume: at + 1, label: `LETTERS_0${at + 1}` }),
    )
    const sets = HOME.sets?.map((set) => (set.id === 'p-verified' ? { ...set, wanted: 2 } : set)) ?? []
    const page = await windows.window({ ...HOME, sets, copies })
    await menuOf(page, LETTERS).click()
    await page.getByRole('menuitem', { name: 'Add what is new', exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await button(page, `Write copy 2: ${LETTERS}`).click()
    await title(page, 'Build')
    const form = region(page, 'Burn or copy')
    expect(await form.getByLabel('Copy', { exact: true }).inputValue()).toBe('2')
  })

  it('says how much was new when it was looked at', async () => {
    const first = HOME.sets?.find(({ id }) => id === 'p-verified')
    const addition: KeptSet = {
      id: 'p-next',
      addsTo: 'p-verified',
      project: first?.project ?? null,
      volumes: 1,
      files: 120,
      bytes: 10_100_000,
      firstLabel: 'LETTERS_10',
      lastLabel: 'LETTERS_10',
      createdWallMs: Date.now(),
    }
    const page = await windows.window({ ...HOME, sets: [...(HOME.sets ?? []), addition] })
    await row(page, LETTERS).getByText('120 files to add, 10.1 MB as of').waitFor()
    await button(page, `Add what is new to ${LETTERS}`).waitFor()
  })

  it('unfolds the discs of a row, with the lost ones, and folds them again', async () => {
    const copies = [
      volumeCopy(1, 'home', { planId: 'p-verified', label: 'LETTERS_01' }),
      volumeCopy(2, 'bank', { planId: 'p-verified', label: 'LETTERS_01', state: 'lost', lostWallMs: 1 }),
    ]
    const page = await windows.window({ ...HOME, copies })
    const discs = page.getByRole('table', { name: 'Discs and images' })
    const placeOf = () =>
      row(page, 'PHOTOS_01 to _05').evaluate((element) => (element as HTMLElement).offsetTop)
    const before = await placeOf()
    const unfold = button(page, `Sets and discs of ${LETTERS}`)
    expect(await unfold.getAttribute('aria-expanded')).toBe('false')
    expect(await discs.count()).toBe(0)
    await unfold.press('Enter')
    expect(await unfold.getAttribute('aria-expanded')).toBe('true')
    await discs
      .getByRole('row')
      .filter({ hasText: 'bank' })
      .getByText(/^lost /)
      .waitFor()
    expect(await discs.getByRole('row').count()).toBe(3)
    await discs.getByRole('button', { name: 'Place… of LETTERS_01, copy 1' }).click()
    await region(page, 'Where is this copy kept?').waitFor()
    await unfold.click()
    await discs.waitFor({ state: 'detached' })
    expect(await placeOf()).toBe(before)
    await unfold.click()
    await button(page, `Copies and places of ${LETTERS}`).click()
    await title(page, LETTERS)
    await page.keyboard.press('Alt+Home')
    await discs.waitFor()
    expect(await unfold.getAttribute('aria-expanded')).toBe('true')
  })

  it('adds what is new of an archive with one press: it is opened, surveyed and planned', async () => {
    const page = await windows.window(HOME)
    await button(page, 'Add what is new to Letters of the family').click()
    await title(page, 'Survey')
    expect(await callsOf(page, 'survey.start')).toMatchObject([{ project: { id: 'pr-0123456789ab' } }])
    await finish(page)
    await expect.poll(() => callsOf(page, 'plan.start')).toHaveLength(1)
    expect(await callsOf(page, 'plan.start')).toMatchObject([
      { addTo: 'p-verified', project: { id: 'pr-0123456789ab' } },
    ])
    await finish(page)
    await title(page, 'Plan')
    await button(page, 'Build and verify').waitFor()
  })

  it('offers the archive that keeps the chosen folders already', async () => {
    const page = await windows.window(HOME)
    await button(page, 'New archive').click()
    await title(page, 'Source')
    await page.getByRole('button', { name: 'Choose folders…' }).click()
    await page.getByText('These folders are kept as Letters of the family already.').waitFor()
    await picture(page, 'source-known-archive')
    await button(page, 'Open Letters of the family').click()
    await page.getByText('These folders are kept as').waitFor({ state: 'detached' })
    expect(await callsOf(page, 'project.openArchive')).toEqual([{ archiveId: 'pr-0123456789ab' }])
  })

  it('says that nothing is new, and stays on Home', { tags: 'long' }, async () => {
    const page = await windows.window({
      ...HOME,
      jobFails: { plan: { code: 'nothing-to-do', message: 'there is nothing to add' } },
    })
    await button(page, 'Add what is new to Letters of the family').click()
    await finish(page)
    await expect.poll(() => callsOf(page, 'plan.start')).toHaveLength(1)
    await finish(page)
    await title(page, 'Home')
    await page.getByText('there is nothing to add; nothing was written').waitFor()
    await row(page, LETTERS).getByText('nothing to add as of').waitFor()
    expect(await callsOf(page, 'plan.export')).toEqual([])
  })

  it('opens a recent source and a recent project with one press', { tags: 'long' }, async () => {
    const page = await windows.window(HOME)
    await page
      .getByRole('button', { name: /^Open the survey of Photos/ })
      .first()
      .click()
    await title(page, 'Survey')
    await page.keyboard.press('Alt+Home')
    await button(page, 'Open the project photos').click()
    await title(page, 'Source')
  })

  it('says that the sets could not be loaded, and why', { tags: 'long' }, async () => {
    const page = await windows.window({
      fails: { 'plan.list': { code: 'catalog-broken', message: 'cannot read catalog.db: it is damaged' } },
    })
    await page.getByText('Cannot read catalog.db: it is damaged.').waitFor()
    await button(page, 'Choose folders…').waitFor()
  })
})

it.each([
  ['sets of every kind', HOME, 'MUSIC_01 to _09'],
  ['12 archives, one unfolded', archivesFrom(7, 12), 'Photos 1911'],
  ['200 archives, one unfolded', archivesFrom(7, 200), 'Photos 1911'],
])('axe finds nothing on Home in both themes: %s', async (_name, scenario, unfolded) => {
  const page = await windows.window(scenario)
  await page.evaluate(axe.source)
  const violations = () =>
    page.evaluate(async () => {
      const { axe: found } = window as unknown as { axe: typeof axe }
      const { violations: all } = await found.run('.page', {
        runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'best-practice'] },
        rules: { 'label-content-name-mismatch': { enabled: true }, region: { enabled: false } },
        resultTypes: ['violations'],
        preload: false,
      })
      return all.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
    })
  await attention(page).waitFor()
  expect(await violations()).toEqual([])
  await button(page, `Sets and discs of ${unfolded}`).click()
  await showAs(page, { dark: true })
  expect(await violations()).toEqual([])
})

it('300 sets keep a table of few rows, all are listed on demand, and the first needs attention', {
  tags: 'long',
}, async () => {
  const page = await windows.window(MANY)
  await page.getByText('300 archives. 1 needs attention.').waitFor()
  expect(await rows(page).nth(1).innerText()).toContain('SET299_01 to _09')
  expect(await rows(page).count()).toBe(13)
  await button(page, 'Show all 300').click()
  await page.getByRole('region', { name: /^My archives, 300 rows/ }).waitFor()
  expect(await rows(page).count()).toBeLessThan(40)
  expect(await button(page, 'Show all 300').count()).toBe(0)
})

it('the last of many rows is reached below one that is unfolded', { tags: 'long' }, async () => {
  const page = await windows.window(MANY)
  await button(page, 'Show all 300').click()
  await button(page, 'Sets and discs of SET299_01 to _09').click()
  const frame = page.locator('.table-frame.scroll').first()
  const heightOf = () => frame.evaluate(({ scrollHeight }) => scrollHeight)
  const height = await heightOf()
  await frame.evaluate((element) => element.scrollTo(0, element.scrollHeight))
  await row(page, 'SET298_01').waitFor()
  const [last, shown] = [await row(page, 'SET298_01').boundingBox(), await frame.boundingBox()]
  expect(Math.round((last?.y ?? 0) + (last?.height ?? 0))).toBe(
    Math.round((shown?.y ?? 0) + (shown?.height ?? 0)),
  )
  expect(await heightOf()).toBe(height)
})
