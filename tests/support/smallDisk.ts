import { execFileSync } from 'node:child_process'
import { mkdirSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

/** A file system of some megabytes in a file, or why there cannot be one here. */
export function smallDisk(
  inside: string,
  megabytes: number,
  blockBytes = 4096,
): { path: string; free: number; unmount(): void } | string {
  const [image, path] = [join(inside, 'disk.img'), join(inside, 'disk')]
  try {
    mkdirSync(path)
    execFileSync('truncate', ['-s', `${megabytes}M`, image])
    execFileSync('mkfs.ext4', ['-q', '-m', '0', '-b', String(blockBytes), image])
    execFileSync('mount', ['-o', 'loop', image, path], { stdio: 'pipe' })
  } catch (thrown) {
    return `no file system can be mounted from a file here: ${String(thrown).split('\n')[0]}`
  }
  const { bavail, bsize } = statfsSync(path)
  return { path, free: bavail * bsize, unmount: () => execFileSync('umount', [path]) }
}
