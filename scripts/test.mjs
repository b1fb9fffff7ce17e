/**
 * `npm test [-- <filter>]`: the checks and tests of the application, in order, counted over all; with `-- --all` also those that are
 * too long for every change. `npm run test:native [-- <filter>]`: those of the C++ core under sanitizers; `npm run test:windows`: the
 * Windows command line under Wine; `npm run test:packages`: packages, the deb on a bare Debian; `npm run test:spark`: fingerprints on
 * Spark.
 * A check such as the type check counts as one test, C++ and TypeScript tests count one by one.
 * The last line is `N passed, N failed`, with `, N skipped` when there were any.
 * A filter narrows to the parts whose name holds it, or to the tests whose file (C++: name) does.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, relative } from 'node:path'
import { CACHE, ROOT } from './bootstrap/paths.mjs'
import { budgetsOf } from './testing/budgets.mjs'
import { busySeconds, wasIdle } from './testing/cpuTime.mjs'
import { pace } from './testing/pace.mjs'
import { testStages } from './testing/parts.mjs'
import { killAll } from './testing/process.mjs'
import { addTallies, closingLine, oneFailed } from './testing/tally.mjs'

const SHOWN_LINES = 300
const LOGS = join(CACHE, 'logs')

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    killAll()
    process.exit(130)
  })
}

const given = process.argv.slice(2)
const suite =
  ['native', 'windows', 'arm', 'packages', 'spark'].find((name) => given.includes(`--${name}`)) ?? 'app'
const filter = given.find((word) => !word.startsWith('--'))
const tallies = []
/** The CPU time of each part that has a budget. */
const measured = []
let ownSeconds = 0
const startedMs = performance.now()
const busyBefore = busySeconds()
for (const lanes of testStages(suite, filter, given.includes('--all'))) {
  tallies.push(...(await Promise.all(lanes.map(runLane))).flat())
}

const budgets = await budgetsOf(measured, pace)
const sum = addTallies(tallies)
if (sum.passed + sum.failed + sum.skipped === 0) {
  Object.assign(sum, oneFailed(filter ? `nothing matches "${filter}"` : 'no test ran'))
}
if (sum.skips.length > 0) {
  process.stdout.write('\nSkipped:\n')
  for (const { name, reason } of sum.skips) process.stdout.write(`  ${name}: ${reason}\n`)
}
if (sum.failures.length > 0) {
  process.stdout.write('\nFailed:\n')
  for (const line of sum.failures) process.stdout.write(`  ${line}\n`)
}
if (sum.slowest.length > 0) {
  process.stdout.write('\nSlowest files:\n')
  for (const { name, ms } of sum.slowest) process.stdout.write(`  ${(ms / 1000).toFixed(1)} s  ${name}\n`)
}
if (filter === undefined && budgets !== '') {
  const beside = budgets.includes('(over)') && !isIdle() ? '; other programs were busy' : ''
  process.stdout.write(`\nCPU seconds: ${budgets}${beside}\n`)
}
if (suite === 'app' && filter === undefined && !given.includes('--all')) {
  process.stdout.write(
    `\nLeft to npm test -- --all: ${sum.leftOut} long tests, latency, and the window in all themes and sizes\n`,
  )
}
process.stdout.write(`\n${closingLine(sum)}\n`)
process.exitCode = sum.failed === 0 ? 0 : 1

async function runLane(parts) {
  const results = []
  for (const part of parts) results.push(await runPart(part))
  return results
}

async function runPart(part) {
  const began = performance.now()
  let outcome
  try {
    outcome = await part.run()
  } catch (error) {
    outcome = { tally: oneFailed(error.message), output: String(error.stack), cpuSeconds: 0 }
  }
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  const { tally, output, cpuSeconds } = outcome
  ownSeconds += cpuSeconds
  if (filter === undefined && part.budget) measured.push({ budget: part.budget, cpuSeconds })
  if (tally.passed + tally.failed + tally.skipped === 0) return tally
  mkdirSync(LOGS, { recursive: true })
  const log = join(LOGS, `test-${part.name.replaceAll(/[^a-zA-Z0-9+]+/g, '-')}.log`)
  writeFileSync(log, output)
  if (tally.failed > 0) process.stdout.write(`\n${lastLines(output)}\n(log: ${relative(ROOT, log)})\n`)
  const took = cpuSeconds > 0 ? `${seconds} s, ${cpuSeconds.toFixed(0)} CPU s` : `${seconds} s`
  process.stdout.write(`${part.name}: ${closingLine(tally)} (${took})\n`)
  return { ...tally, failures: tally.failures.map((line) => `${part.name}: ${line}`) }
}

/** True where what was measured is of these tests alone. */
function isIdle() {
  if (busyBefore === null) return false
  const elapsed = (performance.now() - startedMs) / 1000
  return wasIdle({
    busy: busySeconds() - busyBefore,
    own: ownSeconds,
    elapsed,
    cores: availableParallelism(),
  })
}

function lastLines(text) {
  const lines = text.trimEnd().split('\n')
  return lines.length <= SHOWN_LINES ? lines.join('\n') : ['…', ...lines.slice(-SHOWN_LINES)].join('\n')
}
