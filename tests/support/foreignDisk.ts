import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

/** File systems of other operating systems, with the options of their mounts. */
export const FOREIGN_DISKS = {
  exFAT: { make: ['mkfs.exfat'], mount: ['mount.exfat-fuse'] },
  NTFS: { make: ['mkfs.ntfs', '-F', '-Q', '-q'], mount: ['ntfs-3g'] },
  'NTFS with the names of Windows': {
    make: ['mkfs.ntfs', '-F', '-Q', '-q'],
    mount: ['ntfs-3g', '-o', 'windows_names'],
  },
} as const

/** An empty disk of 64 MiB with a file system of another operating system, or the reason why there is none here. */
export function foreignDisk(
  inside: string,
  kind: keyof typeof FOREIGN_DISKS,
): { path: string; unmount(): void } | string {
  const [image, path] = [join(inside, `${kind}.img`), join(inside, kind)]
  const { make, mount } = FOREIGN_DISKS[kind]
  const run = ([program, ...words]: readonly string[]): string =>
    execFileSync(program as string, words, { encoding: 'utf8', stdio: 'pipe' }).trim()
  let loop = ''
  try {
    mkdirSync(path)
    run(['truncate', '-s', '64M', image])
    run([...make, image])
    loop = run(['losetup', '-f', '--show', image])
    run([...mount, loop, path])
    run(['mountpoint', '-q', path])
  } catch (thrown) {
    if (loop !== '') run(['losetup', '-d', loop])
    return `${kind} cannot be mounted from a file here: ${String(thrown).split('\n')[0]}`
  }
  return {
    path,
    unmount() {
      run(['umount', path])
      run(['losetup', '-d', loop])
    },
  }
}
