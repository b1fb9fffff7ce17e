import { spawn } from 'node:child_process'
import { watch } from 'node:fs'
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import process from 'node:process'
import { expect, it, vi } from 'vitest'
import { stowage } from '../../fixtures/stowageCommand'
import { electronEnvironment, electronRuntime, PROJECT } from '../../support/electron'
import { temporaryFolder } from '../../support/temporaryFolder'
import { type AppWindow, askFromPage, openApp, PATIENCE_MS, temporaryHome, words } from './appWindow'

/** The process of the engine that is answering now, as the log tells it. */
async function enginePid(opened: AppWindow, starts = 1): Promise<number> {
  return vi.waitUntil(
    async () => {
      const pids = [...(await opened.log()).matchAll(/engine runs on .*process (\d+)\)/g)]
      return pids.length >= starts && Number(pids.at(-1)?.[1])
    },
    { timeout: PATIENCE_MS, interval: 50 },
  )
}

async function makeFolder(name: string): Promise<string> {
  const folder = path.join(await temporaryFolder(), name)
  await mkdir(folder)
  await writeFile(path.join(folder, 'a.txt'), 'content')
  return folder
}

/** Starts the application once more, which hands its arguments over and ends. */
async function startAgain(window: AppWindow, ...args: string[]): Promise<void> {
  const { executable, switches } = await electronRuntime()
  const second = spawn(executable, [...switches, PROJECT, ...args], {
    env: electronEnvironment({ display: window.display, home: window.home }),
    stdio: 'ignore',
  })
  const code = await new Promise((resolve) => second.once('exit', resolve))
  expect(code).toBe(0)
}

it('surveys the folder of the command line without being asked', async () => {
  const folder = await makeFolder('-From the command line')
  const { page } = await openApp({ args: ['--', folder] })
  await page
    .getByRole('button', { name: words('survey.toPlan'), exact: true })
    .and(page.locator(':enabled'))
    .waitFor()
  expect(await page.getByRole('main').innerText()).toMatch(/1 file read/)
})

it('names the missing folder of the command line, and opens all the same', async () => {
  const { page } = await openApp({ args: ['/no/such/folder'] })
  await page.getByText('cannot open /no/such/folder: no such file or folder').first().waitFor()
})

it('survives the death of its engine, reports it and starts another', async () => {
  const opened = await openApp()
  const first = await enginePid(opened)
  process.kill(first, 'SIGKILL')
  const second = await enginePid(opened, 2)
  expect(second).not.toBe(first)
  expect(await opened.log()).toMatch(/engine lost: the engine was ended by signal SIGKILL/)
  const answer = await askFromPage(opened.page, 'media.list')
  expect(answer?.ok).toBe(true)
})

it('takes its engine with it when it closes', async () => {
  const window = await openApp()
  const pid = await enginePid(window)
  await window.close()
  expect(() => process.kill(pid, 0)).toThrow('ESRCH')
})

it('keeps settings and the place of its window for the next start', async () => {
  const home = await temporaryHome()
  const first = await openApp({ home })
  await askFromPage(first.page, 'app.saveSettings', { theme: 'dark', units: 'binary' })
  const bounds = await first.app.evaluate(({ BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows()
    window?.setBounds({ x: 40, y: 60, width: 1000, height: 700 })
    return window?.getNormalBounds()
  })
  await first.close()
  expect((await stowage(['config', 'get', 'units'], { home })).stdout).toBe('binary\n')
  const second = await openApp({ home })
  const state = await askFromPage(second.page, 'app.state')
  expect(state).toMatchObject({ ok: true, value: { settings: { theme: 'dark', units: 'binary' } } })
  expect(await second.page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)).toBe(true)
  expect(JSON.parse(await readFile(path.join(home, 'window.json'), 'utf8'))).toMatchObject({ bounds })
})

it('names a broken settings file, and opens the page of settings from its menu', async () => {
  const home = await temporaryHome()
  const file = path.join(home, 'settings.yaml')
  await writeFile(file, 'units: binary\ntheme: [dark\n')
  const { app, page } = await openApp({ home })
  await page.getByRole('alert').getByText(`${file}:3:1: `, { exact: false }).waitFor()
  await app.evaluate(({ Menu }) => {
    const entries = Menu.getApplicationMenu()?.items.flatMap(({ submenu }) => submenu?.items ?? []) ?? []
    entries.find(({ label }) => label.includes('Settings'))?.click()
  })
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
  expect(await readFile(file, 'utf8')).toBe('units: binary\ntheme: [dark\n')
})

