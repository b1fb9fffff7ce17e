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

const LOCK_FILE = join(CACHE, 'bootstrap.lock')
const BREAKING = join(CACHE, 'bootstrap.lock.breaking')
const POLL_MS = 100
/** Breaking a stale lock takes microseconds; a guard this old was left by a killed process. */
const STALE_GUARD_MS = 10_000

/**
 * Runs `work` while no other bootstrap of this checkout runs; a second one waits and then finds everything done.
 * A lock left behind by a killed process is recognised by its process id and start time, and taken over.
 */
export async function singleRun(runner, work) {
  mkdirSync(CACHE, { recursive: true })
  let told = false
  for (;;) {
    const holder = tryTake()
    if (holder === null) break
    if (!told) runner.say(`  waiting for another npm command of this checkout (process ${holder})`)
    told = true
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  process.once('SIGINT', onSignal)
  process.once('SIGTERM', onSignal)
  try {
    return await work()
  } finally {
    process.off('SIGINT', onSignal)
    process.off('SIGTERM', onSignal)
    unlinkIfThere(LOCK_FILE)
  }
}

function onSignal(signal) {
  unlinkIfThere(LOCK_FILE)
  process.exit(signal === 'SIGINT' ? 130 : 143)
}

/** Takes the lock and returns null, or returns the id of the process that has it. */
function tryTake() {
  try {
    const file = openSync(LOCK_FILE, 'wx')
    writeSync(file, identity(process.pid))
    closeSync(file)
    return null
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
  }
  const content = readIfThere(LOCK_FILE)
  const pid = content?.split(' ')[0]
  // An empty file belongs to a process between its open and its write, unless it stays so.
  if (!content) return isOlderThan(LOCK_FILE, STALE_GUARD_MS) ? breakStale('') : '?'
  return content === identity(pid) ? pid : breakStale(content)
}

/** Removes the lock if it still holds `content`. One process at a time, so that no fresh lock is ever removed. */
function breakStale(content) {
  try {
    mkdirSync(BREAKING)
  } catch {
    if (isOlderThan(BREAKING, STALE_GUARD_MS)) rmdirIfThere(BREAKING)
    return '?'
  }
  if (readIfThere(LOCK_FILE) === content) unlinkIfThere(LOCK_FILE)
  rmdirIfThere(BREAKING)
  return tryTake()
}

/** `<pid> <start time>` of a living process; the start time tells it from a later one with the same number. '' when there is none. */
function identity(pid) {
  try {
    process.kill(Number(pid), 0)
  } catch (error) {
    if (error.code !== 'EPERM') return ''
  }
  const stat = process.platform === 'linux' ? readIfThere(`/proc/${pid}/stat`) : null
  // Field 22 of proc(5); counted behind the program's name, which may hold blanks.
  const startTime = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '-'
  return `${pid} ${startTime}`
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
