import { stat } from 'node:fs/promises'
import { type BrowserWindow, clipboard, shell } from 'electron'
import type { Handlers } from '../contract/defineSchema'
import { changedSettings, doctorDocumentSchema, doctorText } from '../contract/dto/doctor'
import type { OpenedProject } from '../contract/dto/project'
import type { Settings } from '../contract/dto/settings'
import type { EngineState, RendererSchema, Source } from '../contract/rendererSchema'
import { APP_VERSION } from '../contract/version'
import { absolutePath } from '../files/absolutePath'
import { writeAtomically } from '../files/atomicFile'
import { nativePath } from '../files/nativePath'
import { AppError } from '../primitives/appError'
import { fileFailure } from '../primitives/fileFailure'
import { unwrap } from '../primitives/result'
import {
  askForCopyFolders,
  askForDats,
  askForDirectory,
  askForDiscFile,
  askForFont,
  askForImage,
  askForImagePlace,
  askForOptionPlace,
  askForReportPlace,
  askForSavePlace,
  askForSources,
  askForVolumes,
} from './dialogs'
import type { EngineSupervisor } from './engine/engineSupervisor'
import { type Grants, grantImage } from './ipc/grants'
import { reportPdf } from './reportPdf'
import { newSetPlace } from './setPlace'
import type { SettingsStore } from './settings'
import { takeSources } from './sources'

/** The surroundings of main's own calls. */
interface AppSurroundings {
  readonly dataDir: string
  /** The person's folder for documents. */
  readonly documents: () => string
  /** Takes the colours and the language of changed settings. */
  readonly showAs: (settings: Settings) => void
  readonly logFile: string
  readonly settings: SettingsStore
  readonly grants: Grants
  readonly engineState: () => EngineState
  readonly askEngine: EngineSupervisor['request']
  /** Sources of the command line. Their survey starts without being asked for, once. */
  readonly given: readonly Source[]
  /** The project that is open, for a page that is loaded anew too. */
  readonly project: () => Promise<OpenedProject | null>
  /** @throws AppError when the window is closed */
  readonly window: () => BrowserWindow
  /** Tells the window of a failure that belongs to no call. */
  readonly tellFailure: (failure: AppError) => void
  /** The window asks for its state once its page listens: queued events can be delivered now. */
  readonly pageListens: () => void
}

