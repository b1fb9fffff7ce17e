import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { PHOTOS, type ProjectShape } from '../../fixtures/fakeEngine/fakeProjects'
import { button, callsOf, card, radio } from './controls'
import { surveyed } from './guidedSteps'
import { picture, windowsForTests } from './windowUnderTest'

const windows = windowsForTests()

const FILE = '/home/anna/archive/photos.stowage.yaml'
const RECENTS = [
  { recent: FILE, name: 'photos', problem: null },
  { recent: '/media/stick/films.stowage.yaml', name: 'films', problem: 'no such file or folder' },
  { recent: '/home/anna/letters.stowage.yaml', name: 'letters', problem: null },
]

const head = (page: Page) => page.locator('.top-project')
const unsaved = (page: Page) => head(page).getByText('Not saved')
const sources = (page: Page) => page.getByRole('list', { name: 'Sources' })

async function pick(page: Page, action: string): Promise<void> {
  await button(page, 'Project').click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

async function opened(project: ProjectShape = PHOTOS): Promise<Page> {
  const page = await windows.window({ project })
  await pick(page, 'Open…')
  await head(page).getByText('photos', { exact: true }).waitFor()
  return page
}

describe('a project that is opened', () => {
  it('fills sources, rules, answers, option and label, and is not changed by that', async () => {
    const page = await opened()
    await sources(page).getByText('Lightroom', { exact: true }).waitFor()
    for (const answer of ['Discs', 'Yes, encrypt it', 'Readable in 30 years'])
      expect(await radio(page, answer).isChecked(), answer).toBe(true)
    await button(page, 'Kind of disc: DVD-R 4.7 GB').waitFor()
    await page.getByText('1 rule', { exact: false }).first().waitFor()
    await button(page, 'Start survey').click()
    await page.evaluate(() => window.fake.finish())
    await page.getByRole('button', { name: /^Survey, done/ }).waitFor()
    const [request] = (await callsOf(page, 'survey.start')) as Record<string, unknown>[]
    expect(request).toMatchObject({
      project: { id: 'pr-0123456789ab', name: 'photos' },
      rules: { patterns: ['*.tmp'] },
    })
    await page.keyboard.press('Control+4')
    await page.locator('.packing .mono').getByText('7z-solid-64m-path', { exact: true }).waitFor()
    expect(await page.getByRole('textbox', { name: 'Disc names' }).inputValue()).toBe('PHOTOS')
    expect(await callsOf(page, 'project.change')).toEqual([])
    expect(await unsaved(page).count()).toBe(0)
  })

  it('shows the options of its folders, and plans by them', async () => {
    const option = 'by-folder(Cowering/**=7z-dat,*=7z-t7z-files)'
    const page = await opened({ form: { ...PHOTOS.form, option, encryption: 'none' } })
    await button(page, 'Start survey').click()
    await page.evaluate(() => window.fake.finish())
    await page.getByRole('button', { name: /^Survey, done/ }).waitFor()
    await page.keyboard.press('Control+3')
    await page.waitForFunction(
      (wanted) =>
        window.fake.calls.some(({ params }) => (params as { byFolder?: string })?.byFolder === wanted),
      option,
    )
    await page.keyboard.press('Control+4')
    const rules = page.getByRole('list', { name: 'Rules; the first that matches a file packs it' })
    await rules.waitFor()
    expect(await rules.getByRole('listitem').allTextContents()).toEqual([
      'Cowering/**=7z-dat',
      '*=7z-t7z-files',
    ])
    await page.locator('.packing').getByText('By folder: each by its own option').waitFor()
    await picture(page, 'plan-by-folder')
    expect(await unsaved(page).count()).toBe(0)
    await button(page, 'Make the plan').click()
    await page.waitForFunction(() => window.fake.callsOf('plan.start').length > 0)
    expect(await callsOf(page, 'plan.start')).toMatchObject([{ recipe: option }])
  })

  it('shows changes as not saved until they are saved, and takes the later of two answers', async () => {
    const page = await opened()
    await radio(page, 'No').click()
    await unsaved(page).waitFor()
    await page.keyboard.press('Control+s')
    await unsaved(page).waitFor({ state: 'detached' })
    await radio(page, 'A drive or a NAS').click()
    await unsaved(page).waitFor()
    await radio(page, 'Discs').click()
    await button(page, 'Kind of disc: BD-R 25 GB').click()
    await page.getByRole('menuitemradio', { name: 'DVD-R 4.7 GB', exact: true }).click()
    await unsaved(page).waitFor({ state: 'detached' })
    const changes = (await callsOf(page, 'project.change')) as { form: Record<string, unknown> }[]
    expect(changes.map(({ form }) => [form.encryption, form.medium])).toEqual([
      ['none', 'dvd-r'],
      ['none', 'dvd-r'],
      ['none', 'disk'],
      ['none', 'bd-r-25'],
      ['none', 'dvd-r'],
    ])
    expect(await callsOf(page, 'project.save')).toEqual([{ as: false }])
  })

  it('wants as many copies of each disc as its file says, and saves another number', {
    tags: 'long',
  }, async () => {
    const page = await opened({
      ...PHOTOS,
      form: { ...PHOTOS.form, option: null, encryption: 'none', copies: 3 },
    })
    await button(page, 'Start survey').click()
    await page.evaluate(() => window.fake.finish())
    await page.getByRole('button', { name: /^Survey, done/ }).waitFor()
    await page.keyboard.press('Control+4')
    const copies = page.getByRole('textbox', { name: 'Copies of each disc' })
    expect(await copies.inputValue()).toBe('3')
    expect(await callsOf(page, 'project.change')).toEqual([])
    await copies.fill('100')
    await page.getByText('A whole number from 1 to 99.').waitFor()
    await copies.fill('2')
    await unsaved(page).waitFor()
    expect((await callsOf(page, 'project.change')).at(-1)).toMatchObject({ form: { copies: 2 } })
    await button(page, 'Make the plan').click()
    await page.locator('.shelf-note').getByText('Planning').waitFor()
    await page.evaluate(() => window.fake.finish())
    await page.getByRole('listbox').waitFor()
    expect(await callsOf(page, 'plan.start')).toMatchObject([{ copies: 2 }])
    await button(page, 'Medium and settings…').click()
    expect(await copies.inputValue()).toBe('2')
    expect(await button(page, 'Make the plan').count()).toBe(0)
    await copies.fill('')
    await button(page, 'Make the plan').click()
    await page.locator('.shelf-note').getByText('Planning').waitFor()
    await page.evaluate(() => window.fake.finish())
    expect((await callsOf(page, 'project.change')).at(-1)).toMatchObject({ form: { copies: null } })
    expect((await callsOf(page, 'plan.start')).at(-1)).not.toHaveProperty('copies')
  })

  it('keeps a source that is not there until it is found or removed', { tags: 'long' }, async () => {
    const page = await opened({
      ...PHOTOS,
      missing: [
        { name: 'notes', path: '/media/stick/Notes' },
        { name: 'films', path: '/media/stick/Films' },
      ],
    })
    await page.getByText('2 sources of this project are not there.', { exact: false }).waitFor()
    await button(page, 'Choose where notes is now').click()
    await sources(page).getByTitle('/mnt/notes').waitFor()
    await page.getByText('A source of this project is not there.', { exact: false }).waitFor()
    expect(await unsaved(page).count()).toBe(1)
    await button(page, 'Remove films from the project').click()
    await page.getByText('films is not there').waitFor({ state: 'detached' })
    const [last] = ((await callsOf(page, 'project.change')) as Record<string, unknown>[]).slice(-1)
    expect(last).toMatchObject({ missing: [] })
  })

  it('shows the one line of a file with a fault, and stays with what it had', { tags: 'long' }, async () => {
    const message = `${FILE}:5:1: medum is unknown: did you mean "medium"?`
    const page = await windows.window({ fails: { 'project.open': { code: 'bad-input', message } } })
    await button(page, 'Choose folders…').click()
    await pick(page, 'Open…')
    await page.getByRole('alert').getByText(message, { exact: false }).waitFor()
    await page.getByText('2 sources, ready').waitFor()
    expect(await head(page).count()).toBe(0)
  })

  it('takes what another program has written, where the person prefers that', { tags: 'long' }, async () => {
    const page = await opened({ ...PHOTOS, reloads: { medium: 'disk', encryption: 'none' } })
    await radio(page, 'No').click()
    await unsaved(page).waitFor()
    await page.keyboard.press('Control+s')
    await page.waitForFunction(() => window.fake.callsOf('project.save').length === 1)
    await expect.poll(() => radio(page, 'A drive or a NAS').isChecked()).toBe(true)
    expect(await unsaved(page).count()).toBe(0)
  })
})

describe('a window without a project', () => {
  it('has nothing of projects in the way of a newcomer, and tells main of no change', {
    tags: 'long',
  }, async () => {
    const page = await windows.window()
    expect(await page.getByRole('region', { name: 'Recent projects' }).count()).toBe(0)
    await surveyed(page, () => radio(page, 'Yes, encrypt it').click())
    await button(page, 'Choose').click()
    await card(page, 'Encrypted vault').waitFor()
    expect(await callsOf(page, 'project.change')).toEqual([])
  })

  it('saves what it holds as a project: the chosen option, its medium and the answers', {
    tags: 'long',
  }, async () => {
    const page = await windows.window()
    await surveyed(page, () => radio(page, 'Readable in 30 years').click())
    await button(page, 'Choose').click()
    await button(page, 'Use this: Encrypted vault').click()
    await page.getByRole('heading', { name: 'Plan', level: 1 }).waitFor()
    const [plan] = (await callsOf(page, 'plan.start')) as Record<string, unknown>[]
    await page.keyboard.press('Control+Shift+S')
    await head(page).getByText('photos', { exact: true }).waitFor()
    expect(await callsOf(page, 'project.save')).toEqual([{ as: true }])
    const [change] = (await callsOf(page, 'project.change')) as Record<string, unknown>[]
    expect(change).toMatchObject({
      form: { medium: plan?.mediumId, option: plan?.recipe, encryption: 'aes-256', goal: 'anywhere' },
      sources: ['/media/photos/Photos 2003–2024', '/home/anna/Lightroom'],
      missing: [],
    })
  })

  it('offers the projects that were open before, and says why one cannot be opened', {
    tags: 'long',
  }, async () => {
    const page = await windows.window({ project: { ...PHOTOS, recents: RECENTS } })
    await page.getByText('Cannot be opened: no such file or folder').waitFor()
    expect(await button(page, 'Open the project films').count()).toBe(0)
    await button(page, 'Remove from list: films').click()
    await page.getByText('Cannot be opened: no such file or folder').waitFor({ state: 'detached' })
    expect(await callsOf(page, 'project.forget')).toEqual([{ recent: '/media/stick/films.stowage.yaml' }])
    await button(page, 'Open the project photos').click()
    await sources(page).getByText('Lightroom', { exact: true }).waitFor()
    expect(await page.getByRole('region', { name: 'Recent projects' }).count()).toBe(0)
    expect(await callsOf(page, 'project.openRecent')).toEqual([{ recent: FILE }])
  })

  it('begins an empty one from the menu of the application, and takes one that is dropped', {
    tags: 'long',
  }, async () => {
    const page = await windows.window({ project: PHOTOS })
    await button(page, 'Choose folders…').click()
    await page.getByText('2 sources, ready').waitFor()
    await page.evaluate(() => window.fake.emit('project.wanted', 'new'))
    await head(page).getByText('Untitled project').waitFor()
    await page.getByText('Drop a folder here').waitFor()
    await page.evaluate(() => window.fake.emit('project.wanted', 'open'))
    await head(page).getByText('photos', { exact: true }).waitFor()
  })

  it('shows the project that main has open when the window starts', { tags: 'long' }, async () => {
    const page = await windows.window({ project: { ...PHOTOS, atStart: true } })
    await head(page).getByText('photos', { exact: true }).waitFor()
    expect(await radio(page, 'Yes, encrypt it').isChecked()).toBe(true)
    expect(await unsaved(page).count()).toBe(0)
  })
})
