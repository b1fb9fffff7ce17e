/**
 * Brings a checkout to where `npm start`, `npm test`, `npm run stowage` or `npm run package` can run:
 * `node scripts/bootstrap.mjs start|test|test:windows|test:arm|test:spark|cli|package`.
 * Plain Node 20.19 or newer, no packages. Each step looks first and works only when something is missing or changed,
 * so that a second run costs a few dozen milliseconds; an interrupted one is taken up again.
 */
import { join } from 'node:path'
import { compileNative, ensureBundles, mustCompile, neededBundles } from './bootstrap/builds.mjs'
import { duckdb } from './bootstrap/duckdb.mjs'
import { headerPackages } from './bootstrap/headerPackages.mjs'
import { nodePackages } from './bootstrap/nodePackages.mjs'
import { osPackages } from './bootstrap/osPackages.mjs'
import { hasDisplay, ROOT } from './bootstrap/paths.mjs'
import { pythonReaders } from './bootstrap/pythonReaders.mjs'
import { singleRun } from './bootstrap/singleRun.mjs'
import { sparkTools } from './bootstrap/sparkTools.mjs'
import { StepFailure, StepRunner } from './bootstrap/stepRunner.mjs'
import { presentElectron } from './electronRuntime.mjs'

const GOALS = ['start', 'test', 'test:windows', 'test:arm', 'test:spark', 'cli', 'package']
const OLDEST_NODE = [20, 19]
const ELECTRON = join(ROOT, 'scripts/electronRuntime.mjs')

const goal = process.argv[2] ?? ''
const runner = new StepRunner({ toStderr: goal === 'cli' })
try {
  if (!GOALS.includes(goal)) throw new StepFailure(`usage: node scripts/bootstrap.mjs ${GOALS.join('|')}`)
  checkNode()
  await singleRun(runner, bootstrap)
} catch (error) {
  if (!(error instanceof StepFailure)) throw error
  process.stderr.write(`stowage: ${error.message}\n`)
  // What runs beside the step that failed ends with this process.
  process.exit(1)
}

/**
 * Announces everything that it is about to install, then does it: packages of the system, and the compiling that needs them, beside
 * those of npm, which mostly wait for the network. What is there is used.
 */
async function bootstrap() {
  const compiles = await mustCompile(runner)
  const situation = { display: hasDisplay(), compiles }
  const system = osPackages(runner, goal, situation)
  const packages = nodePackages(runner)
  const readers = goal === 'test' ? pythonReaders(runner) : null
  const database = ['test', 'test:spark'].includes(goal) ? duckdb(runner) : null
  const spark = goal === 'test:spark' ? sparkTools(runner) : null
  const window =
    ['test', 'package'].includes(goal) || (goal === 'start' && situation.display) ? electron() : null
  const announced = [packages, system, readers, database, spark, window].flatMap(
    (one) => one?.announced ?? [],
  )
  if (announced.length > 0) runner.say('Missing here:')
  for (const line of announced) runner.say(`  ${line}`)
  const systemReady = Promise.resolve(system?.install())
  const packagesReady = Promise.resolve(packages?.install())
  await Promise.all([
    systemReady.then(() => ensureAddon(compiles)),
    packagesReady.then(() => ensureBundles(runner, neededBundles(goal, situation))),
    systemReady.then(() => readers?.install()),
    packagesReady.then(() => database?.install()),
    systemReady.then(() => spark?.install()),
    Promise.all([systemReady, packagesReady]).then(() => window?.install()),
  ])
}

/** The addon, and the headers of npm that it and the C++ tests are compiled with. */
async function ensureAddon(compiles) {
  if (compiles || goal === 'test') await headerPackages(runner)
  if (compiles) await compileNative(runner)
}

/** The Electron runtime. A test run goes on without it, and its tests of the window then fail by themselves. */
function electron() {
  if (presentElectron() !== null) return null
  return {
    announced: ["will download Electron's runtime, to show the window"],
    async install() {
      try {
        await runner.step("Electron's runtime ready", () =>
          runner.command('electron', process.execPath, [ELECTRON], { what: 'Electron' }),
        )
      } catch (error) {
        if (goal !== 'test' || !(error instanceof StepFailure)) throw error
        runner.say(`  ${error.message}`)
      }
    },
  }
}

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1])) {
    throw new StepFailure(`Node ${OLDEST_NODE.join('.')} or newer is needed, this is ${process.version}`)
  }
}
