import { existsSync, lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findCommand, ROOT } from './paths.mjs'
import { readStamps, writeStamp } from './stamps.mjs'
import { StepFailure } from './stepRunner.mjs'

const MODULES = join(ROOT, 'node_modules')
const NPM_CI = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']

/**
 * The installation of the npm packages that the lock names, when any of them is missing or of another version or the last
 * installation was cut off; else null. Install scripts are not run: better-sqlite3 ships its binaries, and Electron's is
 * fetched by its own step.
 * @throws StepFailure when package-lock.json cannot be read; its `install` throws one when `npm ci` fails.
 */
export function nodePackages(runner) {
  const wanted = lockedPackages()
  if (readStamps().nodePackages !== 'installing' && countMissing(wanted) === 0) return null
  if (lstatSync(MODULES, { throwIfNoEntry: false })?.isSymbolicLink()) {
    runner.say('  npm packages: node_modules is a link and differs from package-lock.json; left as it is')
    return null
  }
  return {
    announced: [
      `will run npm ci: ${wanted.length} packages in node_modules, the libraries and build tools of the application`,
    ],
    install: () =>
      runner.step('npm packages installed', async () => {
        writeStamp('nodePackages', 'installing')
        await npmCi(runner)
        const missing = countMissing(wanted)
        if (missing > 0)
          throw new StepFailure(`npm packages: ${missing} are missing after npm ci; run the command again`)
        writeStamp('nodePackages', 'installed')
      }),
  }
}

/** What every platform needs and this one's Node, by place and version. */
function lockedPackages() {
  const lock = readJson(join(ROOT, 'package-lock.json'))
  if (lock === null) throw new StepFailure('npm packages: cannot read package-lock.json')
  const ownNode = `node_modules/node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  return Object.entries(lock.packages)
    .filter(([place, entry]) => place !== '' && (!entry.optional || place === ownNode))
    .map(([place, entry]) => ({ place, version: entry.version }))
}

/** How many of them are not there, or in another version. */
function countMissing(wanted) {
  const installed = readJson(join(MODULES, '.package-lock.json'))?.packages ?? {}
  return wanted.filter(
    ({ place, version }) =>
      installed[place]?.version !== version || !existsSync(join(ROOT, place, 'package.json')),
  ).length
}

async function npmCi(runner) {
  const [program, ...argv] = npmProgram()
  await runner.command('npm-ci', program, [...argv, ...NPM_CI], { what: 'npm ci', isLeashed: true })
}

/**
 * The call that runs npm.
 * @throws StepFailure where there is none
 */
export function npmProgram() {
  // Under an npm script npm names its own program: the same version goes on.
  const script = process.env.npm_execpath
  if (script?.endsWith('.js') && existsSync(script)) return [process.execPath, script]
  const program = findCommand('npm')
  if (program === null) throw new StepFailure('npm is missing: install Node 20.19 or newer together with npm')
  return [program]
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return null
  }
}
