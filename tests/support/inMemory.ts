import { mkdirSync, rmSync, statfsSync } from 'node:fs'

const MEMORY = '/dev/shm'
const ENOUGH_BYTES = 4e9
/** What the programs that are tested take beside these files: where memory is short the system ends them. */
const FOR_PROGRAMS_BYTES = 6e9

/**
 * Where tests put the thousands of small files that they make and remove again: in memory, where the system has room there, as
 * disks take long for it. Otherwise the place of temporary files.
 */
export const IN_MEMORY: Readonly<Record<string, string>> = roomInMemory()
  ? { TMPDIR: `${MEMORY}/stowage-tests-${process.pid}` }
  : {}

/** For one run of tests. */
export default function setup(): () => void {
  const { TMPDIR } = IN_MEMORY
  if (TMPDIR === undefined) return () => {}
  mkdirSync(TMPDIR, { recursive: true })
  return () => rmSync(TMPDIR, { recursive: true, force: true })
}

function roomInMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize > ENOUGH_BYTES && process.availableMemory() > ENOUGH_BYTES + FOR_PROGRAMS_BYTES
  } catch {
    return false
  }
}
