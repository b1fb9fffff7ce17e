import type { MacCommand } from '../../domain/images/macArguments'
import { said } from '../../primitives/said'
import type { ExternalTool } from './externalTool'
import { findProgram } from './findProgram'
import { shellQuote } from './shellQuote'

/**
 * Makes and mounts images on macOS: Stowage prints its command lines, and plans have scripts that
 * run it.
 */
export const hdiutil: ExternalTool = {
  name: 'hdiutil',
  neededFor: said`making and mounting images by macOS itself`,
  howToGet: said`it comes with macOS and runs nowhere else`,
  async find() {
    const path = process.platform === 'darwin' ? await findProgram('hdiutil') : null
    return path === null ? null : { path, version: 'of macOS' }
  },
}

/**
 * The command as a person types it in a shell; a password is typed there, without being shown or
 * kept.
 */
export function macCommandLine({ program, args, password }: MacCommand): string {
  const line = [
    program,
    ...args.map((arg) => (/^[A-Za-z0-9_./=+-]+$/.test(arg) ? arg : shellQuote(arg))),
  ].join(' ')
  if (password !== 'stdin') return line
  return `(stty -echo; printf 'Password: ' >&2; IFS= read -r p; stty echo; printf '%s\\0' "$p") | ${line}`
}
