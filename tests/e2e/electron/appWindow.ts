import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { _electron, type ElectronApplication, errors, type Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import copy from '../../../assets/copy/en/window.json'
import { messagesOf } from '../../../src/language/messages'
import type { Result } from '../../../src/primitives/result'
import { electronEnvironment, electronRuntime, PROJECT } from '../../support/electron'
import { openDisplay } from '../../support/virtualDisplay'

const SCREENSHOTS = path.join(PROJECT, 'tests', 'artifacts', 'electron')
/** A first start on a busy machine with two cores; what is still not there then will not come. */
export const PATIENCE_MS = 90_000

/** How long a first start may take before it counts as missed: ten times what it takes. The second one has all the patience. */
const FIRST_START_MS = 20_000

/** The running application with its one window, and what a test needs around it. */
export interface AppWindow {
  readonly app: ElectronApplication
  readonly page: Page
  /** The display it is on. */
  readonly display: string
  /** Its data folder, which an application started later may be given again. */
  readonly home: string
  /** What the page wrote to its console as an error or warning. */
  readonly complaints: string[]
  log(): Promise<string>
  /** Keeps a picture of the window under tests/artifacts/electron, where `STOWAGE_PICTURES` asks for them. */
  screenshot(name: string): Promise<void>
  /** Drops files and folders on the window as a file manager does, the whole way: over, across, down. */
  drop(...files: string[]): Promise<void>
  close(): Promise<void>
}

/** Takes what is to be done at the end, the last one first. */
type AtEnd = (dispose: () => void | Promise<void>) => void

/**
 * Starts the built application as a person does, on a real or virtual display; it is closed when the test ends.
 * @param options.atEnd closes it at another end, such as that of all tests of a file
 * @throws Error when the bundles are missing: `npm test` makes them first
 */
export async function openApp(
  options: { args?: readonly string[]; home?: string; env?: Record<string, string>; atEnd?: AtEnd } = {},
): Promise<AppWindow> {
  for (const file of ['main/main.cjs', 'preload/preload.cjs', 'engine/engine.cjs', 'renderer/index.html']) {
    if (!existsSync(path.join(PROJECT, 'dist', file))) throw new Error(`dist/${file} is not built`)
  }
  const { atEnd = onTestFinished } = options
  const runtime = await electronRuntime()
  const display = await openDisplay()
  atEnd(() => display.close())
  const home = options.home ?? (await temporaryHome(atEnd))
  const { app, page, complaints } = await opened({
    executablePath: runtime.executable,
    args: [...runtime.switches, PROJECT, ...(options.args ?? [])],
    env: { ...electronEnvironment({ display: display.name, home }), ...options.env },
    chromiumSandbox: runtime.switches.length === 0,
    // The page sees what main decides, not what the driver would pretend.
    colorScheme: null,
    timeout: PATIENCE_MS,
  })
  let isClosed = false
  const close = async (): Promise<void> => {
    if (isClosed) return
    isClosed = true
    // Work that a failed test left running is stopped without a question.
    await app
      .evaluate(({ dialog }) => {
        dialog.showMessageBox = async () => ({ response: 1, checkboxChecked: false })
      })
      .catch(() => undefined)
    await app.close()
  }
  atEnd(close)
  return {
    app,
    page,
    display: display.name,
    home,
    complaints,
    log: () => readFile(path.join(home, 'stowage.log'), 'utf8'),
    async screenshot(name) {
      if (process.env['STOWAGE_PICTURES'] === undefined) return
      await mkdir(SCREENSHOTS, { recursive: true })
      await page.screenshot({ path: path.join(SCREENSHOTS, `${name}.png`), animations: 'disabled' })
    },
    async drop(...files) {
      const session = await page.context().newCDPSession(page)
      const data = { items: [], files, dragOperationsMask: 1 }
      for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
        await session.send('Input.dispatchDragEvent', { type, x: 400, y: 300, data })
      }
      await session.detach()
    },
    close,
  }
}

/** An application whose window has loaded. */
type Opened = Pick<AppWindow, 'app' | 'page' | 'complaints'>

/**
 * Once in some dozens of starts Playwright's driver does not join Electron 22, though both its ports have answered, or misses that the
 * page has loaded: it takes part while the first window opens. The application is then ended and started anew, once, and the test
 * prints so; one that does not start fails both times.
 */
async function opened(options: Parameters<typeof _electron.launch>[0]): Promise<Opened> {
  try {
    return await openedOnce(options, FIRST_START_MS)
  } catch (thrown) {
    if (!(thrown instanceof errors.TimeoutError)) throw thrown
    console.warn(`started anew: ${thrown.message.split('\n')[0]}`)
    return openedOnce(options, PATIENCE_MS)
  }
}

async function openedOnce(options: Parameters<typeof _electron.launch>[0], timeout: number): Promise<Opened> {
  const app = await _electron.launch({ ...options, timeout })
  try {
    const page = await app.firstWindow({ timeout })
    page.setDefaultTimeout(PATIENCE_MS)
    const complaints: string[] = []
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    await page.waitForLoadState('load', { timeout })
    return { app, page, complaints }
  } catch (thrown) {
    app.process().kill('SIGKILL')
    throw thrown
  }
}

/** A fresh data folder, removed when the test ends, or at another end. */
export async function temporaryHome(atEnd: AtEnd = onTestFinished): Promise<string> {
  const home = await mkdtemp(path.join(tmpdir(), 'stowage-e2e-'))
  atEnd(() => rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }))
  return home
}

/** The words of the window by key, so that tests follow them. */
export const { say: words } = messagesOf('en', copy)

/** Answers the next folder dialogs of main as a person would who chooses these folders, or closes it. */
export async function answerFolderDialogs(
  app: ElectronApplication,
  ...chosen: readonly (string | null)[]
): Promise<void> {
  const folders = chosen.filter((folder) => folder !== null)
  await app.evaluate(({ dialog }, filePaths) => {
    dialog.showOpenDialog = async () => ({ canceled: filePaths.length === 0, filePaths })
  }, folders)
}

/** Save dialogs choose this file from now on. */
export async function answerSaveDialog(app: ElectronApplication, chosen: string): Promise<void> {
  await app.evaluate(({ dialog }, file) => {
    dialog.showSaveDialog = async () => ({ canceled: false, filePath: file })
  }, chosen)
}

/** What the preload page puts on the window, as a page under attack would use it: by name, with anything. */
export interface PageApi {
  readonly call: Record<string, Record<string, (params: unknown) => Promise<Result<unknown>>>>
  readonly giveDropped: (files: unknown[]) => Promise<void>
}

/** Asks from inside the page. Null means that the page has no such call. */
export async function askFromPage(
  page: Page,
  channel: string,
  params?: unknown,
): Promise<Result<unknown> | null> {
  const [group, name] = channel.split('.') as [string, string]
  return page.evaluate(
    async ([inGroup, called, given]) => {
      const { call } = (globalThis as unknown as { stowage: PageApi }).stowage
      return (await call[inGroup]?.[called]?.(given)) ?? null
    },
    [group, name, params] as const,
  )
}
