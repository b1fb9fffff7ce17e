/**
 * Brings a checkout to where `npm start`, `npm test`, `npm run stowage` or `npm run package` can run:
 * `node scripts/bootstrap.mjs start|test|test:windows|test:arm|cli|package`.
 * Plain Node 20.19 or newer, no packages. Each step looks first and works only when something is missing or changed,
 * so that a second run costs a few dozen milliseconds; an interrupted one is taken up again.
 */
import { compileNative, ensureBundles, mustCompile, neededBundles } from './bootstrap/builds.mjs'
import { nodePackages } from './bootstrap/nodePackages.mjs'
import { osPackages } from './bootstrap/osPackages.mjs'
import { hasDisplay } from './bootstrap/paths.mjs'
import { pythonReaders } from './bootstrap/pythonReaders.mjs'
import { singleRun } from './bootstrap/singleRun.mjs'
import { StepFailure, StepRunner } from './bootstrap/stepRunner.mjs'
import { ensureElectron, presentElectron } from './electronRuntime.mjs'

const GOALS = ['start', 'test', 'test:windows', 'test:arm', 'cli', 'package']
const OLDEST_NODE = [20, 19]

const goal = process.argv[2] ?? ''
const runner = new StepRunner({ toStderr: goal === 'cli' })
try {
  if (!GOALS.includes(goal)) throw new StepFailure(`usage: node scripts/bootstrap.mjs ${GOALS.join('|')}`)
  checkNode()
  await singleRun(runner, bootstrap)
} catch (error) {
  if (!(error instanceof StepFailure)) throw error
  process.stderr.write(`stowage: ${error.message}\n`)
  process.exitCode = 1
}

/** Announces everything that it is about to install, then does it. What is there is used. */
async function bootstrap() {
  const compiles = await mustCompile(runner)
  const situation = { display: hasDisplay(), compiles }
  const installations = [
    nodePackages(runner),
    osPackages(runner, goal, situation),
    goal === 'test' ? pythonReaders(runner) : null,
    ['test', 'package'].includes(goal) || (goal === 'start' && situation.display) ? electron() : null,
  ].filter((installation) => installation !== null)
  if (installations.length > 0) runner.say('Missing here:')
  for (const line of installations.flatMap(({ announced }) => announced)) runner.say(`  ${line}`)
  for (const { install } of installations) await install()
  if (compiles) await compileNative(runner)
  await ensureBundles(runner, neededBundles(goal, situation))
}

/** The Electron runtime. A test run goes on without it, and its tests of the window then fail by themselves. */
function electron() {
  if (presentElectron() !== null) return null
  return {
    announced: ["will download Electron's runtime, to show the window"],
    async install() {
      try {
        await ensureElectron({ log: (line) => runner.say(`  ${line}`) })
      } catch (error) {
        if (goal !== 'test') throw new StepFailure(error.message)
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
