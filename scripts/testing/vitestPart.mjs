import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findCommand, modernNode, ROOT } from '../bootstrap/paths.mjs'
import { REPORT_VARIABLE } from './countingReporter.mjs'
import { runToEnd } from './process.mjs'
import { addTallies, emptyTally, oneFailed } from './tally.mjs'

const REPORTER = join(ROOT, 'scripts/testing/countingReporter.mjs')
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs')

/**
 * Runs Vitest and counts its tests one by one. A run that leaves no report, or that ends badly although no test failed,
 * counts as one failure, so that nothing that goes wrong is ever lost.
 * @param {{ argv: string[], root?: string, isWindowed?: boolean, givesWay?: boolean, limitMs?: number }} request `isWindowed` gives it a
 * virtual display where there is one to give, `givesWay` is that of `runToEnd`
 * @returns {Promise<{ tally: import('./tally.mjs').Tally, output: string }>}
 */
export async function runVitest({ argv, root = ROOT, isWindowed = false, givesWay = false, limitMs }) {
  const folder = mkdtempSync(join(tmpdir(), 'stowage-test-report-'))
  const report = join(folder, 'report.json')
  try {
    const { ELECTRON_RUN_AS_NODE: _, ...inherited } = process.env
    const env = { ...inherited, [REPORT_VARIABLE]: report, NO_COLOR: '1' }
    const command = [
      modernNode() ?? process.execPath,
      VITEST,
      'run',
      '--root',
      root,
      '--reporter=default',
      `--reporter=${REPORTER}`,
      ...argv,
    ]
    const [program, ...rest] = isWindowed ? [...virtualDisplay(), ...command] : command
    const outcome = await runToEnd(program, rest, {
      cwd: root,
      env,
      givesWay,
      ...(limitMs ? { limitMs } : {}),
    })
    return { tally: tallyOf(report, outcome), output: outcome.output }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function tallyOf(report, outcome) {
  let tally = emptyTally()
  try {
    tally = JSON.parse(readFileSync(report, 'utf8'))
  } catch {
    return oneFailed(`the test runner left no report (${outcome.ended})`)
  }
  if (outcome.ok || tally.failed > 0) return tally
  return addTallies([tally, oneFailed(`no test failed, yet the test runner ended with ${outcome.ended}`)])
}

/** A screen of its own, so that a run neither needs a display nor disturbs the one in use. */
function virtualDisplay() {
  const xvfb = process.platform === 'linux' ? findCommand('xvfb-run') : null
  return xvfb === null ? [] : [xvfb, '-a', '-s', '-screen 0 1600x1000x24']
}
