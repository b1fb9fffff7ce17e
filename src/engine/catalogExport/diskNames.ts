import { createHash } from 'node:crypto'
import { hostname } from 'node:os'
import type { FingerprintKey } from '../fingerprints/fingerprintKey'

/** Names by which a system calls its own disks: another machine has others of these names. */
const LOCAL_DISK = /^disk disk:(?:[shv]d[a-z]+|xvd[a-z]+|nvme\d+n\d+|mmcblk\d+|loop\d+|dm-\d+|md\d+|sr\d+)$/

/**
 * Stands for the name of a disk in tables: neither serial number nor path can be read from it. The
 * same disk has the same name wherever it is seen; those that only this machine knows by a name of
 * its own are told apart by the name of the machine.
 */
export function exportedDisk(name: string, key: FingerprintKey | null): string {
  const isKnownAnywhere = name.startsWith('file system uuid:') || name.startsWith('disk disk:')
  const isLocal = !isKnownAnywhere || LOCAL_DISK.test(name)
  const digest = createHash('sha256')
    .update(isLocal ? `${hostname()} ${name}` : name)
    .digest('hex')
  return (key?.digest(digest) ?? digest).slice(0, 32)
}
