import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'

/**
 * A file system in memory with this much room, or why there cannot be one here.
 * @param names files and folders that it can hold, its own top folder among them; as many as there is memory for without
 */
export function memoryDisk(
  path: string,
  bytes: number,
  names?: number,
): { path: string; unmount(): void } | string {
  try {
    mkdirSync(path, { recursive: true })
    const inodes = names === undefined ? '' : `,nr_inodes=${names}`
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}${inodes}`, 'tmpfs', path], { stdio: 'pipe' })
  } catch (thrown) {
    return `no file system in memory can be mounted here: ${String(thrown).split('\n')[0]}`
  }
  return { path, unmount: () => execFileSync('umount', [path]) }
}
