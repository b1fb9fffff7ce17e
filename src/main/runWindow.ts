import path from 'node:path'
import process from 'node:process'
import { app, type BrowserWindow, ipcMain, nativeTheme, powerSaveBlocker } from 'electron'
import type { Handlers } from '../contract/defineSchema'
import { archiveDocumentSchema } from '../contract/dto/archive'
import type { JobEnd } from '../contract/dto/job'
import {
  type OpenedProject,
  PROJECT_ENDING,
  type ProjectAction,
  type ProjectState,
} from '../contract/dto/project'
import { defaultRules, type Settings } from '../contract/dto/settings'
import { type RendererSchema, rendererSchema } from '../contract/rendererSchema'
import { APP_VERSION } from '../contract/version'
import { absolutePath } from '../files/absolutePath'
import { recoverPath } from '../files/nativePath'
import type { SettingsPlace } from '../files/settingsPlace'
import { AppError } from '../primitives/appError'
import { systemClock } from '../primitives/clock'
import { languageFor } from '../primitives/languages'
import { pathForDisplay } from '../primitives/pathText'
import { ok, type Result } from '../primitives/result'
import { said } from '../primitives/said'
import { appHandlers } from './appHandlers'
import {
  askAboutChanged,
  askAboutUnsaved,
  askForMissingSource,
  askForProject,
  askForProjectPlace,
  askForSources,
  askToStop,
} from './dialogs'
import { chooseHost } from './engine/engineChoice'
import { type EngineSupervisor, superviseEngine } from './engine/engineSupervisor'
import { givenImage } from './givenImage'
import { Grants, grantImage } from './ipc/grants'
import { openGateway } from './ipc/ipcGateway'
import { openPageChannel } from './ipc/pageChannel'
import { isOurPage } from './ipc/trustedPage'
import { keepAwake } from './jobs/keepAwake'
import { SafeQuit } from './jobs/safeQuit'
import { showNotice } from './jobs/showNotice'
import { taskbarProgress } from './jobs/taskbarProgress'
import { workNotices } from './jobs/workNotices'
import type { Log } from './logFile'
import { type MenuActions, setMenu } from './menu'
import { ProjectDesk } from './projects/projectDesk'
import { projectHandlers } from './projects/projectHandlers'
import { openProjectMemory, type ProjectMemory } from './projects/projectMemory'
import { ProjectQuit } from './projects/projectQuit'
import { servePages } from './rendererPages'
import { openSettings } from './settings'
import { takeSources } from './sources'
import { confineSession, openWindow, showStartPage } from './window'
import { APP_NAME, onSpoken, speak } from './words'

/**
 * The bundles lie next to main's own; the engine's is unpacked in a package, where plain Node can
 * read it.
 */
const DIST = path.resolve(__dirname, '..')
const ENGINE_BUNDLE = path.join(DIST, 'engine', 'engine.cjs').replace('app.asar', 'app.asar.unpacked')

/**
 * Opens the window and serves it until it is closed: engine, door, menu, page, in this order, so
 * that the page finds everything in place. Resolves when the page is shown.
 */
