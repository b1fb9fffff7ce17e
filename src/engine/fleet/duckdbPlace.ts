import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import packageText from '../../../fleet/package.json?raw'
import lockText from '../../../fleet/package-lock.json?raw'
import { AppError } from '../../primitives/appError'
import { said } from '../../primitives/said'
import { fileFailure, fsPath } from '../files/fileSystem'
import { moveToFreePlace } from '../files/place'
import { type PlaceNotes, withTempFolder } from '../files/scratch'
import { ensureFolder, writeNewFile } from '../files/write'
import { newId } from '../jobs/newId'
import { findProgram } from '../tools/findProgram'
import { runTool, toolFailure } from '../tools/runTool'

/** The package by which Node talks to DuckDB, as `fleet/package.json` has it. */
const PACKAGE = '@duckdb/node-api'
/** The variable that names the folder of an installed one. */
const VARIABLE = 'STOWAGE_DUCKDB'
/** The download and its unpacked size: of one platform. */
export const DUCKDB_BYTES = 75_000_000

/** A folder from which Node finds DuckDB. */
export interface DuckdbPlace {
  readonly folder: string
  readonly version: string
}

/** The version that the sums of packages in Stowage's lock belong to. */
export function duckdbVersion(): string {
  const { dependencies } = JSON.parse(packageText) as { dependencies: Record<string, string> }
  return dependencies[PACKAGE] ?? ''
}

/**
 * DuckDB where the variable STOWAGE_DUCKDB names it, else in the data folder; null where none is
 * there.
 * @param given the variable: a folder with `node_modules`, or the package's own
 * @throws AppError `tool-missing` where the variable names a folder without it
 */
export function findDuckdb(dataDir: string, given: string | undefined): DuckdbPlace | null {
  if (given) {
    const found = installedIn(given) ?? installedIn(dirname(dirname(dirname(given))))
    if (found) return found
    throw new AppError('tool-missing', said`cannot find ${PACKAGE} in ${given}, which ${VARIABLE} names`)
  }
  return installedIn(ownFolder(dataDir))
}

/** A version has a folder of its own, which is whole or not there. */
function ownFolder(dataDir: string): string {
  return join(dataDir, 'fleet', `duckdb-${duckdbVersion()}`)
}

function installedIn(folder: string): DuckdbPlace | null {
  const path = join(folder, 'node_modules', PACKAGE, 'package.json')
  if (!existsSync(fsPath(path))) return null
  const { version } = JSON.parse(readFileSync(fsPath(path), 'utf8')) as { version: string }
  return { folder, version }
}

/**
 * Installs DuckDB into the data folder with npm: the packages of this platform that Stowage's lock
 * names, whose sums npm checks. Nothing of them is run meanwhile. It is whole or not there.
 * @throws AppError `tool-missing` without npm; `tool-failed`, `no-space`, `cancelled`
 */
export async function installDuckdb(
  notes: PlaceNotes,
  dataDir: string,
  signal: AbortSignal,
): Promise<DuckdbPlace> {
  const npm = await npmProgram()
  if (npm === null)
    throw new AppError(
      'tool-missing',
      said`cannot install DuckDB: npm is not there; install Node.js with npm, or let ${VARIABLE} name a folder with ${PACKAGE}`,
    )
  const target = ownFolder(dataDir)
  const [program = '', ...before] = npm
  ensureFolder(dirname(target))
  await withTempFolder(notes, join(dirname(target), newId('.making')), async (temporary) => {
    const folder = join(temporary, 'packages')
    ensureFolder(folder)
    await writeNewFile(join(folder, 'package.json'), [packageText])
    await writeNewFile(join(folder, 'package-lock.json'), [lockText])
    const args = [...before, 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
    const end = await runTool(program, args, { cwd: folder, signal })
    if (end.exitCode !== 0) throw toolFailure('npm', said`install DuckDB`, end)
    if (installedIn(folder) === null)
      throw new AppError('tool-failed', said`npm has not installed ${PACKAGE}`)
    try {
      moveToFreePlace(folder, target)
    } catch (thrown) {
      const failure = fileFailure(thrown, 'write', target)
      // Another process has installed the same meanwhile.
      if (failure.code !== 'exists') throw failure
    }
  })
  return { folder: target, version: duckdbVersion() }
}

/** The call that runs npm: its own program, since a script for Windows' shell cannot be started. */
async function npmProgram(): Promise<readonly string[] | null> {
  const found = await findProgram('npm')
  const beside = [dirname(process.execPath), ...(found === null ? [] : [dirname(found)])]
  const script = beside
    .map((folder) => join(folder, 'node_modules', 'npm', 'bin', 'npm-cli.js'))
    .find((path) => existsSync(path))
  if (script !== undefined) return [process.execPath, script]
  return found === null || found.endsWith('.cmd') ? null : [found]
}
