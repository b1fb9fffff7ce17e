import { cpus } from 'node:os'

/** What a row's runs took, and what its own program said of them. */
export interface Timed {
  readonly samplesMs: number[]
  /** Of all threads and processes, which others on the machine change less; empty where it is not measured. */
  readonly cpuMs: number[]
  readonly readers: Set<number>
  peakBytes: number | null
}

/** Memory for the tables: what the command takes by default, and so does the pass here. */
export const BUDGET = 512 << 20
const ALLOWED_BYTES = BUDGET + (200 << 20)

/** Ratio of medians, `time` over `than`: at most `limit`, or at least where that is said. */
const TARGETS: { time: string; than: string; limit: number; atLeast?: boolean }[] = [
  { time: 'pass all, cold', than: 'cat, cold', limit: 1.1 },
  { time: 'pass quick, cold', than: 'cat, cold', limit: 1.1 },
  { time: 'pass all', than: 'cat', limit: 1.5 },
  { time: 'pass quick', than: 'cat', limit: 1 },
  ...['', ', cold'].flatMap((state) =>
    [`command --quick${state}`, `command --samples none${state}`].flatMap((than) => [
      { time: `borg create, no compression${state}`, than, limit: 5, atLeast: true },
      { time: `borg create, lz4${state}`, than, limit: 5, atLeast: true },
      { time: `duperemove, hashing extents${state}`, than, limit: 5, atLeast: true },
      { time: `duperemove, hashing 4 KiB blocks${state}`, than, limit: 5, atLeast: true },
      { time: `restic backup --dry-run${state}`, than, limit: 8, atLeast: true },
    ]),
  ),
]

function median(samples: readonly number[]): number {
  const sorted = samples.toSorted((a, b) => a - b)
  const half = sorted.length >> 1
  if (sorted.length % 2 === 1) return sorted[half] as number
  return ((sorted[half - 1] as number) + (sorted[half] as number)) / 2
}

const seconds = (ms: number) => (ms / 1000).toFixed(2)
const mebibytes = (bytes: number) => `${Math.round(bytes / 2 ** 20)} MiB`

/** Medians and spreads as a Markdown table, each beside reading with cat in the same state of the caches. */
export function printTable(rows: ReadonlyMap<string, Timed>): void {
  console.log(
    '\n| what | median | spread | × cat | CPU time | CPU × cat | readers | peak memory |\n|---|--:|--:|--:|--:|--:|--:|--:|',
  )
  for (const [name, { samplesMs, cpuMs, readers, peakBytes }] of rows) {
    const cat = rows.get(name.endsWith(', cold') ? 'cat, cold' : 'cat')
    const cells = [
      name,
      `${seconds(median(samplesMs))} s`,
      `${seconds(Math.min(...samplesMs))} to ${seconds(Math.max(...samplesMs))} s`,
      cat ? (median(samplesMs) / median(cat.samplesMs)).toFixed(2) : '',
      cpuMs.length > 0
        ? `${seconds(median(cpuMs))} s (${seconds(Math.min(...cpuMs))} to ${seconds(Math.max(...cpuMs))})`
        : '',
      cat && cpuMs.length > 0 ? (median(cpuMs) / median(cat.cpuMs)).toFixed(2) : '',
      [...readers].join(', '),
      peakBytes === null ? '' : mebibytes(peakBytes),
    ]
    console.log(`| ${cells.join(' | ')} |`)
  }
}

/** Each target whose rows were run, as a Markdown table: what was found, met or missed. */
export function printTargets(rows: ReadonlyMap<string, Timed>): void {
  console.log('\n| target | found | |\n|---|--:|---|')
  for (const { time, than, limit, atLeast = false } of TARGETS) {
    const [one, other] = [rows.get(time), rows.get(than)]
    if (!one || !other) continue
    const ratio = median(one.samplesMs) / median(other.samplesMs)
    const met = atLeast ? ratio >= limit : ratio <= limit
    const target = `${time} ${atLeast ? 'at least' : 'at most'} ${limit} × ${than}`
    console.log(`| ${target} | ${ratio.toFixed(2)} | ${met ? 'met' : 'missed'} |`)
  }
  for (const [name, { peakBytes }] of rows) {
    if (peakBytes === null) continue
    const met = peakBytes <= ALLOWED_BYTES ? 'met' : 'missed'
    console.log(
      `| memory of ${name} at most ${mebibytes(ALLOWED_BYTES)} | ${mebibytes(peakBytes)} | ${met} |`,
    )
  }
}

/** What the load average was, and what it would have been with this benchmark alone. */
export function loadText(loads: readonly number[]): string {
  const range = `${Math.min(...loads).toFixed(1)} to ${Math.max(...loads).toFixed(1)}`
  return `load ${range} on ${cpus().length} cores, of which the benchmark itself is 1 to ${cpus().length}`
}
