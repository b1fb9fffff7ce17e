import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { cpus, loadavg, release, totalmem } from 'node:os'
import { relative } from 'node:path'

/** One row of figures; the unit is in a field's name. */
export type ResultRow = Readonly<Record<string, unknown>>

export interface Result {
  readonly question: string
  /** The command line, where it is not that of the process. */
  readonly command?: string
  readonly rows: readonly ResultRow[]
  /** Data, method and limits, a sentence or more each. */
  readonly notes?: readonly string[]
}

/** Writes the result of the benchmark that is running in the form of `docs/benchmarks`: one row a line. */
export function writeResult(
  file: string,
  { question, command = ownCommand(), rows, notes = [] }: Result,
): void {
  const head = { question, command, commit: commit(), date: today(), machine: machine() }
  const fields = Object.entries(head).map(
    ([name, value]) => ` ${JSON.stringify(name)}: ${JSON.stringify(value)}`,
  )
  const lists = Object.entries({ rows, notes }).map(([name, list]) => {
    const lines = list.map((item) => `  ${JSON.stringify(item)}`)
    return ` ${JSON.stringify(name)}: ${lines.length === 0 ? '[]' : `[\n${lines.join(',\n')}\n ]`}`
  })
  writeFileSync(file, `{\n${[...fields, ...lists].join(',\n')}\n}\n`)
}

/** Rounds a figure to so many decimals, so that files hold no digits that mean nothing. */
export function rounded(value: number, decimals: number): number {
  return Number(value.toFixed(decimals))
}

/** The command line without `--json FILE`. */
function ownCommand(): string {
  const [, script = '', ...args] = process.argv
  const at = args.findIndex((arg) => arg === '--json' || arg.startsWith('--json='))
  if (at >= 0) args.splice(at, args[at] === '--json' ? 2 : 1)
  return ['node', relative(process.cwd(), script), ...args].join(' ')
}

function commit(): string {
  const argv = ['describe', '--always', '--dirty', '--abbrev=8', '--exclude', '*']
  return execFileSync('git', argv, { cwd: import.meta.dirname, encoding: 'utf8' }).trim()
}

function today(): string {
  return new Date().toISOString().slice(0, 10)
}

function machine(): string {
  const [first] = cpus()
  const gib = Math.round(totalmem() / 2 ** 30)
  const load = (loadavg()[0] ?? 0).toFixed(1)
  return `${cpus().length} × ${first?.model ?? 'unknown processor'}, ${gib} GiB of memory, ${process.platform} ${release()}, load ${load}`
}
