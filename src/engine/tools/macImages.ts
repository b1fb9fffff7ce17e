import type { MacCommand } from '../../domain/images/macArguments'
import { AppError } from '../../primitives/appError'
import type { ExternalTool } from './externalTool'
import { findProgram } from './findProgram'
import { runTool, type ToolResult, toolFailure } from './runTool'
import { shellQuote } from './shellQuote'

/** Makes and mounts images on macOS. Nothing that runs it has been run so far: there was no Mac. */
export const hdiutil: ExternalTool = {
  name: 'hdiutil',
  neededFor: 'making and mounting images by macOS itself',
  howToGet: 'it comes with macOS and runs nowhere else',
  async find() {
    const path = process.platform === 'darwin' ? await findProgram('hdiutil') : null
    return path === null ? null : { path, version: 'of macOS' }
  },
}

/** Failures that pass: the image is locked or in use, or its helper is starting. */
const PASSING_CODES: ReadonlySet<number> = new Set([35, 16, 6])
const TRIES = 3
const WAIT_MS = 500

/**
 * Runs a command of macOS, again where its failure is one that passes.
 * @param password written to its standard input with a zero byte, where the command takes one there
 * @throws AppError `wrong-password`, `no-space`, `tool-failed`, `tool-missing`, `cancelled`
 */
export async function runMac(
  command: MacCommand,
  options: { readonly signal?: AbortSignal; readonly password?: Uint8Array } = {},
): Promise<ToolResult> {
  const doing = `carry out ${command.args.slice(0, 2).join(' ')}`
  const { signal, password } = options
  if (command.password === 'stdin' && password === undefined)
    throw new AppError('wrong-password', `cannot ${doing}: it needs a password`)
  const input = command.password === 'stdin' ? { input: Buffer.from([...(password ?? []), 0]) } : {}
  for (let attempt = 1; ; attempt++) {
    const result = await runTool(command.program, command.args, { ...(signal ? { signal } : {}), ...input })
    if (result.exitCode === 0) return result
    if (attempt === TRIES || !PASSING_CODES.has(result.exitCode)) {
      const failure = toolFailure(command.program, doing, result)
      if (result.exitCode === 80) throw new AppError('wrong-password', failure.message)
      if (result.exitCode === 28) throw new AppError('no-space', failure.message)
      throw failure
    }
    await new Promise((resolve) => {
      setTimeout(resolve, WAIT_MS * attempt)
    })
  }
}

/** The command as a person types it in a shell; a password is typed there, without being shown or kept. */
export function macCommandLine({ program, args, password }: MacCommand): string {
  const line = [
    program,
    ...args.map((arg) => (/^[A-Za-z0-9_./=+-]+$/.test(arg) ? arg : shellQuote(arg))),
  ].join(' ')
  if (password !== 'stdin') return line
  return `(stty -echo; printf 'Password: ' >&2; IFS= read -r p; stty echo; printf '%s\\0' "$p") | ${line}`
}
