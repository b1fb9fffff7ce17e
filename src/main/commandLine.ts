import { readFileSync } from 'node:fs'
import { absolutePath } from '../files/absolutePath'
import { pathFromBytes } from '../primitives/pathText'

/** The parts of a process that tell how it was started. */
interface Start {
  readonly argv: readonly string[]
  /**
   * Electron was given the app as an argument (`electron .`), which then is not a folder to
   * archive.
   */
  readonly isAppArgument: boolean
  readonly cwd: string
}

/**
 * The folders and files named on the command line, as absolute paths: every argument that is not a
 * switch, and everything after `--` whatever it looks like.
 */
export function pathsOf({ argv, isAppArgument, cwd }: Start): string[] {
  const args = argv.slice(1)
  const end = args.indexOf('--')
  const before = (end === -1 ? args : args.slice(0, end)).filter((arg) => !arg.startsWith('-'))
  const after = end === -1 ? [] : args.slice(end + 1)
  return [...before.slice(isAppArgument ? 1 : 0), ...after]
    .filter((arg) => arg !== '')
    .map((arg) => absolutePath(arg, cwd))
}

/**
 * The arguments without loss. Node decodes them as UTF-8 and so breaks names that are none; Linux
 * keeps their bytes.
 * @param argv as Node has them, taken where the system has none or another number of them
 */
export function losslessArguments(argv: readonly string[], commandLineFile = '/proc/self/cmdline'): string[] {
  try {
    const parts = splitAtZero(readFileSync(commandLineFile))
    return parts.length === argv.length ? parts.map((part) => pathFromBytes(part)) : [...argv]
  } catch {
    return [...argv]
  }
}

function splitAtZero(content: Uint8Array): Uint8Array[] {
  const parts: Uint8Array[] = []
  let from = 0
  for (let at = content.indexOf(0); at !== -1; at = content.indexOf(0, from)) {
    parts.push(content.subarray(from, at))
    from = at + 1
  }
  return parts
}
