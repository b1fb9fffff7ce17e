import { mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'

/** A fresh folder that is removed when the running test has ended. */
export async function temporaryFolder(place = tmpdir()): Promise<string> {
  const folder = await mkdtemp(path.join(place, 'stowage-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const MEMORY = '/dev/shm'
const ENOUGH_BYTES = 2e9

/** The same for tens of thousands of files, which disks take long to make and to remove: in memory, where the system has room there. */
export async function folderForManyFiles(): Promise<string> {
  const room = await statfs(MEMORY).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  )
  return temporaryFolder(room > ENOUGH_BYTES ? MEMORY : tmpdir())
}
