import { existsSync, lstatSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { findCommand, ROOT } from './paths.mjs'
import { readStamps, writeStamp } from './stamps.mjs'
import { StepFailure } from './stepFailure.mjs'

const MODULES = join(ROOT, 'node_modules')
const FLAGS = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']

/**
 * Installs the npm packages that the lock names when any of them is missing or of another version.
 * Install scripts are not run: better-sqlite3 ships its binaries, and Electron's is fetched by its own step.
 * @throws StepFailure when neither `npm ci` nor `npm install` succeeds.
 */
export async function ensureNodePackages(runner) {
  const lock = readJson(join(ROOT, 'package-lock.json'))
  if (lock === null) throw new StepFailure('npm packages: cannot read package-lock.json')
  const wasInterrupted = readStamps().nodePackages === 'installing'
  if (!wasInterrupted && missingPackages(lock) === 0) return
  if (lstatSync(MODULES, { throwIfNoEntry: false })?.isSymbolicLink()) {
    runner.say('  npm packages: node_modules is a link and differs from package-lock.json; left as it is')
    return
  }
  await runner.step('npm packages installed', async () => {
    writeStamp('nodePackages', 'installing')
    try {
      await npm(runner, 'npm-ci', ['ci', ...FLAGS])
    } catch (error) {
      if (!(error instanceof StepFailure)) throw error
      // A registry that does not offer every platform's packages, or a package.json ahead of its lock.
      runner.say(`  ${error.message}; trying npm install`)
      if (wasInterrupted) rmSync(MODULES, { recursive: true, force: true })
      await npm(runner, 'npm-install', ['install', '--no-save', '--no-package-lock', ...FLAGS])
    }
    writeStamp('nodePackages', 'installed')
  })
}

/** How many packages of the lock are not installed in its version; other platforms' packages do not count. */
function missingPackages(lock) {
  const installed = readJson(join(MODULES, '.package-lock.json'))?.packages
  if (!installed) return Number.POSITIVE_INFINITY
  let missing = 0
  for (const [path, wanted] of Object.entries(lock.packages)) {
    if (path === '') continue
    const isThere =
      installed[path]?.version === wanted.version && existsSync(join(ROOT, path, 'package.json'))
    if (!isThere && (!wanted.optional || path === `node_modules/${nodePackageName()}`)) missing++
  }
  return missing
}

function nodePackageName() {
  return `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
}

async function npm(runner, logName, argv) {
  // Under an npm script npm names its own program: the same version goes on.
  const script = process.env.npm_execpath
  if (script?.endsWith('.js') && existsSync(script)) {
    await runner.command(logName, process.execPath, [script, ...argv], { what: `npm ${argv[0]}` })
    return
  }
  const program = findCommand('npm')
  if (program === null) throw new StepFailure('npm is missing: install Node 20.19 or newer together with npm')
  await runner.command(logName, program, argv, { what: `npm ${argv[0]}` })
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return null
  }
}
