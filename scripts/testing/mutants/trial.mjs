import { join } from 'node:path'
import { modernNode, ROOT } from '../../bootstrap/paths.mjs'
import { runToEnd } from '../process.mjs'
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
  return Math.round(Math.max(LEAST_LIMIT_MS, MOST_TIMES * (performance.now() - began)))
}

/**
 * True when one of the tests fails on the mutant, or they take longer than the limit.
 * @throws Error when the source has changed since the mutant was made
 */
export async function isSeen(mutant, projects, tests, limitMs) {
  const { ok, output } = await runTests(projects, tests, { mutant, limitMs })
  if (!ok && output.includes(MISFIT)) throw new Error(`${mutant.path} was changed while its mutants ran`)
  return !ok
}

function runTests(projects, tests, { mutant, limitMs } = {}) {
  const { ELECTRON_RUN_AS_NODE: _, [MUTANT_VARIABLE]: __, ...inherited } = process.env
  const env = { ...inherited, NO_COLOR: '1', ...(mutant && { [MUTANT_VARIABLE]: JSON.stringify(mutant) }) }
  const chosen = projects.flatMap((project) => ['--project', project])
  const options = [...chosen, '--bail', '1', '--maxWorkers', '1', '--reporter', 'dot']
  const command = [modernNode() ?? process.execPath, VITEST, 'run', '--root', ROOT, ...options, ...tests]
  return runToEnd(command, { env, ...(limitMs && { limitMs }) })
}
