import type { ChildProcess } from 'node:child_process'
import { endProgramsWithThis, holdProcessTree } from '../native/processes'
import { unwatchGroup, watchGroup } from './orphanWatch'

/**
 * A program that was started, with all that it starts. When this process ends, however it ends,
 * they end too.
 */
export interface ProcessTree {
  /**
   * Ends all of them, by the signal or, on Windows, at once. Also when the program itself has
   * ended: what it started may go on, and holds its output open.
   */
  end(signal: 'SIGTERM' | 'SIGKILL'): void
  /**
   * To be called when the program has ended and its output is closed. What it has left goes on; on
   * Windows it ends.
   */
  close(): void
}

/**
 * Starts a program.
 * @param start starts it detached, but on Windows, where a job holds it instead of a process group
 */
export function startTree<Child extends ChildProcess>(
  start: () => Child,
): { child: Child; tree: ProcessTree } {
  const isWindows = process.platform === 'win32'
  if (isWindows) endProgramsWithThis()
  const child = start()
  const { pid } = child
  if (pid === undefined) return { child, tree: { end: () => undefined, close: () => undefined } }
  return { child, tree: isWindows ? jobOf(child, pid) : groupOf(child, pid) }
}

function jobOf(child: ChildProcess, pid: number): ProcessTree {
  const held = holdProcessTree(pid)
  return {
    end() {
      // Without a job, at least the program itself.
      if (!held?.end()) child.kill('SIGKILL')
    },
    close: () => void held?.end(),
  }
}

function groupOf(child: ChildProcess, group: number): ProcessTree {
  watchGroup(group)
  return {
    end(signal) {
      const isClosed = [child.stdout, child.stderr].every((stream) => stream?.closed !== false)
      const hasEnded = child.exitCode !== null || child.signalCode !== null
      if (hasEnded && isClosed) return
      try {
        process.kill(-group, signal)
      } catch {
        // Already gone: nothing is left to end.
      }
    },
    close: () => unwatchGroup(group),
  }
}
