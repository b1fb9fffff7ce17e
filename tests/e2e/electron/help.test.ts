import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { ElectronApplication } from 'playwright-core'
import { expect, it, vi } from 'vitest'
import { temporaryFolder } from '../../support/temporaryFolder'
import { askFromPage, openApp, PATIENCE_MS } from './appWindow'

/** The items of a menu of the application, by their labels without access keys. */
const itemsOf = (app: ElectronApplication, menu: string): Promise<string[]> =>
  app.evaluate(({ Menu }, label) => {
    const plain = (text: string): string => text.replaceAll('&', '')
    const found = Menu.getApplicationMenu()?.items.find((item) => plain(item.label) === label)
    return (found?.submenu?.items ?? []).flatMap((item) =>
      [plain(item.label)].concat(
        (item.submenu?.items ?? []).map((inner) => `${plain(item.label)} > ${plain(inner.label)}`),
      ),
    )
  }, menu)

/** Clicks an item of a menu, or of a menu in it. */
const click = (app: ElectronApplication, menu: string, ...labels: string[]): Promise<void> =>
  app.evaluate(
    ({ Menu, BrowserWindow }, names) => {
      const plain = (text: string): string => text.replaceAll('&', '')
      let items = Menu.getApplicationMenu()?.items ?? []
      for (const name of names.slice(0, -1))
        items = items.find((item) => plain(item.label) === name)?.submenu?.items ?? []
      const item = items.find(({ label }) => plain(label) === names.at(-1))
      if (!item) throw new Error(`no item ${names.join(' > ')}`)
      item.click(undefined, BrowserWindow.getAllWindows()[0])
    },
    [menu, ...labels],
  )

it('Help copies diagnostics without the names of the person, and shows keys, glossary, log and About', async () => {
  const { app, page, home } = await openApp()
  expect(await itemsOf(app, 'Help')).toEqual([
    'Keyboard shortcuts',
    'Glossary',
    '',
    'Show log',
    'Copy diagnostics',
    '',
    'About Stowage',
  ])
  await click(app, 'Help', 'Copy diagnostics')
  const shown = page.getByRole('dialog', { name: 'Diagnostics', exact: true })
  await shown.getByText('Copied.', { exact: false }).waitFor()
  const copied = await app.evaluate(({ clipboard }) => clipboard.readText())
  expect(copied).toMatch(/^(?:All \d+ checks are ok\.|.* in \d+ checks\.)/)
  expect(copied).toContain('Electron ')
  expect(copied).toContain('catalog: ')
  expect(copied).not.toContain(home)
  await page.keyboard.press('Escape')
  await shown.waitFor({ state: 'detached' })

  for (const title of ['Keyboard shortcuts', 'Glossary', 'About Stowage']) {
    await click(app, 'Help', title)
    await page.getByRole('dialog', { name: title, exact: true }).waitFor()
    await page.keyboard.press('Escape')
  }

  await app.evaluate(({ shell }) => {
    shell.showItemInFolder = (file) => Object.assign(globalThis, { shown: file })
  })
  await click(app, 'Help', 'Show log')
  await vi.waitUntil(() => app.evaluate(() => (globalThis as { shown?: string }).shown !== undefined), {
    timeout: PATIENCE_MS,
  })
  expect(await app.evaluate(() => (globalThis as { shown?: string }).shown)).toBe(
    path.join(home, 'stowage.log'),
  )
})

it('Open recent lists a project once it was opened, and opens it again', async () => {
  const folder = await temporaryFolder()
  await mkdir(path.join(folder, 'Photos'))
  const file = path.join(folder, 'photos.stowage.yaml')
  await writeFile(file, 'id: pr-0123456789ab\nname: Ana & Ben\nsources:\n  photos: Photos\n')
  const { app, page, drop } = await openApp()
  expect(await itemsOf(app, 'File')).toContain('Open recent > No projects yet')
  await drop(file)
  await page.locator('.top-project').getByText('Ana & Ben').waitFor()
  await vi.waitUntil(async () => (await itemsOf(app, 'File')).includes('Open recent > Ana  Ben'), {
    timeout: PATIENCE_MS,
  })
  await click(app, 'File', 'New project')
  await page.locator('.top-project').getByText('Untitled project').waitFor()
  await click(app, 'File', 'Open recent', 'Ana  Ben')
  await page.locator('.top-project').getByText('Ana & Ben').waitFor()
})

/** The labels of all menus with their access keys, each menu's own and those of its items. */
const allLabels = (app: ElectronApplication): Promise<string[][]> =>
  app.evaluate(({ Menu }) => {
    const menus = Menu.getApplicationMenu()?.items ?? []
    const items = menus.map(({ submenu }) => (submenu?.items ?? []).map(({ label }) => label))
    return [menus.map(({ label }) => label), ...items].map((labels) => labels.filter((each) => each !== ''))
  })

it('menus and questions follow the language of the settings at once, each access key once in a menu', async () => {
  const { app, page } = await openApp()
  const keysOf = (labels: readonly string[]): string[] =>
    labels.flatMap((label) => /&([^&])/.exec(label)?.[1]?.toLowerCase() ?? [])
  const expectKeysOnce = async (): Promise<void> => {
    for (const labels of await allLabels(app)) {
      const keys = keysOf(labels)
      expect(keys.toSorted(), labels.join()).toEqual([...new Set(keys)].toSorted())
    }
  }
  await expectKeysOnce()
  const english = (await allLabels(app)).flat()
  await askFromPage(page, 'app.saveSettings', { language: 'de' })
  await vi.waitUntil(async () => (await itemsOf(app, 'Datei')).includes('Ordner hinzufügen…'), {
    timeout: PATIENCE_MS,
  })
  expect(await itemsOf(app, 'Bearbeiten')).toContain('Alles auswählen')
  expect(await itemsOf(app, 'Hilfe')).toContain('Über Stowage')
  // Two that a package does not have.
  const ofDevelopers = new Set(['Reload', 'Toggle Developer Tools'])
  const left = (await allLabels(app)).flat().filter((label) => english.includes(label))
  expect(left.filter((label) => !ofDevelopers.has(label))).toEqual([])
  await expectKeysOnce()
  await click(app, 'Datei', 'Neues Projekt')
  const titleOf = (): Promise<string> =>
    app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getTitle() ?? '')
  await vi.waitUntil(async () => (await titleOf()) === 'Unbenanntes Projekt – Stowage', {
    timeout: PATIENCE_MS,
  })
  await askFromPage(page, 'app.saveSettings', { language: 'en' })
  await vi.waitUntil(async () => (await allLabels(app)).flat().join() === english.join(), {
    timeout: PATIENCE_MS,
  })
})
