import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, rmSync, statSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CACHE } from './paths.mjs'

/**
 * Runs `work` while no other bootstrap of this checkout runs; a second one waits and then finds everything done.
 * The lock is a local socket, which the system frees when its process ends, however that ends.
 * @param {{ say(line: string): void }} runner reports once when there is someone to wait for
 * @param {() => Promise<unknown>} work
 * @param {string} folder the checkout's own folder, after which the lock is named
 */
export async function singleRun(runner, work, folder = CACHE) {
  mkdirSync(folder, { recursive: true })
  const address = addressOf(folder)
  const waiting = new Set()
  const lock = createServer((other) => waiting.add(other.on('error', () => {})))
  let reported = false
  while (!(await isTaken(lock, address))) {
    await untilFree(address, () => {
      if (!reported) runner.say('  waiting for another npm command of this checkout')
      reported = true
    })
  }
  const onSignal = (signal) => process.exit(signal === 'SIGINT' ? 130 : 143)
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal)
  try {
    return await work()
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal)
    lock.close()
    for (const other of waiting) other.destroy()
  }
}

/** Named after the folder itself, so that two paths to it mean one lock. */
function addressOf(folder) {
  const { dev, ino } = statSync(folder)
  const name = `stowage-${createHash('sha256').update(`${dev} ${ino}`).digest('hex').slice(0, 16)}`
  if (process.platform === 'win32') return `\\\\.\\pipe\\${name}`
  return process.platform === 'linux' ? `\0${name}` : join(tmpdir(), name)
}

async function isTaken(lock, address) {
  try {
    await once(lock.listen(address), 'listening')
    return true
  } catch (error) {
    if (error.code === 'EADDRINUSE') return false
    throw error
  }
}

/** Resolves when whoever holds the lock lets go of it. */
async function untilFree(address, onHolder) {
  const holder = connect(address, onHolder).on('error', (error) => {
    // A socket that is a file outlives a killed process, and then nobody answers.
    if (error.code === 'ECONNREFUSED' && !address.startsWith('\0')) rmSync(address, { force: true })
  })
  await new Promise((resolve) => holder.once('close', resolve))
}
