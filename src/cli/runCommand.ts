import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { APP_VERSION } from '../contract/version'
import { settingsPlace } from '../files/settingsPlace'
import { AppError } from '../primitives/appError'
import { EXIT, exitCodeOf } from '../primitives/exitCode'
import { COMMANDS } from './commands'
import { isCommandName } from './declarations/every'
import { helpText } from './help'
import { type Streams, terminal } from './terminal'

/** Runs one command and gives the process's exit code. Never throws. */
export async function runCommand(argv: readonly string[], streams: Streams): Promise<number> {
  const optionsEnd = argv.indexOf('--')
  const options = optionsEnd < 0 ? argv : argv.slice(0, optionsEnd)
  const isJson = options.includes('--json')
  const result = streams.out
  const out = terminal(streams, isJson)
  const [name, ...args] = argv
  try {
    if (name === '--version') {
      result.write(`${APP_VERSION}\n`)
      return EXIT.done
    }
    if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
      const [page] = args
      if (page !== undefined && !page.startsWith('-') && !isCommandName(page)) throw noCommand(page)
      result.write(`${helpText(args[0] ?? null)}\n`)
      return name === undefined ? EXIT.usage : EXIT.done
    }
    if (options.includes('--help') && isCommandName(name)) {
      result.write(`${helpText(name)}\n`)
      return EXIT.done
    }
    if (!isCommandName(name)) throw noCommand(name)
    if (hasSettings()) await (await import('./settings')).applySettings(out)
    const command = await COMMANDS[name]()
    return await command(args, out)
  } catch (thrown) {
    const error = AppError.from(thrown)
    out.failure(error)
    return exitCodeOf(error.code)
  }
}

/** Settings are loaded only where there are some: that takes as long as a short command. */
function hasSettings(): boolean {
  const { file, earlier } = settingsPlace({
    platform: process.platform,
    homeDir: homedir(),
    env: process.env,
  })
  return existsSync(file) || existsSync(earlier)
}

function noCommand(name: string): AppError {
  return new AppError('usage', `no command "${name}": one of ${Object.keys(COMMANDS).join(', ')}`)
}
