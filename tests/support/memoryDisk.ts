import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'

/** A file system in memory with this much room, or why there cannot be one here. */
export function memoryDisk(path: string, bytes: number): { path: string; unmount(): void } | string {
  try {
    mkdirSync(path, { recursive: true })
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', path], { stdio: 'pipe' })
  } catch (thrown) {
    return `no file system in memory can be mounted here: ${String(thrown).split('\n')[0]}`
  }
  return { path, unmount: () => execFileSync('umount', [path]) }
}
