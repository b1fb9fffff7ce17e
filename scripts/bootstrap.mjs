/**
 * Brings a checkout to where `npm start`, `npm test` or `npm run stowage` can run: `node scripts/bootstrap.mjs start|test|cli`.
 * Plain Node 20.19 or newer, no packages. Each step looks first and works only when something is missing or changed,
 * so that a second run costs a few dozen milliseconds; an interrupted one is taken up again.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBundles, ensureNative, neededBundles } from './bootstrap/builds.mjs'
import { ensureNodePackages } from './bootstrap/nodePackages.mjs'
import { ensureOsPackages } from './bootstrap/osPackages.mjs'
import { hasDisplay, ROOT } from './bootstrap/paths.mjs'
import { ensurePythonReaders } from './bootstrap/pythonReaders.mjs'
import { singleRun } from './bootstrap/singleRun.mjs'
import { StepFailure } from './bootstrap/stepFailure.mjs'
import { StepRunner } from './bootstrap/stepRunner.mjs'

const GOALS = ['start', 'test', 'cli']
const OLDEST_NODE = [20, 19]
const OLDEST_NPM = 9

const goal = process.argv[2] ?? ''
const runner = new StepRunner({ toStderr: goal === 'cli' })
try {
  if (!GOALS.includes(goal)) throw new StepFailure(`usage: node scripts/bootstrap.mjs ${GOALS.join('|')}`)
  checkVersions()
  await singleRun(runner, bootstrap)
} catch (error) {
  if (!(error instanceof StepFailure)) throw error
  process.stderr.write(`stowage: ${error.message}\n`)
  process.exitCode = 1
}

async function bootstrap() {
  const display = hasDisplay()
  await ensureNodePackages(runner)
  await ensureOsPackages(runner, goal, { display })
  await ensureNative(runner)
  await ensureBundles(runner, neededBundles(goal, { display }))
  if (goal === 'test') await ensurePythonReaders(runner)
  if (goal === 'test' || (goal === 'start' && display)) await ensureWindow()
}

/** The Electron runtime. A test run goes on without it, and its tests of the window then fail by themselves. */
async function ensureWindow() {
  const { ensureElectron } = await import('./electronRuntime.mjs')
  try {
    await ensureElectron({ log: (line) => runner.say(`  ${line}`) })
  } catch (error) {
    if (goal !== 'test') throw new StepFailure(error.message)
    runner.say(`  ${error.message}`)
  }
}

function checkVersions() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1])) {
    throw new StepFailure(
      `Node ${OLDEST_NODE.join('.')} or newer is needed, this is ${process.versions.node}`,
    )
  }
  const npm = /\bnpm\/(\d+)/.exec(process.env.npm_config_user_agent ?? '')
  if (npm && Number(npm[1]) < OLDEST_NPM) {
    throw new StepFailure(`npm ${OLDEST_NPM} or newer is needed, this is ${npm[1]}`)
  }
  if (!existsSync(join(ROOT, 'package.json')))
    throw new StepFailure(`${ROOT} is not a checkout: package.json is missing`)
}
