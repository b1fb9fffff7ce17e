import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { PROJECT } from '../support/electron'

const run = promisify(execFile)

/** The version that packages of this checkout have, in their names too. */
export { version as VERSION } from '../../package.json' with { type: 'json' }

/** Where tests make theirs: electron-builder takes no files from the system's temporary folders. */
export const BUILDS = path.join(PROJECT, 'build')

/**
 * Makes packages of this checkout as `npm run package` does, zip and installer packed loosely.
 * @returns what the command wrote
 * @throws Error with what it wrote when it failed
 */
export async function makePackages(folder: string, ...wanted: readonly string[]): Promise<string> {
  const script = path.join(PROJECT, 'scripts/packaging/package.mjs')
  const { ELECTRON_RUN_AS_NODE: _, ...env } = process.env
  const { stdout, stderr } = await run(process.execPath, [script, ...wanted, `--out=${folder}`], {
    env: { ...env, ELECTRON_BUILDER_COMPRESSION_LEVEL: '1' },
  })
  return stdout + stderr
}

/** The SHA-256 of a file. */
export async function sha256(file: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(file))
    .digest('hex')
}
