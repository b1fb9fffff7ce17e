import { BUDGETS } from './parts.mjs'

/**
 * What the parts of each project took against its budget. It fails no test: the same unit tests took
 * 170, 184, 307 and 451 CPU seconds on four machines (Intel Xeon, two cores) that `pace` judged as
 * 1.3 to 1.4 times slower than the reference.
 * @param {{ budget?: string, cpuSeconds: number }[]} parts
 * @param {() => Promise<number>} paceOf how many times slower this processor is than that of the
 * budgets; asked only where a project took more than its budget
 * @returns {Promise<string>} the line shown to a person, which marks what took more than its budget;
 * empty where nothing was measured
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
  return `${figures.join(', ')}${slower}`
}

function secondsOf(parts) {
  return parts.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0)
}
