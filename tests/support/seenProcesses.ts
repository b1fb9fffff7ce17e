import { readdirSync, readFileSync } from 'node:fs'

/** Every few milliseconds, so that a program that lives for a tenth of a second is seen. */
const POLL_MS = 4

export interface SeenProcesses {
  /** Arguments and environments of every process, each once. */
  readonly texts: ReadonlySet<string>
  readonly polls: number
}

/** Looks at all processes of the machine, as every user of it can, while `work` runs. Linux only. */
export async function seenProcesses<T>(work: () => Promise<T>): Promise<{ end: T; seen: SeenProcesses }> {
  const texts = new Set<string>()
  let polls = 0
  const poll = (): void => {
    polls += 1
    for (const pid of readdirSync('/proc')) {
      if (!/^\d+$/.test(pid)) continue
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
