import { lstat, readdir } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { systemClock } from '../../../primitives/clock'
import { pathFromBytes } from '../../../primitives/pathText'
import { fsPath, joinPath } from '../../files/fileSystem'

const SHORTEST_PAUSE_MS = 200
/** Looking takes at most a twentieth of the time. */
const PAUSE_PER_LOOK = 19

/**
 * Follows how much a program that says nothing of its progress has written below a folder.
 * @param onBytes bytes of plain files there, now and then while `work` goes on
 */
export async function followGrowth<T>(
  folder: string,
  onBytes: (bytes: number) => void,
  work: () => Promise<T>,
): Promise<T> {
  const ended = new AbortController()
  const looking = look(folder, onBytes, ended.signal)
  try {
    return await work()
  } finally {
    ended.abort()
    await looking
  }
}

async function look(folder: string, onBytes: (bytes: number) => void, signal: AbortSignal): Promise<void> {
  let wait = SHORTEST_PAUSE_MS
  for (;;) {
    await pause(wait, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return
    const startedMs = systemClock.monotonicMs()
    const bytes = await bytesBelow(folder, signal)
    if (signal.aborted) return
    onBytes(bytes)
    wait = Math.max(SHORTEST_PAUSE_MS, PAUSE_PER_LOOK * (systemClock.monotonicMs() - startedMs))
  }
}

/** What is made or removed meanwhile may be missing. */
async function bytesBelow(folder: string, signal: AbortSignal): Promise<number> {
  let total = 0
  const folders = [folder]
  for (const path of folders) {
    if (signal.aborted) return total
    const entries = await readdir(fsPath(path), { withFileTypes: true, encoding: 'buffer' }).catch(() => [])
    for (const entry of entries) {
      const at = joinPath(path, pathFromBytes(entry.name))
      if (entry.isDirectory()) folders.push(at)
      else if (entry.isFile()) total += (await lstat(fsPath(at)).catch(() => null))?.size ?? 0
    }
  }
  return total
}
