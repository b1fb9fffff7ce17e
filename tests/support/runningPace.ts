/** Work like a page's: objects made, looked up, sorted and turned into text. */
const ROWS = JSON.stringify(
  Array.from({ length: 6000 }, (_, id) => ({
    name: `row ${(id * 7919) % 6000}`,
    sizes: [id, id * 2, id % 7],
    label: { text: `${id}`, unit: 'MB' },
  })),
)

/** CPU time of one piece in milliseconds, every half second on an idle AMD EPYC of family 25 (Zen 3), in Node 24. */
const REFERENCE_MS = 14
const WARM_UP = 20

interface Row {
  readonly name: string
  readonly sizes: readonly number[]
  readonly label: { readonly text: string }
}

function work(): number {
  const rows = JSON.parse(ROWS) as Row[]
  const byName = new Map(rows.map((row) => [row.name, row]))
  const sorted = rows.toSorted((one, other) => (one.name < other.name ? -1 : 1))
  return sorted.map((row) => `${row.name} ${row.sizes.join()} ${byName.get(row.name)?.label.text}`).join('\n')
    .length
}

/**
 * Times known work next to the work that is judged, so that a bound of CPU time means the same on a slower processor, and on one
 * whose caches other programs share.
 */
export class RunningPace {
  private cpuMs = 0
  private pieces = 0

  constructor() {
    for (let piece = 0; piece < WARM_UP; piece++) work()
  }

  /** Does one piece of the work. The kernel's own clock is as coarse as 4 ms: only many pieces say something. */
  sample(): void {
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    this.cpuMs += (user + system) / 1000
    this.pieces += 1
  }

  /** How many times longer the work took than on the reference processor: 1 at least. */
  slowness(): number {
    if (this.pieces === 0) throw new Error('nothing was timed')
    return Math.max(1, this.cpuMs / this.pieces / REFERENCE_MS)
  }
}
