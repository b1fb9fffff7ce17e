import { BUDGETS } from './parts.mjs'

/**
 * What the parts of each project took against its budget.
 * @param {{ budget?: string, cpuSeconds: number }[]} parts
 * @returns {{ line: string, overruns: string[] }} the line shown to a person, empty where nothing was
 * measured; and the projects that took more than they may
 */
export function budgetsOf(parts) {
  const taken = Object.entries(BUDGETS)
    .map(([name, most]) => ({
      name,
      most,
      seconds: secondsOf(parts.filter(({ budget }) => budget === name)),
    }))
    .filter(({ seconds }) => seconds > 0)
  return {
    line: taken.map(({ name, most, seconds }) => `${name} ${seconds.toFixed(0)} of ${most}`).join(', '),
    overruns: taken
      .filter(({ most, seconds }) => seconds > most)
      .map(({ name, most, seconds }) => `${name}: ${seconds.toFixed(0)} CPU seconds, more than its ${most}`),
  }
}

function secondsOf(parts) {
  return parts.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0)
}
