import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'

/**
 * Ends a program with all that it started: by a signal to its process group, for which it was
 * started detached; on Windows, which has no such groups, at once and by the system's own taskkill.
 * Also when the program itself has ended: what it started may go on, and holds its output open.
 */
export function endProcessTree(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  const isClosed = [child.stdout, child.stderr].every((stream) => stream?.closed !== false)
  const hasEnded = child.exitCode !== null || child.signalCode !== null
  if (child.pid === undefined || (hasEnded && (isClosed || process.platform === 'win32'))) return
  if (process.platform === 'win32') {
    endWindowsTree(child, child.pid)
    return
  }
  try {
    process.kill(-child.pid, signal)
  } catch {
    // Already gone: nothing is left to end.
  }
}

function endWindowsTree(child: ChildProcess, pid: number): void {
  const taskkill = join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', 'taskkill.exe')
  const ending = spawn(taskkill, ['/PID', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true })
  // Where it cannot be started or fails, at least the program itself is ended.
  ending.once('error', () => child.kill('SIGKILL'))
  ending.once('exit', (code) => {
    if (code !== 0) child.kill('SIGKILL')
  })
}
