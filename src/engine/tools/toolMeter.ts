import { readdirSync, readFileSync } from 'node:fs'
import { collectGarbage } from './collectGarbage'
import { childrenMs } from './processorTime'

/** The resources that programs used. Null where the system does not report them. */
export interface ToolUse {
  readonly ramBytes: number | null
  readonly cpuSeconds: number | null
}

/** True when this system reports the resources that programs used. */
const TOOLS_ARE_COUNTED = process.platform === 'linux'

const POLL_MS = 25

/** Watches the memory of running programs and adds up their work. */
export interface ToolMeter {
  /** To be called with the id of every program that is started; `ToolRun.onStart` fits. */
  watch(pid: number): void
  /** To be called when all of them have ended; the first answer is kept. */
  end(): ToolUse
}

/**
 * Linux only: the most resident memory that the programs and those they started had together, as
 * seen every 25 ms, or that one of them had by the kernel's own mark (VmHWM), whichever is more;
 * and the CPU time of all children of this process that ended while the meter ran, so that a
 * program of another job that ends meanwhile is counted too.
 */
export function toolMeter(): ToolMeter {
  if (!TOOLS_ARE_COUNTED) return { watch: () => undefined, end: () => ({ ramBytes: null, cpuSeconds: null }) }
  const startMs = childrenMs()
  const watched = new Set<number>()
  let peak = 0
  const poll = (): void => {
    let together = 0
    for (const pid of watched) {
      const memory = withChildren(pid).map(memoryOf)
      if (memory.every((one) => one === null)) watched.delete(pid)
      for (const one of memory) {
        together += one?.resident ?? 0
        peak = Math.max(peak, one?.highest ?? 0)
      }
    }
    peak = Math.max(peak, together)
  }
  let timer: NodeJS.Timeout | undefined
  let used: ToolUse | undefined
  return {
    watch(pid) {
      watched.add(pid)
      poll()
      timer ??= setInterval(poll, POLL_MS)
    },
    end() {
      clearInterval(timer)
      used ??= { ramBytes: peak === 0 ? null : peak, cpuSeconds: (childrenMs() - startMs) / 1000 }
      return used
    },
  }
}

/** When memory has grown by so much, what is not needed any more is looked for. */
const GROWN_BYTES = 8 * 1024 * 1024

/**
 * The same of work that this process does itself: by how much its resident memory grew at most, as
 * seen every 25 ms (memory that it had before and used again is not in it), and the CPU time of all
 * its threads. While it runs, garbage is collected early.
 */
export function ownMeter(): { end(): ToolUse } {
  collectGarbage('all')
  const startCpu = process.cpuUsage()
  const startBytes = process.memoryUsage.rss()
  let peak = startBytes
  let collectedAt = startBytes
  const poll = (): void => {
    const bytes = process.memoryUsage.rss()
    peak = Math.max(peak, bytes)
    if (bytes < collectedAt + GROWN_BYTES) return
    collectGarbage('minor')
    collectedAt = process.memoryUsage.rss()
  }
  const timer = setInterval(poll, POLL_MS)
  let used: ToolUse | undefined
  return {
    end() {
      clearInterval(timer)
      poll()
      const { user, system } = process.cpuUsage(startCpu)
      used ??= { ramBytes: peak - startBytes, cpuSeconds: (user + system) / 1e6 }
      return used
    },
  }
}

/** The sum for two steps one after the other: the larger memory, and the work of both. */
export function usedInTurn(one: ToolUse, other: ToolUse): ToolUse {
  return {
    ramBytes: both(one.ramBytes, other.ramBytes, Math.max),
    cpuSeconds: both(one.cpuSeconds, other.cpuSeconds, (a, b) => a + b),
  }
}

function both(
  one: number | null,
  other: number | null,
  joined: (one: number, other: number) => number,
): number | null {
  return one === null || other === null ? null : joined(one, other)
}

function withChildren(pid: number): number[] {
  const all = [pid]
  for (let at = 0; at < all.length; at++) all.push(...childrenOf(all[at] as number))
  return all
}

function childrenOf(pid: number): number[] {
  try {
    const tasks = readdirSync(`/proc/${pid}/task`)
    const lists = tasks.map((task) => readFileSync(`/proc/${pid}/task/${task}/children`, 'latin1'))
    return lists.join(' ').split(' ').filter(Boolean).map(Number)
  } catch {
    // Gone meanwhile, or a kernel that does not report it.
    return []
  }
}

function memoryOf(pid: number): { resident: number; highest: number } | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1')
    const kib = (name: string): number =>
      Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0)
    return { resident: kib('VmRSS') * 1024, highest: kib('VmHWM') * 1024 }
  } catch {
    return null
  }
}
