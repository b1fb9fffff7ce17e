import { spawnSync } from 'node:child_process'

/** CPU milliseconds of this process, all its threads. */
export const cpuMs = (since: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(since)
  return Math.round((user + system) / 1000)
}

/** CPU milliseconds of a program, from its own times in /proc: GNU time is not everywhere. */
export function programMs(program: string, args: readonly string[]): number {
  const script =
    'const { spawnSync } = require("child_process"); ' +
    'const end = spawnSync(process.argv[1], process.argv.slice(2), { stdio: "ignore" });' +
    'const stat = require("fs").readFileSync("/proc/self/stat", "utf8"); const f = stat.slice(stat.lastIndexOf(")") + 2).split(" ");' +
    'console.log(end.status, (Number(f[13]) + Number(f[14])) * 10)'
  const { stdout } = spawnSync(process.execPath, ['-e', script, program, ...args], { encoding: 'utf8' })
  const [status, ms] = stdout.trim().split(' ').map(Number)
  if (status !== 0) throw new Error(`${program} ended with ${status}`)
  return ms ?? 0
}

/** The median, least and most of figures, in fields that begin with `name`. */
export function spread(name: string, figures: readonly number[]): Record<string, number> {
  const sorted = figures.toSorted((one, other) => one - other)
  const at = (place: number): number => Number((sorted[place] ?? 0).toFixed(2))
  return {
    [`${name}Median`]: at(Math.floor(sorted.length / 2)),
    [`${name}Least`]: at(0),
    [`${name}Most`]: at(sorted.length - 1),
  }
}
