import { existsSync } from 'node:fs'
import { APP_VERSION } from '../contract/version'
import { settingsPlace } from '../files/settingsPlace'
import { AppError } from '../primitives/appError'
import type { Surroundings } from '../primitives/dataFolder'
import { EXIT, exitCodeOf } from '../primitives/exitCode'
import { COMMANDS } from './commands'
import { DECLARATIONS, isCommandName } from './declarations/every'
import { helpText } from './help'
import { showSizesIn } from './shape/sizes'
import { type Streams, terminal } from './terminal'
import { unknownName } from './unknownName'
import { workIn } from './workFolder'

/**
 * Runs one command and gives the process's exit code. Never throws.
 * @param surroundings decide where its catalog and settings are
 */
export async function runCommand(
  argv: readonly string[],
  streams: Streams,
  surroundings: Surroundings,
): Promise<number> {
  const optionsEnd = argv.indexOf('--')
  const options = optionsEnd < 0 ? argv : argv.slice(0, optionsEnd)
  const isJson = options.includes('--json')
  const result = streams.out
  const out = terminal(streams, isJson, surroundings)
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
    if (hasSettings(surroundings)) await (await import('./settings')).applySettings(out)
    else useDefaults()
    const command = await COMMANDS[name]()
    return await command(args, out)
  } catch (thrown) {
    const error = AppError.from(thrown)
    out.failure(error)
    return exitCodeOf(error.code)
  }
}

/** Settings are loaded only where there are some: that takes as long as a short command. */
function hasSettings(surroundings: Surroundings): boolean {
  const { file, earlier } = settingsPlace(surroundings)
  return existsSync(file) || existsSync(earlier)
}

/** A command before this one in the same process may have had settings. */
function useDefaults(): void {
  showSizesIn(() => 'decimal')
  workIn(() => null)
}

function noCommand(name: string): AppError {
  return unknownName('command', name, [...Object.keys(DECLARATIONS), 'help'])
}
