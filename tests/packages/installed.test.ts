import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'
import { chromium, type Page } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import copy from '../../assets/copy/en/menu.json' with { type: 'json' }
import { control } from '../e2e/electron/journeys/person'
import { writeMedia } from '../e2e/electron/journeys/sources'
import { temporaryFolder } from '../support/temporaryFolder'
import { treeFacts } from '../support/treeFacts'
import { openDisplay } from '../support/virtualDisplay'
import { type BareSystem, bareSystem, whyNoBareSystem } from './bareSystem'
import { BUILDS, makePackages, VERSION } from './madePackage'

const run = promisify(execFile)

/** Two volumes of 3 MB hold them where the copy is stored one time. */
const PICTURES = {
  'Journey 0/picture 0.jpg': 1_050_000,
  'Journey 0/picture 2.jpg': 1_050_000,
  'Journey 1/picture 1.jpg': 1_050_000,
  'Journey 1/picture 3.jpg': 1_050_000,
}

it('the deb is installed on a bare Debian, leads from a folder to restored files, and is removed without a trace', async (context) => {
  const obstacle = whyNoBareSystem()
  if (obstacle !== null) return context.skip(obstacle)
  const packages = await temporaryFolder(BUILDS)
  await makePackages(packages, 'linux', 'deb')
  const system = await bareSystem()
  const deb = `stowage-${VERSION}-linux-x64.deb`
  await copyFile(path.join(packages, deb), path.join(system.root, 'tmp', deb))
  await system.asRoot('apt-get', '-q', 'update')
  const install = ['apt-get', '-q', 'install', '-y', '--no-install-recommends']
  await system.asRoot(...install, `/tmp/${deb}`)
  const home = system.home.outside
  await writeMedia(path.join(home, 'Journeys'), PICTURES)
  await mkdir(path.join(home, 'Journeys/Backup'))
  await copyFile(
    path.join(home, 'Journeys/Journey 0/picture 0.jpg'),
    path.join(home, 'Journeys/Backup/picture 0.jpg'),
  )
  await system.asRoot('chown', '-R', 'joe:', system.home.inside)

  await workOnTheCommandLine(system)
  await workInTheWindow(system)

  const before = await system.files()
  expect(before.filter((file) => file.includes('stowage'))).not.toEqual([])
  await system.asRoot('apt-get', '-q', 'purge', '-y', 'stowage')
  const left = (await system.files()).filter((file) => /stowage/i.test(file))
  expect(left).toEqual([])
  expect(existsSync(path.join(home, '.local/share/stowage/catalog.db'))).toBe(true)
})

/** The same work as in the README, each command as it is typed. */
async function workOnTheCommandLine(system: BareSystem): Promise<void> {
  const { inside, outside } = system.home
  const stowage = (...words: string[]): Promise<string> => system.asUser('stowage', ...words)
  expect((await stowage('--version')).trim()).toBe(VERSION)
  expect(await stowage('survey', `${inside}/Journeys`)).toContain('holds 5 files')
  const planned = await stowage(
    'plan',
    `${inside}/Journeys`,
    '--medium',
    'custom:3MB',
    '--out',
    `${inside}/plan`,
  )
  expect(planned).toContain('stowage build')
  await stowage('build', `${inside}/plan`)
  expect(await stowage('verify', `${inside}/plan`)).toContain('every file was read back')
  await stowage('restore', `${inside}/plan`, '--to', `${inside}/restored`)
  expect(treeFacts(path.join(outside, 'restored'))).toEqual(treeFacts(path.join(outside, 'Journeys')))
}

/** What a newcomer does, with a folder chosen in the dialog of the system at the end. */
async function workInTheWindow(system: BareSystem): Promise<void> {
  const { inside, outside } = system.home
  const display = await openDisplay()
  onTestFinished(() => display.close())
  const page = await openWindow(system, display.name)
  const button = (name: string | RegExp) => control(page, 'button', name)
  const reads = (words: string | RegExp): Promise<void> =>
    page.getByRole('main').getByText(words).first().waitFor()

  await page.getByRole('heading', { level: 1 }).waitFor()
  await drop(page, `${inside}/Journeys`)
  await reads('What do you want to keep?')
  await control(page, 'radio', 'Discs').click()
  await page.getByLabel('Other size', { exact: true }).fill('3MB')
  await button('Start survey').click()
  await button('Choose').click()
  await button('Use this: Plain discs').click()
  await button('Build and verify').click()
  await reads('Built and verified: every file matches the survey.')
  const set = path.join(outside, 'Stowage/Journeys/images')
  expect((await readdir(set)).toSorted()).toEqual(['01.iso', '02.iso'])

  await page.reload()
  await button(/^Restore /).click()
  await page.getByRole('checkbox', { name: 'Restore everything in Journeys' }).click()
  await system.asUser('mkdir', `${inside}/Back`)
  await button('Restore…').click()
  await chooseInDialog(display.name, `${inside}/Back`)
  await reads(/^5 files restored and checked/)
  expect(treeFacts(path.join(outside, 'Back'))).toEqual(treeFacts(path.join(outside, 'Journeys')))
  const log = await readFile(path.join(outside, '.local/share/stowage/stowage.log'), 'utf8')
  expect(log).toMatch(/engine runs on Node 24\S*, Node-API 10/)
  expect(log).not.toMatch(/internal|uncaught/)
}

/**
 * Starts the window as its user does and joins it by Chromium's own port: the package refuses the
 * debugger of Node by which tests of a checkout come in.
 */
async function openWindow(system: BareSystem, display: string): Promise<Page> {
  const port = await freePort()
  system.start({ DISPLAY: display }, 'stowage-window', `--remote-debugging-port=${port}`)
  // Electron's browser refuses the settings that the driver would begin with.
  await expect
    .poll(() =>
      fetch(`http://127.0.0.1:${port}/json`).then(
        ({ ok }) => ok,
        () => false,
      ),
    )
    .toBe(true)
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`, { noDefaults: true })
  onTestFinished(() => browser.close())
  const page = browser.contexts()[0]?.pages()[0]
  if (page === undefined) throw new Error('the application has no window')
  page.setDefaultTimeout(90_000)
  return page
}

async function drop(page: Page, folder: string): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const data = { items: [], files: [folder], dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, x: 400, y: 300, data })
  await session.detach()
}

/** Types a folder into GTK's dialog and opens it. */
async function chooseInDialog(display: string, folder: string): Promise<void> {
  const xdotool = (...argv: string[]) => run('xdotool', argv, { env: { ...process.env, DISPLAY: display } })
  const { stdout } = await xdotool('search', '--sync', '--onlyvisible', '--name', copy['dialog.restore'])
  const dialog = stdout.trim().split('\n').at(-1) ?? ''
  await xdotool('windowfocus', '--sync', dialog)
  await xdotool('type', '--delay', '50', folder)
  await xdotool('key', 'Return')
}

/** A port that nothing listens on. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
