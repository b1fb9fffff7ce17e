import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const BUILD = '.cache/cmake/win32-x64-tests'
const LOG_BYTES = 64 << 20

/** The program of the C++ tests for Windows. */
export const TESTS_PROGRAM = resolve(BUILD, 'stowageCoreTests.exe')

/** Makes the addon and the C++ tests for Windows where a source of them changed. */
export async function buildForWindows(): Promise<void> {
  const options = { maxBuffer: LOG_BYTES }
  await run(process.execPath, ['scripts/prebuild.mjs', 'win32-x64'], options)
  await run('cmake', ['-S', 'native', '--preset', 'win32-x64-tests'], options)
  await run('cmake', ['--build', BUILD], options)
}