export async function runWindow(options: {
  dataDir: string
  settingsPlace: SettingsPlace
  given: readonly string[]
  log: Log
}): Promise<void> {
  const { dataDir, log } = options
  log.line(`Stowage ${APP_VERSION} on Electron ${process.versions['electron']}, ${process.platform}`)
  const settings = await openSettings(options.settingsPlace)
  showAs(settings.current)
  const grants = new Grants()
  let window: BrowserWindow | null = null
  const page = openPageChannel(() => window)

  const shown = (): BrowserWindow | null => (window?.isDestroyed() ? null : window)
  const awake = keepAwake(powerSaveBlocker)
  const taskbar = taskbarProgress(shown)
  const notices = workNotices(
    () => shown()?.isFocused() ?? true,
    (notice) => showNotice(notice, shown),
  )
  const engine = superviseEngine({
    host: chooseHost(ENGINE_BUNDLE, process.env, process.versions['napi']),
    dataDir,
    clock: systemClock,
    log: log.line,
    onEvent(channel, payload) {
      if (channel === 'job.ended') notices.ended(payload as JobEnd)
      page.forward(channel, payload)
    },
    onState(state) {
      if (state.state === 'ready') void useWorkFolder()
      page.emit('app', 'engineState', state)
    },
    onJobs(running) {
      awake(running)
      taskbar(running)
      notices.jobs(running)
      quit.jobs(running)
    },
  })
  const quit = new SafeQuit({
    ask: engine.request,
    confirm: (question) => askToStop(requireWindow(window), question),
    quit: () => window?.close(),
  })
  // Asked before anything that waits for the engine.
  const useWorkFolder = async (): Promise<void> => {
    const { 'work-folder': folder } = settings.current
    if (folder === null) return
    const used = await engine.request('work.use', { folder })
    if (!used.ok) tellFailure(AppError.fromWire(used.error))
  }
  engine.start()

  const tellFailure = (failure: AppError): void => {
    log.line(`${failure.code}: ${failure.message}`)
    page.emit('app', 'failure', { ...failure.toWire(), stack: undefined })
  }
  for (const failure of settings.failures) tellFailure(failure)
  /** The answer of the engine. @throws AppError as the call fails */
  const asked = async (channel: string, params: unknown): Promise<unknown> => {
    const answer = await engine.request(channel, params)
    if (answer.ok) return answer.value
    throw AppError.fromWire(answer.error)
  }
  const memory = await openProjectMemory(dataDir)
  const desk = new ProjectDesk({
    memory,
    grants,
    ask: {
      file: () => askForProject(requireWindow(window)),
      place: (suggestedName) => askForProjectPlace(requireWindow(window), suggestedName),
      source: (name, kind) => askForMissingSource(requireWindow(window), name, kind),
      unsaved: (name) => askAboutUnsaved(requireWindow(window), name),
      changed: (file) => askAboutChanged(requireWindow(window), file),
    },
    archives: {
      get: async (archiveId) => archiveDocumentSchema.parse(await asked('archive.get', { archiveId })),
      async place(archiveId, source, now) {
        await asked('archive.place', { archiveId, source, path: now })
      },
    },
    defaultRules: () => defaultRules(settings.current),
    onState: (state) => showProject(shown(), state),
  })
  /** Opens a project among paths that were handed over. @returns the other paths */
  const openAmong = async (
    paths: readonly string[],
    opened: (project: OpenedProject) => void,
  ): Promise<string[]> => {
    const [file, ...more] = paths.filter((each) => each.endsWith(PROJECT_ENDING))
    if (file === undefined) return [...paths]
    if (more.length > 0)
      tellFailure(
        new AppError(
          'usage',
          `only one project can be open: ${pathForDisplay(file)} is opened, the others are not`,
        ),
      )
    try {
      const project = await desk.open(absolutePath(await recoverPath(file)))
      if (project) opened(project)
    } catch (error) {
      tellFailure(AppError.from(error))
    }
    return paths.filter((each) => !each.endsWith(PROJECT_ENDING))
  }

  /**
   * Opens the image that the application was started for, also while it runs. A drop does not come
   * here: the page on the screen decides what it is for. @returns the other paths
   */
  const openImage = async (paths: readonly string[]): Promise<readonly string[]> => {
    const image = givenImage(paths)
    if (image === null) return paths
    const place = absolutePath(await recoverPath(image))
    grantImage(place, grants)
    page.emit('app', 'imageGiven', place)
    return []
  }

  const first = await takeSources(await openImage(await openAmong(options.given, () => {})), grants)
  for (const failure of first.failures) tellFailure(failure)

  const handOver = async (given: readonly string[]): Promise<void> => {
    const paths = await openAmong(given, (project) => page.emit('project', 'opened', project))
    const { sources, failures } = await takeSources(paths, grants)
    for (const failure of failures) tellFailure(failure)
    if (sources.length > 0) page.emit('app', 'sourcesGiven', sources)
  }

  const own = appHandlers({
    dataDir,
    documents: () => app.getPath('documents'),
    showAs,
    logFile: log.file,
    settings,
    grants,
    engineState: () => engine.state,
    askEngine: engine.request,
    given: first.sources,
    project: () => desk.current(),
    window: () => requireWindow(window),
    tellFailure,
    pageListens: () => page.open(engine.running),
  })
  openGateway({
    door: ipcMain,
    schema: rendererSchema,
    isTrusted: (event) => isOurPage(window, event),
    grants,
    answer: routeCalls({ app: own, project: projectHandlers(desk, memory) }, engine),
    takeDropped: handOver,
    onBug: log.failure,
  })

  servePages(path.join(DIST, 'renderer'))
  await confineSession()
  const opened = await openWindow({ preload: path.join(DIST, 'preload', 'preload.cjs'), dataDir })
  window = opened.window
  serveLife(window, engine, {
    placeNoted: opened.placeNoted,
    handOver,
    openGiven: async (paths) => handOver(await openImage(paths)),
    showSettings: () => page.emit('app', 'settingsWanted', null),
    wantProject: (action) => page.emit('project', 'wanted', action),
    help: (help) => page.emit('app', 'helpWanted', help),
    showLog: () => void own.showLog(undefined),
    memory,
    openRecent: (recent) => {
      void desk.openRecent(recent).then(
        (project) => project && page.emit('project', 'opened', project),
        (error: unknown) => tellFailure(AppError.from(error)),
      )
    },
    desk,
    tellFailure,
    log,
    quit,
  })
  await showStartPage(window, settings.current.language)
}

