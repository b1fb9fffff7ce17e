import { existsSync, lstatSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { findCommand, ROOT } from './paths.mjs'
import { processIdentity } from './processIdentity.mjs'
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
  const wanted = wantedPackages()
  const interrupted = /^installing ?(.*)$/.exec(readStamps().nodePackages ?? '')
  if (!interrupted && missingPackages(wanted) === 0) return
  if (lstatSync(MODULES, { throwIfNoEntry: false })?.isSymbolicLink()) {
    runner.say('  npm packages: node_modules is a link and differs from package-lock.json; left as it is')
    return
  }
  await runner.step('npm packages installed', async () => {
    if (interrupted) await endOrphan(interrupted[1])
    try {
      await npm(runner, 'npm-ci', ['ci', ...FLAGS])
    } catch (error) {
      if (!(error instanceof StepFailure)) throw error
      // A registry that does not offer every platform's packages, or a package.json ahead of its lock.
      runner.say(`  ${error.message}; trying npm install`)
      if (interrupted) rmSync(MODULES, { recursive: true, force: true })
      await npm(runner, 'npm-install', ['install', '--no-save', '--no-package-lock', ...FLAGS])
    }
    const missing = missingPackages(wanted)
    if (missing > 0) {
      throw new StepFailure(
        `npm packages: npm said it was done, but ${missing} are missing; run the command again`,
      )
    }
    writeStamp('nodePackages', 'installed')
  })
}

/**
 * What must be installed, by place and version: the lock's packages, or, where package.json was changed since the lock was
 * made, what that asks for itself.
 * @throws StepFailure when either file cannot be read
 */
function wantedPackages() {
  const [lock, manifest] = ['package-lock.json', 'package.json'].map((name) => {
    const content = readJson(join(ROOT, name))
    if (content === null) throw new StepFailure(`npm packages: cannot read ${name}`)
    return content
  })
  const required = { ...manifest.dependencies, ...manifest.devDependencies }
  const locked = { ...lock.packages[''].dependencies, ...lock.packages[''].devDependencies }
  const isCurrent =
    Object.keys(required).length === Object.keys(locked).length &&
    Object.entries(required).every(([name, version]) => locked[name] === version)
  if (!isCurrent)
    return Object.entries(required).map(([name, version]) => ({ place: `node_modules/${name}`, version }))
  return Object.entries(lock.packages)
    .filter(
      ([place, entry]) => place !== '' && (!entry.optional || place === `node_modules/${nodePackageName()}`),
    )
    .map(([place, entry]) => ({ place, version: entry.version }))
}

/** How many of them are not there, or in another version. */
function missingPackages(wanted) {
  const installed = readJson(join(MODULES, '.package-lock.json'))?.packages ?? {}
  return wanted.filter(
    ({ place, version }) =>
      installed[place]?.version !== version || !existsSync(join(ROOT, place, 'package.json')),
  ).length
}

function nodePackageName() {
  return `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
}

/** Ends the npm that a killed bootstrap left at work: two of them in one folder leave half of the packages. */
async function endOrphan(identity) {
  const pid = Number(identity.split(' ')[0])
  if (identity === '') return
  while (processIdentity(pid) === identity) {
    process.kill(pid, 'SIGKILL')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

async function npm(runner, logName, argv) {
  const options = {
    what: `npm ${argv[0]}`,
    onStart: (pid) => writeStamp('nodePackages', `installing ${processIdentity(pid)}`),
    // On a friendlier signal npm first finishes what it is at.
    stopSignal: 'SIGKILL',
  }
  // Under an npm script npm names its own program: the same version goes on.
  const script = process.env.npm_execpath
  if (script?.endsWith('.js') && existsSync(script)) {
    await runner.command(logName, process.execPath, [script, ...argv], options)
    return
  }
  const program = findCommand('npm')
  if (program === null) throw new StepFailure('npm is missing: install Node 20.19 or newer together with npm')
  await runner.command(logName, program, argv, options)
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return null
  }
}
