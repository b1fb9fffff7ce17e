import { readdirSync, readFileSync } from 'node:fs'

/** Every few milliseconds, so that a program that lives for a tenth of a second is seen. */
const POLL_MS = 4

export interface SeenProcesses {
  /** Arguments and environments of every process that was started meanwhile, each once. */
  readonly texts: ReadonlySet<string>
  readonly polls: number
}

/**
 * Looks at all processes of the machine that are started while `work` runs, as every user of it can. Those that ran before are left
 * out: they cannot be given a secret that is made now, and reading them every few milliseconds would keep a core busy. Linux only.
 */
export async function seenProcesses<T>(work: () => Promise<T>): Promise<{ end: T; seen: SeenProcesses }> {
  const texts = new Set<string>()
  let polls = 0
  let earlier = new Set(readdirSync('/proc'))
  const poll = (): void => {
    polls += 1
    const all = readdirSync('/proc')
    // The number of one that has ended may be given to another.
    earlier = new Set(all.filter((pid) => earlier.has(pid)))
    for (const pid of all) {
      if (earlier.has(pid)) continue
      for (const file of ['cmdline', 'environ']) {
        try {
          texts.add(readFileSync(`/proc/${pid}/${file}`, 'utf8'))
        } catch {
          // Gone meanwhile.
        }
      }
    }
  }
  const timer = setInterval(poll, POLL_MS)
  try {
    const end = await work()
    return { end, seen: { texts, polls } }
  } finally {
    clearInterval(timer)
  }
}
