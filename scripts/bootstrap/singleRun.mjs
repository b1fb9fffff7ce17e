import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmdirSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { CACHE } from './paths.mjs'
import { processIdentity } from './processIdentity.mjs'

const POLL_MS = 100
/** Breaking a stale lock takes microseconds; a guard this old was left by a killed process. */
const STALE_GUARD_MS = 10_000

/**
 * Runs `work` while no other bootstrap of this checkout runs; a second one waits and then finds everything done.
 * A lock left behind by a killed process is recognised by its process id and start time, and taken over.
 * @param {{ say(line: string): void }} runner told once when there is someone to wait for
 * @param {() => Promise<unknown>} work
 * @param {string} folder where the lock lies
 */
export async function singleRun(runner, work, folder = CACHE) {
  mkdirSync(folder, { recursive: true })
  const lock = { file: join(folder, 'bootstrap.lock'), breaking: join(folder, 'bootstrap.lock.breaking') }
  let told = false
  for (;;) {
    const holder = tryTake(lock)
    if (holder === null) break
    if (!told) runner.say(`  waiting for another npm command of this checkout (process ${holder})`)
    told = true
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  const onSignal = (signal) => {
    unlinkIfThere(lock.file)
    process.exit(signal === 'SIGINT' ? 130 : 143)
  }
  process.once('SIGINT', onSignal)
  process.once('SIGTERM', onSignal)
  try {
    return await work()
  } finally {
    process.off('SIGINT', onSignal)
    process.off('SIGTERM', onSignal)
    unlinkIfThere(lock.file)
  }
}

/** Takes the lock and returns null, or returns the id of the process that has it. */
function tryTake(lock) {
  try {
    const file = openSync(lock.file, 'wx')
    writeSync(file, processIdentity(process.pid))
    closeSync(file)
    return null
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
  }
  const content = readIfThere(lock.file)
  const pid = content?.split(' ')[0]
  // An empty file belongs to a process between its open and its write, unless it stays so.
  if (!content) return isOlderThan(lock.file, STALE_GUARD_MS) ? breakStale(lock, '') : '?'
  return content === processIdentity(pid) ? pid : breakStale(lock, content)
}

/** Removes the lock if it still holds `content`. One process at a time, so that no fresh lock is ever removed. */
function breakStale(lock, content) {
  try {
    mkdirSync(lock.breaking)
  } catch {
    if (isOlderThan(lock.breaking, STALE_GUARD_MS)) rmdirIfThere(lock.breaking)
    return '?'
  }
  if (readIfThere(lock.file) === content) unlinkIfThere(lock.file)
  rmdirIfThere(lock.breaking)
  return tryTake(lock)
}

function readIfThere(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

function isOlderThan(path, ms) {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat !== undefined && Date.now() - stat.mtimeMs > ms
}

function unlinkIfThere(path) {
  try {
    unlinkSync(path)
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
}

function rmdirIfThere(path) {
  try {
    rmdirSync(path)
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
}
