import { readFileSync, readlinkSync } from 'node:fs'
import { processStart } from '../native/processes'

/**
 * This process in a way that no later one shares: its number and when it started; on Linux also
 * since which start of the machine that is counted, and the space of the number.
 */
export function ownIdentity(): string {
  return (own ??= identityOf(process.pid))
}
let own: string | undefined

/**
 * True when the process that `ownIdentity` gave this text may still run. Where that cannot be
 * known, because its number is counted in another space (a container) or the system does not report
 * when that process started, it may.
 */
export function mayBeAlive(identity: string): boolean {
  const [pid = '', started = '', boot = '', space = ''] = identity.split(' ')
  if (!/^[1-9]\d{0,9}$/.test(pid)) return false
  const [, , bootNow = '', spaceNow = ''] = ownIdentity().split(' ')
  if (boot !== '' && boot !== bootNow) return false
  if (space !== '' && space !== spaceNow) return true
  if (!isRunning(Number(pid))) return false
  const startedNow = processStart(Number(pid))
  return started === '' || startedNow === '' || started === startedNow
}

/** True when there is a process of this number now, whoever's it is. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function identityOf(pid: number): string {
  const started = [pid, processStart(pid)]
  if (process.platform !== 'linux') return started.join(' ')
  return [...started, textAt('/proc/sys/kernel/random/boot_id').trim(), spaceOfNumbers()].join(' ')
}

function spaceOfNumbers(): string {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return ''
  }
}

function textAt(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