it('has its engine work in the folder of the settings, and takes no folder that nobody chose', async () => {
  const home = await temporaryHome()
  const [work, other] = [await makeFolder('work'), await makeFolder('other')]
  await writeFile(path.join(home, 'settings.yaml'), `work-folder: ${work}\n`)
  const source = await makeFolder('source')
  await writeFile(path.join(source, 'words.txt'), 'temporary files of a survey '.repeat(20_000))
  const seen = new Set<string>()
  const watcher = watch(work, (_, name) => seen.add(String(name)))
  const { page } = await openApp({ home, args: ['--', source] })
  await vi.waitUntil(() => [...seen].some((name) => name.startsWith('stowage-samples-')), {
    timeout: PATIENCE_MS,
  })
  watcher.close()
  const refused = await askFromPage(page, 'app.saveSettings', { 'work-folder': other })
  expect(refused).toMatchObject({ ok: false, error: { code: 'refused', path: other } })
  expect(await askFromPage(page, 'work.use', { folder: other })).not.toMatchObject({ ok: true })
  const changed = await askFromPage(page, 'app.saveSettings', { 'work-folder': null })
  expect(changed).toMatchObject({ ok: true, value: { 'work-folder': null } })
  expect(await readFile(path.join(home, 'settings.yaml'), 'utf8')).not.toContain('work-folder')
})

it('cannot be made smaller than its page needs', async () => {
  const { app } = await openApp()
  const size = await app.evaluate(({ BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows()
    return window?.getMinimumSize()
  })
  expect(size).toEqual([900, 600])
})

it('takes the folder of a second start into its own window', async () => {
  const folder = await makeFolder('Handed over')
  const window = await openApp()
  await window.page.getByText(words('source.drop.title')).waitFor()
  await startAgain(window, folder)
  await window.page.getByText('Handed over').first().waitFor()
  expect(window.app.windows()).toHaveLength(1)
})

it('opens a disk image that it is started with, and that of a second start, on the page of images', {
  tags: 'long',
}, async () => {
  const folder = await temporaryFolder()
  const [first, second] = ['Vault.sparsebundle', 'Photos.dmg'].map((name) => path.join(folder, name)) as [
    string,
    string,
  ]
  const home = await temporaryHome()
  for (const [image, kind] of [
    [first, 'UDSB'],
    [second, 'UDRW'],
  ] as const)
    expect((await stowage(['image', 'create', image, '--size', '4MiB', '--kind', kind], { home })).code).toBe(
      0,
    )
  const window = await openApp({ home, args: [first] })
  const { page } = window
  await page.getByRole('heading', { level: 1, name: 'Images' }).waitFor()
  await page.getByText('Vault.sparsebundle').first().waitFor()
  await startAgain(window, second)
  await page.getByText('Photos.dmg').first().waitFor()
  expect(await page.getByText('Vault.sparsebundle').count()).toBe(0)
  expect(window.complaints).toEqual([])
})

it('leaves a start during its end to a window of its own', async () => {
  const { app } = await openApp()
  const isKept = await app.evaluate(
    ({ app: closing, BrowserWindow }) =>
      new Promise<boolean>((resolve, reject) => {
        const [window] = BrowserWindow.getAllWindows()
        window?.once('closed', () => {
          // One that was already on its way.
          try {
            closing.emit('second-instance', {}, [], '', { given: '[]' })
            resolve(closing.hasSingleInstanceLock())
          } catch (error) {
            reject(error)
          }
        })
        window?.close()
      }),
  )
  expect(isKept).toBe(false)
})

it('makes the sample source and takes it for a source', async () => {
  const { page } = await openApp()
  await page.getByRole('button', { name: words('source.sample') }).click()
  await page
    .getByRole('list', { name: words('source.list') })
    .getByText('Stowage sample')
    .first()
    .waitFor()
})

it('says in one line what is missing when this Electron cannot run the engine', async ({ skip }) => {
  const { executable, switches, version } = await electronRuntime()
  skip(Number(version.split('.')[0]) >= 36, `Electron ${version} runs the engine itself`)
  const window = await openApp()
  const { STOWAGE_ENGINE_NODE: _node, ...env } = electronEnvironment({
    display: window.display,
    home: await temporaryHome(),
  })
  // A copy without the packages: the Node among them would be found.
  const alone = await temporaryFolder()
  for (const part of ['package.json', 'dist'])
    await cp(path.join(PROJECT, part), path.join(alone, part), { recursive: true })
  const child = spawn(executable, [...switches, alone], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  await new Promise<void>((resolve) => {
    child.stderr.on('data', (piece: Buffer) => {
      said += piece.toString()
      if (said.includes('stowage:')) resolve()
    })
    child.once('exit', () => resolve())
  })
  child.kill('SIGKILL')
  expect(said).toMatch(/^stowage: .*STOWAGE_ENGINE_NODE.*Node 24/m)
})
