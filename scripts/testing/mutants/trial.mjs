import { join } from 'node:path'
import { modernNode, ROOT } from '../../bootstrap/paths.mjs'
import { WITHOUT_LONG } from '../longTests.mjs'
import { runToEnd } from '../process.mjs'
import { reachOf } from './reach.mjs'
import { MISFIT, MUTANT_VARIABLE } from './replacement.mjs'

const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs')

/** A mutant's tests may take this many times as long as all of them on the unchanged code. */
const MOST_TIMES = 5
/** Starting Vitest on a busy machine alone may take a few seconds. */
const LEAST_LIMIT_MS = 20_000

/**
 * Runs tests on the unchanged code.
 * @param {string[]} projects Vitest projects that have the tests
 * @param {string[]} tests files
 * @returns {Promise<number>} how long they may take on a mutant, in milliseconds
 * @throws Error when they fail
 */
export async function limitOf(projects, tests) {
  const began = performance.now()
  const { ok, ended, output } = await runTests(projects, tests)
  if (!ok) throw new Error(`${output.trimEnd()}\nthe tests fail on the unchanged code: ${ended}`)
  return limitAfter(performance.now() - began)
}

/** How long tests may take on a mutant, in milliseconds, that took so long on the unchanged code. */
export function limitAfter(ms) {
  return Math.round(Math.max(LEAST_LIMIT_MS, MOST_TIMES * ms))
}

/**
 * Runs tests on the unchanged code and notes what they reach; those that fail are left out.
 * @param {string[]} projects Vitest projects that have the tests
 * @param {string[]} tests files; of projects without any of them all
 * @param {import('./choice.mjs').Mutant[]} mutants
 * @returns {Promise<import('./reach.mjs').Reached[]>} the quickest files first
 */
export async function testsThatReach(projects, tests, mutants) {
  const reached = await reachOf(mutants, (env) => runTests(projects, tests, { env, isWhole: true }), ROOT)
  return reached.filter(({ isPassed }) => isPassed)
}

/**
 * True when one of the tests fails on the mutant, or they take longer than the limit.
 * @throws Error when the source has changed since the mutant was made
 */
export async function isSeen(mutant, projects, tests, limitMs) {
  const env = { [MUTANT_VARIABLE]: JSON.stringify(mutant) }
  const { ok, output } = await runTests(projects, tests, { env, limitMs })
  if (!ok && output.includes(MISFIT)) throw new Error(`${mutant.path} was changed while its mutants ran`)
  return !ok
}

function runTests(projects, tests, { env, limitMs, isWhole = false } = {}) {
  const { ELECTRON_RUN_AS_NODE: _, [MUTANT_VARIABLE]: __, ...inherited } = process.env
  const chosen = projects.flatMap((project) => ['--project', project])
  const extent = isWhole ? [] : ['--bail', '1', '--maxWorkers', '1']
  const options = [...chosen, ...extent, ...WITHOUT_LONG, '--reporter', 'dot']
  const command = [modernNode() ?? process.execPath, VITEST, 'run', '--root', ROOT, ...options, ...tests]
  return runToEnd(command, { env: { ...inherited, NO_COLOR: '1', ...env }, ...(limitMs && { limitMs }) })
}
