import { BUDGETS } from './parts.mjs'

/**
 * What the parts of each project took against its budget.
 * @param {{ budget?: string, cpuSeconds: number }[]} parts
 * @param {() => Promise<number>} paceOf how many times slower this processor is than that of the budgets;
 * asked only where a project took more than its budget
 * @returns {Promise<{ line: string, overruns: string[] }>} the line shown to a person, empty where nothing was
 * measured; and the projects that took more than they may
 */
export async function budgetsOf(parts, paceOf) {
  const taken = Object.entries(BUDGETS)
    .map(([name, most]) => ({
      name,
      most,
      seconds: secondsOf(parts.filter(({ budget }) => budget === name)),
    }))
    .filter(({ seconds }) => seconds > 0)
  const figures = taken.map(({ name, most, seconds }) => `${name} ${seconds.toFixed(0)} of ${most}`)
  const over = taken.filter(({ most, seconds }) => seconds > most)
  if (over.length === 0) return { line: figures.join(', '), overruns: [] }
  const pace = await paceOf()
  const slower = pace > 1 ? `, times ${pace.toFixed(2)} on this slower processor` : ''
  return {
    line: `${figures.join(', ')}${slower}`,
    overruns: over
      .filter(({ most, seconds }) => seconds > most * pace)
      .map(
        ({ name, most, seconds }) =>
          `${name}: ${seconds.toFixed(0)} CPU seconds, more than its ${most}${slower}`,
      ),
  }
}

function secondsOf(parts) {
  return parts.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0)
}
