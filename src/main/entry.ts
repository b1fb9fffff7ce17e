import { homedir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { app } from 'electron'
import { absolutePath } from '../files/absolutePath'
import { settingsPlace } from '../files/settingsPlace'
import { AppError } from '../primitives/appError'
import { systemClock } from '../primitives/clock'
import { dataFolderOf } from '../primitives/dataFolder'
import { losslessArguments, pathsOf } from './commandLine'
import { tellFatal } from './dialogs'
import { openLog } from './logFile'
import { declareScheme } from './rendererPages'
import { runWindow } from './runWindow'

// The application's life in reading order: where its data lies, whether it is the only one, then the window.

const surroundings = { platform: process.platform, homeDir: homedir(), env: process.env }
const dataDir = absolutePath(dataFolderOf(surroundings))
const log = openLog(dataDir, systemClock)
app.setPath('userData', path.join(dataDir, 'electron'))
declareScheme()

const given = pathsOf({
  argv: losslessArguments(process.argv),
  isAppArgument: process.defaultApp ?? false,
  cwd: process.cwd(),
})

// On macOS the system hands files over in this way, also those that the application is started for.
const early = (event: Electron.Event, file: string): void => {
  event.preventDefault()
  given.push(file)
}
app.on('open-file', early)

// JSON keeps what UTF-8 cannot: undecodable bytes of names, as escapes.
if (app.requestSingleInstanceLock({ given: JSON.stringify(given) })) {
  process.on('uncaughtException', (error) => endWith('uncaught', error))
  process.on('unhandledRejection', (reason) => endWith('unhandled rejection', reason))
  void start()
} else {
  app.quit()
}

async function start(): Promise<void> {
  try {
    await app.whenReady()
    app.off('open-file', early)
    await runWindow({ dataDir, settingsPlace: settingsPlace(surroundings), given, log })
  } catch (error) {
    endWith('start', error)
  }
}

/**
 * A bug in main leaves nothing that could be trusted to go on: it is logged, reported once, and the
 * application ends.
 */
function endWith(where: string, thrown: unknown): void {
  log.failure(where, thrown)
  process.stderr.write(`stowage: ${AppError.from(thrown).message}\n`)
  tellFatal(`${AppError.from(thrown).message}\n\n${log.file}`)
  app.exit(1)
}
