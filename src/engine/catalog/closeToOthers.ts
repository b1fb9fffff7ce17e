import { chmodSync, closeSync, openSync, statSync } from 'node:fs'

/**
 * Makes the database's file where it is missing, and takes from other users what they may do with
 * it, its logs and its folder, whatever the umask is and whatever an earlier version left: names of
 * files are private. SQLite gives its logs the permissions of the database. A folder that others
 * share (sticky) or own stays as it is.
 * @throws the system's error when the file cannot be made
 */
export function closeToOthers(folder: string, database: string): void {
  if (process.platform === 'win32') return
  closeOff(folder, 0o700)
  closeSync(openSync(database, 'a', 0o600))
  for (const file of [database, `${database}-wal`, `${database}-shm`]) closeOff(file, 0o600)
}

function closeOff(path: string, mode: number): void {
  const facts = statSync(path, { throwIfNoEntry: false })
  const isOwn = facts !== undefined && facts.uid === process.getuid?.()
  if (!isOwn || (facts.mode & 0o1000) !== 0 || (facts.mode & 0o077) === 0) return
  chmodSync(path, mode)
}