/** Main's own calls of the window, the group `app` of the schema. */
export function appHandlers(around: AppSurroundings): Handlers<Pick<RendererSchema, 'app'>>['app'] {
  const { settings, grants } = around
  let surveyAtOnce = around.given.length > 0

  const handOver = async (paths: readonly string[]): Promise<Source[]> => {
    const { sources, failures } = await takeSources(paths, grants)
    for (const failure of failures) around.tellFailure(failure)
    return sources
  }

  return {
    async state() {
      around.pageListens()
      const isFirst = surveyAtOnce
      surveyAtOnce = false
      return {
        version: APP_VERSION,
        runtime: `Electron ${process.versions['electron']}, Chromium ${process.versions['chrome']}, Node ${process.versions.node}`,
        platform: process.platform,
        settings: settings.current,
        settingsFile: settings.file,
        sources: [...around.given],
        surveyAtOnce: isFirst,
        project: await around.project(),
        engine: around.engineState().state,
      }
    },
    chooseSources: async ({ kind }) => handOver(await askForSources(around.window(), kind)),
    async chooseDirectory({ purpose }) {
      const chosen = await askForDirectory(around.window(), purpose)
      if (chosen === null) return null
      grants.allow('write', chosen)
      // Whether a measurement of it writes or only reads what is there is decided after the dialog.
      if (purpose === 'measure') grants.allow('read', chosen)
      return chosen
    },
    async chooseCopyFolders() {
      const chosen = await askForCopyFolders(around.window())
      for (const folder of chosen) grants.allow('write', folder)
      return chosen
    },
    setPlace: ({ name }) => newSetPlace(around.documents(), name),
    async chooseVolumes({ kind }) {
      const chosen = await askForVolumes(around.window(), kind)
      for (const volume of chosen) grants.allow('read', volume)
      return chosen
    },
    async chooseImage({ kind }) {
      const chosen = await askForImage(around.window(), kind)
      if (chosen !== null) grantImage(chosen, grants)
      return chosen
    },
    async chooseImagePlace({ suggestedName }) {
      const chosen = await askForImagePlace(around.window(), suggestedName)
      if (chosen === null) return null
      grantImage(chosen, grants)
      return { path: chosen, replaces: await isFile(chosen) }
    },
    async chooseOptionPlace({ suggestedName }) {
      const chosen = await askForOptionPlace(around.window(), suggestedName)
      if (chosen === null) return null
      grants.allow('write', chosen)
      return { path: chosen, replaces: await isFile(chosen) }
    },
    async chooseDiscFile() {
      const chosen = await askForDiscFile(around.window())
      if (chosen !== null) grants.allow('write', chosen)
      return chosen
    },
    async chooseDats() {
      const chosen = await askForDats(around.window())
      for (const dat of chosen) grants.allow('read', dat)
      return chosen
    },
    async chooseFont() {
      const chosen = await askForFont(around.window())
      if (chosen !== null) grants.allow('read', chosen)
      return chosen
    },
    async sampleSource() {
      const directory = absolutePath('Stowage sample', around.dataDir)
      unwrap(await around.askEngine('sample.make', { directory }))
      return handOver([directory])
    },
    async saveSettings(changes) {
      const defined = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
      const folder = changes['work-folder']
      if (folder !== undefined && folder !== settings.current['work-folder'])
        unwrap(await around.askEngine('work.use', { folder }))
      const saved = await settings.save(defined)
      around.showAs(saved)
      return saved
    },
    showFolder: ({ path: asked }) => showInFileManager(asked),
    async copyDiagnostics() {
      const document = unwrap(
        await around.askEngine('doctor.report', {
          settings: changedSettings(settings.current),
          settingsFaults: settings.failures.map(({ message }) => message),
          electron: process.versions['electron'] ?? null,
          duckdb: process.env['STOWAGE_DUCKDB'] ?? null,
        }),
      )
      const text = doctorText(doctorDocumentSchema.parse(document)).join('\n')
      await clipboard.writeText(text)
      return text
    },
    showLog: () => showInFileManager(around.logFile),
    async saveReport({ directory }) {
      const file = absolutePath('report.html', directory)
      await stat(nativePath(file)).catch((error: unknown) => {
        throw fileFailure(error, 'read', file)
      })
      await grants.require('show', file)
      const chosen = await askForReportPlace(around.window())
      if (chosen === null) return null
      const pdf = await reportPdf(file)
      try {
        await writeAtomically(chosen, pdf)
      } catch (error) {
        throw fileFailure(error, 'write', chosen)
      }
      return chosen
    },
    async saveText({ suggestedName, text }) {
      const chosen = await askForSavePlace(around.window(), suggestedName)
      if (chosen === null) return null
      try {
        await writeAtomically(chosen, text)
      } catch (error) {
        throw fileFailure(error, 'write', chosen)
      }
      return chosen
    },
  }
}

/** Dialogs ask before a file is replaced; that a folder is, none of them asks. */
async function isFile(chosen: string): Promise<boolean> {
  const there = await stat(nativePath(chosen)).catch(() => null)
  return there?.isFile() ?? false
}

/**
 * Everything is selected in the folder that holds it, never opened: on macOS a folder can be a
 * program.
 */
async function showInFileManager(asked: string): Promise<void> {
  try {
    await stat(nativePath(asked))
  } catch (error) {
    throw fileFailure(error, 'show', asked)
  }
  shell.showItemInFolder(asked)
}
