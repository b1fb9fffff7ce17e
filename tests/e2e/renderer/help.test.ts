import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { button, callsOf } from './controls'
import { keep, ONE, rules, tree } from './keptPanel'
import { picture, windowsForTests } from './windowUnderTest'

const windows = windowsForTests()

const TWO = {
  sources: ['Iceland', 'Karelia'].map((name) => ({
    path: `/media/${name}`,
    kind: 'folder' as const,
    name,
  })),
}
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })
const listed = (page: Page) =>
  page.getByRole('list', { name: 'Sources' }).getByRole('listitem').allTextContents()
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent)

describe('help', () => {
  it('lists the keys by ?, which is a letter while somebody types; Escape closes it', async () => {
    const page = await windows.window()
    await page.keyboard.press('?')
    const keys = dialog(page, 'Keyboard shortcuts')
    await keys.getByText('The main button of the step').waitFor()
    await picture(page, 'help-keys')
    // The keys of the window rest below it.
    await page.keyboard.press('Control+,')
    await page.keyboard.press('Escape')
    await keys.waitFor({ state: 'detached' })
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Home')
    await page.keyboard.press('Control+,')
    const memory = page.getByRole('textbox', { name: 'Memory for duplicate blocks' })
    await memory.focus()
    await page.keyboard.press('?')
    expect(await memory.inputValue()).toContain('?')
    expect(await keys.count()).toBe(0)
  })

  it('copies diagnostics from the menu and shows what was copied', { tags: 'long' }, async () => {
    const page = await windows.window()
    await page.evaluate(() => window.fake.emit('app.helpWanted', 'diagnostics'))
    await dialog(page, 'Diagnostics').getByText('All 7 checks are ok.', { exact: false }).waitFor()
    expect(await callsOf(page, 'app.copyDiagnostics')).toHaveLength(1)
    await picture(page, 'help-diagnostics')
  })

  it('explains the words of the window in one place, and each where it is used', {
    tags: 'long',
  }, async () => {
    const page = await windows.window()
    await page.evaluate(() => window.fake.emit('app.helpWanted', 'glossary'))
    const entry = dialog(page, 'Glossary')
      .locator('div', { has: page.getByText('Record', { exact: true }) })
      .last()
    const meaning = (await entry.locator('dd').textContent()) ?? ''
    expect(meaning).not.toBe('')
    await picture(page, 'help-glossary')
  })

  it('names version and parts, and shows the log', { tags: 'long' }, async () => {
    const page = await windows.window()
    await button(page, 'Help').click()
    await page.getByRole('menuitem', { name: 'About Stowage' }).click()
    await dialog(page, 'About Stowage')
      .getByText(/^Electron /)
      .waitFor()
    await button(page, 'Show log').click()
    await expect.poll(() => callsOf(page, 'app.showLog')).toHaveLength(1)
    await picture(page, 'help-about')
  })
})

describe('keys', () => {
  it('Ctrl+Enter presses the main button of the step', async () => {
    const page = await windows.window(TWO)
    await page.getByText('2 sources, ready').waitFor()
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => callsOf(page, 'survey.start')).toHaveLength(1)
  })

  it('the link before the frame leads to the step', async () => {
    const page = await windows.window(TWO)
    await page.locator('.top input').first().focus()
    await page.keyboard.press('Shift+Tab')
    expect(await focused(page)).toBe('Skip to the step')
    await page.keyboard.press('Enter')
    expect(await focused(page)).toBe('Source')
  })
})

describe('a removal', () => {
  it('of a source is undone by the note, where it was in the list', { tags: 'long' }, async () => {
    const page = await windows.window(TWO)
    await button(page, 'Remove Iceland from the sources').click()
    await page.getByText('Removed Iceland.').waitFor()
    expect(await listed(page)).toEqual([expect.stringContaining('Karelia')])
    await picture(page, 'removed')
    await button(page, 'Undo').click()
    expect(await listed(page)).toEqual([
      expect.stringContaining('Iceland'),
      expect.stringContaining('Karelia'),
    ])
    expect(await button(page, 'Undo').count()).toBe(0)
  })

  it('is undone by Ctrl+Z, once', async () => {
    const page = await windows.window(TWO)
    await button(page, 'Remove Karelia from the sources').click()
    await page.getByText('Removed Karelia.').waitFor()
    await page.keyboard.press('Control+z')
    await expect.poll(() => listed(page)).toHaveLength(2)
    await button(page, 'Remove Iceland from the sources').click()
    await page.keyboard.press('Control+z')
    await page.keyboard.press('Control+z')
    expect(await listed(page)).toHaveLength(2)
  })

  it('of a rule is undone too', { tags: 'long' }, async () => {
    const page = await windows.window(ONE)
    await keep(page, 'Exports').waitFor()
    await tree(page).focus()
    for (const key of ['ArrowDown', 'Space']) await page.keyboard.press(key)
    await rules(page).locator('summary').click()
    const remove = page.getByRole('button', { name: /^Remove the rule / })
    const name = await remove.getAttribute('aria-label')
    await remove.click()
    await remove.waitFor({ state: 'detached' })
    await button(page, 'Undo').click()
    await button(page, name ?? '').waitFor()
  })
})

describe('settings', () => {
  it('show their default and go back to it', { tags: 'long' }, async () => {
    const page = await windows.window({ settings: { units: 'binary', theme: 'dark' } })
    await page.keyboard.press('Control+,')
    await page.getByText('Default: GB', { exact: true }).waitFor()
    await button(page, 'Reset Unit of sizes').click()
    expect(await callsOf(page, 'app.saveSettings')).toEqual([{ units: 'decimal' }])
    await button(page, 'Reset Unit of sizes').waitFor({ state: 'detached' })
    await button(page, 'Reset Appearance').click()
    expect((await callsOf(page, 'app.saveSettings')).at(-1)).toEqual({ theme: 'system' })
    await picture(page, 'settings-reset')
  })
})
