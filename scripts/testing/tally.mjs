/** So many of the slowest files are named. */
const MOST_SLOWEST = 10

/**
 * The result of a part of the test run. `failures` and `skips` name each one in a line; `leftOut` counts tests that the options leave out.
 * @typedef {{ passed: number, failed: number, skipped: number, leftOut: number, failures: string[], skips: { name: string, reason: string }[],
 *   slowest: { name: string, ms: number }[] }} Tally
 */

/** @returns {Tally} nothing counted yet */
export function emptyTally() {
  return { passed: 0, failed: 0, skipped: 0, leftOut: 0, failures: [], skips: [], slowest: [] }
}

/** @returns {Tally} one check that passed */
export function onePassed() {
  return { ...emptyTally(), passed: 1 }
}

/** @returns {Tally} one thing that failed */
export function oneFailed(line) {
  return { ...emptyTally(), failed: 1, failures: [line] }
}

/** @returns {Tally} the sum over all parts */
export function addTallies(tallies) {
  const sum = emptyTally()
  for (const tally of tallies) {
    for (const name of ['passed', 'failed', 'skipped', 'leftOut']) sum[name] += tally[name]
    for (const name of ['failures', 'skips', 'slowest']) sum[name].push(...tally[name])
  }
  sum.slowest = slowestOf(sum.slowest)
  return sum
}

/** The files that took longest by the clock, the slowest first. */
export function slowestOf(files) {
  return files.toSorted((a, b) => b.ms - a.ms).slice(0, MOST_SLOWEST)
}

/** The closing line over everything: `12 passed, 0 failed`, with `, 2 skipped` only when something was skipped. */
export function closingLine(tally) {
  const skipped = tally.skipped > 0 ? `, ${tally.skipped} skipped` : ''
  return `${tally.passed} passed, ${tally.failed} failed${skipped}`
}