/** Takes the colours and the language of the settings; the page takes them by itself. */
function showAs({ theme, language }: Settings): void {
  nativeTheme.themeSource = theme
  // The languages of the system as the page has them in `navigator.languages`.
  const preferred = [app.getLocale(), ...app.getPreferredSystemLanguages()]
  speak(language === 'system' ? languageFor(preferred) : language)
}

/**
 * The window's calls, which the door has checked: the engine's groups are forwarded, main's own are
 * answered here.
 */
function routeCalls(
  own: Handlers<Pick<RendererSchema, 'app' | 'project'>>,
  engine: EngineSupervisor,
): (channel: string, params: unknown) => Promise<Result<unknown>> {
  const groups = own as Readonly<Record<string, Readonly<Record<string, (params: unknown) => unknown>>>>
  return async (channel, params) => {
    const [group, name] = channel.split('.') as [string, string]
    const handlers = groups[group]
    if (handlers === undefined) return engine.request(channel, params)
    const handler = handlers[name]
    if (!handler) throw new AppError('internal', `no handler for ${channel}`)
    return ok(await handler(params))
  }
}

/**
 * Handles the events of the application around the window: the menu, further starts, a crashed
 * page, the end.
 */
function serveLife(
  window: BrowserWindow,
  engine: EngineSupervisor,
  {
    handOver,
    openGiven,
    showSettings,
    wantProject,
    help,
    showLog,
    memory,
    openRecent,
    desk,
    tellFailure,
    log,
    quit,
    placeNoted,
  }: {
    handOver: (paths: readonly string[]) => Promise<void>
    openGiven: (paths: readonly string[]) => Promise<void>
    showSettings: () => void
    wantProject: (action: ProjectAction) => void
    help: MenuActions['help']
    showLog: () => void
    memory: ProjectMemory
    openRecent: (file: string) => void
    desk: ProjectDesk
    tellFailure: (failure: AppError) => void
    log: Log
    quit: SafeQuit
    placeNoted: () => Promise<void>
  },
): void {
  const actions: MenuActions = {
    addSources: (kind) => void askForSources(window, kind).then(handOver),
    showSettings,
    project: wantProject,
    help,
    showLog,
  }
  const showMenu = async (): Promise<void> => {
    const recents = (await memory.recents()).filter(({ problem }) => problem === null)
    setMenu(
      actions,
      recents.map(({ name, recent }) => ({ name, open: () => openRecent(recent) })),
    )
  }
  memory.onChange(() => void showMenu())
  onSpoken(() => void showMenu())
  void showMenu()
  // While the engine ends, another start gets a window of its own: here is none any more.
  window.on('closed', () => app.releaseSingleInstanceLock())
  app.on('second-instance', (_event, _argv, _cwd, data) => {
    if (window.isDestroyed()) return
    if (window.isMinimized()) window.restore()
    window.focus()
    void openGiven(pathsOfOtherStart(data))
  })
  window.webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    log.line(`the window's page ended: ${reason} (${exitCode})`)
    if (reason !== 'clean-exit') window.webContents.reload()
  })
  window.webContents.on('preload-error', (_event, file, error) => log.failure(`preload ${file}`, error))
  app.on('open-file', (event, file) => {
    event.preventDefault()
    void openGiven([file])
  })
  const projectQuit = new ProjectQuit(desk, () => window.close(), tellFailure)
  window.on('close', (event) => {
    if (!quit.mayClose() || !projectQuit.mayClose()) event.preventDefault()
  })
  app.on('window-all-closed', () => app.quit())
  let isEngineGone = false
  app.on('will-quit', (event) => {
    if (isEngineGone) return
    event.preventDefault()
    void Promise.all([engine.stop(), placeNoted()]).then(() => {
      isEngineGone = true
      // A quit asked for while this one is still being prevented would be lost.
      setImmediate(() => app.quit())
    })
  })
}

/**
 * The paths that another start of the application handed over; anything unexpected counts as none.
 */
function pathsOfOtherStart(data: unknown): string[] {
  try {
    const { given } = data as { given: string }
    const paths: unknown = JSON.parse(given)
    return Array.isArray(paths) ? paths.filter((each): each is string => typeof each === 'string') : []
  } catch {
    return []
  }
}

/** Shows in the window's title which project is open, and if it has changes that are not saved. */
function showProject(window: BrowserWindow | null, state: ProjectState | null): void {
  if (window === null) return
  const name = state === null ? null : pathForDisplay(state.name)
  window.setTitle(name === null ? APP_NAME : `${state?.isUnsaved ? '• ' : ''}${name} – ${APP_NAME}`)
  window.setDocumentEdited(state?.isUnsaved ?? false)
}

function requireWindow(window: BrowserWindow | null): BrowserWindow {
  if (window && !window.isDestroyed()) return window
  throw new AppError('cancelled', said`the window is closed`)
}
