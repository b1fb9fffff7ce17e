import { readFile } from 'node:fs/promises'
import path from 'node:path'
import {
  BrowserWindow,
  nativeTheme,
  type Session,
  screen,
  session,
  type WebContents,
  type WebPreferences,
} from 'electron'
import { z } from 'zod'
import { channelNamesOf } from '../contract/defineSchema'
import type { Settings } from '../contract/dto/settings'
import { CHANNELS_ARGUMENT } from '../contract/preloadPage'
import { rendererSchema } from '../contract/rendererSchema'
import { writeAtomically } from '../files/atomicFile'
import { SCHEME, START_PAGE } from './pageAnswer'
import { APP_NAME } from './words'

const MINIMUM_SIZE = { width: 900, height: 600 }
const FIRST_SIZE = { width: 1240, height: 820 }
/**
 * Painted before the page is: the page's own ground in light and dark, so that opening does not
 * flash.
 */
const GROUND = { light: '#f6f5f2', dark: '#16181b' }

const boundsSchema = z.object({
  x: z.number().int(),
  y: z.number().int(),
  width: z.number().int().min(MINIMUM_SIZE.width),
  height: z.number().int().min(MINIMUM_SIZE.height),
})
const savedWindowSchema = z.object({ bounds: boundsSchema, isMaximized: z.boolean() })

const CONFINED: WebPreferences = {
  sandbox: true,
  contextIsolation: true,
  nodeIntegration: false,
  nodeIntegrationInWorker: false,
  nodeIntegrationInSubFrames: false,
  webviewTag: false,
  webSecurity: true,
  allowRunningInsecureContent: false,
  navigateOnDragDrop: false,
  spellcheck: false,
}

/** A window that nobody sees, for a page to print: confined as the other, and without scripts. */
export function hiddenWindow(pages: Session): BrowserWindow {
  const window = new BrowserWindow({
    show: false,
    webPreferences: { ...CONFINED, session: pages, javascript: false },
  })
  confine(window.webContents)
  return window
}

/** The window, and what its end leaves to be done. */
interface OpenedWindow {
  readonly window: BrowserWindow
  /** Resolves when the place of the window, once it is closed, is on the disk or cannot be. */
  placeNoted(): Promise<void>
}

/**
 * Opens the one window: sandboxed, isolated, without Node, where it was when it was last closed.
 */
export async function openWindow(options: { preload: string; dataDir: string }): Promise<OpenedWindow> {
  const stateFile = path.join(options.dataDir, 'window.json')
  const saved = await readSaved(stateFile)
  const window = new BrowserWindow({
    ...(saved ? saved.bounds : FIRST_SIZE),
    minWidth: MINIMUM_SIZE.width,
    minHeight: MINIMUM_SIZE.height,
    title: APP_NAME,
    show: false,
    backgroundColor: nativeTheme.shouldUseDarkColors ? GROUND.dark : GROUND.light,
    webPreferences: {
      preload: options.preload,
      additionalArguments: [CHANNELS_ARGUMENT + JSON.stringify(channelNamesOf(rendererSchema))],
      ...CONFINED,
    },
  })
  if (saved?.isMaximized) window.maximize()
  confine(window.webContents)
  window.once('ready-to-show', () => window.show())
  let noted = Promise.resolve()
  window.on('close', () => {
    const state = { bounds: window.getNormalBounds(), isMaximized: window.isMaximized() }
    // Where the window was is a convenience: not being able to note it must not keep it open.
    noted = writeAtomically(stateFile, JSON.stringify(state)).catch(() => {})
  })
  return { window, placeNoted: () => noted }
}

/**
 * Loads the window's page in this language.
 * @throws Error when the page is missing, that is, was not built
 */
export async function showStartPage(window: BrowserWindow, language: Settings['language']): Promise<void> {
  await window.loadURL(`${START_PAGE}?language=${language}`)
}

/** Keeps a page where it is: it opens nothing, goes nowhere, embeds nothing. */
function confine(contents: WebContents): void {
  contents.setWindowOpenHandler(() => ({ action: 'deny' }))
  contents.on('will-navigate', (event) => event.preventDefault())
  contents.on('will-redirect', (event) => event.preventDefault())
  contents.on('will-attach-webview', (event) => event.preventDefault())
  // Calls between pages are no requests, which a session could refuse: their UDP is off, their TCP takes the proxy.
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp')
}

/**
 * Nothing listens there. Behind a proxy no name is looked up and no connection made on the page's
 * behalf.
 */
const NO_PROXY = '127.0.0.1:1'

/**
 * Refuses every permission (camera, notifications, devices …), download and request that leaves the
 * application.
 * @param file the address of a file that may be loaded all the same
 */
export async function confineSession(
  target: Session = session.defaultSession,
  file: string | null = null,
): Promise<void> {
  target.setPermissionRequestHandler((_contents, _permission, answer) => answer(false))
  target.setPermissionCheckHandler(() => false)
  target.setDevicePermissionHandler(() => false)
  target.on('will-download', (event) => event.preventDefault())
  target.webRequest.onBeforeRequest((details, answer) => {
    const { protocol } = new URL(details.url)
    const isOwn = [`${SCHEME}:`, 'devtools:', 'data:', 'blob:'].includes(protocol)
    answer({ cancel: !isOwn && details.url !== file })
  })
  await target.setProxy({ proxyRules: NO_PROXY, proxyBypassRules: '<-loopback>' })
}

async function readSaved(file: string): Promise<z.infer<typeof savedWindowSchema> | null> {
  try {
    const saved = savedWindowSchema.parse(JSON.parse(await readFile(file, 'utf8')))
    return isOnSomeScreen(saved.bounds) ? saved : null
  } catch {
    return null
  }
}

/** A window is lost if the screen it was on is gone: at least its title must be within reach. */
function isOnSomeScreen({ x, y, width }: z.infer<typeof boundsSchema>): boolean {
  return screen
    .getAllDisplays()
    .some(
      ({ workArea: area }) =>
        y >= area.y &&
        y < area.y + area.height - 40 &&
        x + width > area.x + 100 &&
        x < area.x + area.width - 100,
    )
}
