import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FRESH } from '../bootstrap/builds.mjs'
import { findCommand, modernNode, ROOT } from '../bootstrap/paths.mjs'
import { REPORT_VARIABLE } from './countingReporter.mjs'
import { tallyOfJunit } from './junit.mjs'
import { runToEnd } from './process.mjs'
import { addTallies, oneFailed, onePassed } from './tally.mjs'

const REPORTER = join(ROOT, 'scripts/testing/countingReporter.mjs')
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs')
const NATIVE = join(ROOT, 'native')

/**
 * What was counted, all that the programs wrote, and the CPU time that they took.
 * @typedef {{ tally: import('./tally.mjs').Tally, output: string, cpuSeconds: number }} Counted
 */

/**
 * Runs programs one after another, up to the first that fails; all of them together are one check.
 * @returns {Promise<Counted>}
 */
export async function runCheck(commands, options) {
  let output = ''
  let cpuSeconds = 0
  for (const command of commands) {
    const outcome = await runToEnd(command, options)
    output += outcome.output
    cpuSeconds += outcome.cpuSeconds
    if (!outcome.ok) return { tally: oneFailed(outcome.ended), output, cpuSeconds }
  }
  return { tally: onePassed(), output, cpuSeconds }
}

/**
 * Runs Vitest and counts its tests one by one.
 * @param {{ argv: string[], root?: string, isWindowed?: boolean, givesWay?: boolean, limitMs?: number }} request `isWindowed` gives it a
 * virtual display where there is one to give, the last two are those of `runToEnd`
 * @returns {Promise<Counted>}
 */
export function runVitest({ argv, root = ROOT, isWindowed = false, ...options }) {
  const { ELECTRON_RUN_AS_NODE: _, ...inherited } = process.env
  const command = [modernNode() ?? process.execPath, VITEST, 'run', '--root', root]
  const reporters = ['--reporter=default', `--reporter=${REPORTER}`]
  return runReporting(JSON.parse, (report) => [
    [...(isWindowed ? virtualDisplay() : []), ...command, ...reporters, ...argv],
    { ...options, cwd: root, env: { ...inherited, [REPORT_VARIABLE]: report, NO_COLOR: '1' } },
  ])
}

/**
 * Builds a CMake preset with sanitizers and runs its GoogleTest cases through CTest, each counted by itself: a case that crashes
 * or that a sanitizer stops is a failure, and so is a run without any case.
 * @param {'asan' | 'tsan'} preset
 * @param {string | undefined} filter keeps the cases whose name holds it
 * @returns {Promise<Counted>}
 */
export async function runCtest(preset, filter) {
  const built = await runCheck([cmake(FRESH, '--preset', preset), cmake('--build', '--preset', preset)], {
    cwd: NATIVE,
    givesWay: true,
  })
  if (built.tally.failed > 0) return built
  const narrowed = filter === undefined ? [] : ['--no-tests=ignore', '-R', literal(filter)]
  const ctest = [findCommand('ctest') ?? 'ctest', '--preset', preset, ...narrowed]
  const ran = await runReporting(tallyOfJunit, (report) => [
    [...ctest, '--output-junit', report],
    { cwd: NATIVE },
  ])
  return { ...ran, output: built.output + ran.output, cpuSeconds: built.cpuSeconds + ran.cpuSeconds }
}

/** A CMake call; its presets are read from the folder `native`. */
export function cmake(...argv) {
  return [findCommand('cmake') ?? 'cmake', ...argv]
}

/**
 * Runs a program that leaves a report, and counts that. A run that leaves none, or that ends badly although no test failed,
 * counts as one failure, so that nothing that goes wrong is ever lost.
 */
async function runReporting(count, callFor) {
  const folder = mkdtempSync(join(tmpdir(), 'stowage-report-'))
  try {
    const report = join(folder, 'report')
    const { ok, ended, output, cpuSeconds } = await runToEnd(...callFor(report))
    const tally = tallyOf(() => count(readFileSync(report, 'utf8')), ended)
    if (ok || tally.failed > 0) return { tally, output, cpuSeconds }
    const lost = oneFailed(`no test failed, yet the test runner ended with ${ended}`)
    return { tally: addTallies([tally, lost]), output, cpuSeconds }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function tallyOf(read, ended) {
  try {
    return read()
  } catch {
    return oneFailed(`the test runner left no report (${ended})`)
  }
}

/** A screen of its own, so that a run neither needs a display nor disturbs the one in use. */
function virtualDisplay() {
  const xvfb = process.platform === 'linux' ? findCommand('xvfb-run') : null
  return xvfb === null ? [] : [xvfb, '-a', '-s', '-screen 0 1600x1000x24']
}

function literal(text) {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}
