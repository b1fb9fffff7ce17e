import { BUDGETS } from './parts.mjs'

/**
 * How far over its budget a project certainly takes more than it may: the same unit tests took 184
 * and 307 CPU seconds on two machines that `pace` judged as equal (Intel Xeon, two cores).
 */
const CERTAINLY = 2

/**
 * What the parts of each project took against its budget.
 * @param {{ budget?: string, cpuSeconds: number }[]} parts
 * @param {() => Promise<number>} paceOf how many times slower this processor is than that of the
 * budgets; asked only where a project took more than its budget
 * @returns {Promise<{ line: string, overruns: string[] }>} the line shown to a person, which marks
 * what took more than its budget, empty where nothing was measured; and the projects that certainly
 * took more than they may
 */
export async function budgetsOf(parts, paceOf) {
  const taken = Object.entries(BUDGETS)
    .map(([name, most]) => ({
      name,
      most,
      seconds: secondsOf(parts.filter(({ budget }) => budget === name)),
    }))
    .filter(({ seconds }) => seconds > 0)
  const isOver = ({ most, seconds }) => seconds > most
  const pace = taken.some(isOver) ? await paceOf() : 1
  const slower = pace > 1 ? `, times ${pace.toFixed(2)} on this slower processor` : ''
  const figures = taken.map(({ name, most, seconds }) => {
    const over = seconds > most * pace ? ' (over)' : ''
    return `${name} ${seconds.toFixed(0)} of ${most}${over}`
  })
  return {
    line: `${figures.join(', ')}${slower}`,
    overruns: taken
      .filter(({ most, seconds }) => seconds > most * pace * CERTAINLY)
      .map(
        ({ name, most, seconds }) =>
          `${name}: ${seconds.toFixed(0)} CPU seconds, more than twice its ${most}${slower}`,
      ),
  }
}

function secondsOf(parts) {
  return parts.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0)
}
