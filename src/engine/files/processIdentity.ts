import { readFileSync, readlinkSync } from 'node:fs'

/**
 * This process in a way that no later one shares: its number, and on Linux when it started, since
 * which start of the machine, and the space that its number is counted in.
 */
export function ownIdentity(): string {
  return (own ??= identityOf(process.pid))
}
let own: string | undefined

/**
 * True when the process that `ownIdentity` gave this text may still run. Where that cannot be
 * known, because its number is counted in another space (a container), it may.
 */
export function mayBeAlive(identity: string): boolean {
  const [pid = '', started = '', boot = '', space = ''] = identity.split(' ')
  if (!/^[1-9]\d{0,9}$/.test(pid)) return false
  const [, , bootNow = '', spaceNow = ''] = ownIdentity().split(' ')
  if (boot !== '' && boot !== bootNow) return false
  if (space !== '' && space !== spaceNow) return true
  if (!isRunning(Number(pid))) return false
  return started === '' || started === startOf(Number(pid))
}

/** True when there is a process of this number now, whoever's it is. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function identityOf(pid: number): string {
  if (process.platform !== 'linux') return String(pid)
  return [pid, startOf(pid), textAt('/proc/sys/kernel/random/boot_id').trim(), spaceOfNumbers()].join(' ')
}

/** In clock ticks since the machine's start; '' where the system does not report it. */
function startOf(pid: number): string {
  const stat = textAt(`/proc/${pid}/stat`)
  // Field 22 of proc(5), counted from behind the program's name, which may hold blanks.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
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
