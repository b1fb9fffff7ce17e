import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { CACHE, ROOT } from './paths.mjs'

/** How often a step that takes its time says how far it is. */
const SAYING_MS = 10_000

/** Ends a Node program as soon as the process that started it has ended, however that ended. */
const LEASH =
  "--import=data:text/javascript,process.on('disconnect',()=>process.kill(process.pid,'SIGKILL'));process.channel?.unref()"

/**
 * A step of the bootstrap that could not be done: `message` is one plain line naming the step and the cause.
 * Thrown, never exited with, so that `finally` blocks still release the lock.
 */
export class StepFailure extends Error {}

/**
 * Runs steps and reports each in one line: what, how long, and when it fails the cause and the log.
 * `toStderr` keeps stdout free for a command's own document.
 */
export class StepRunner {
  constructor({ toStderr = false } = {}) {
    this.stream = toStderr ? process.stderr : process.stdout
  }

  /** Prints one line. */
  say(line) {
    this.stream.write(`${line}\n`)
  }

  /** Runs `work` and prints `title` with the seconds it took. What `work` throws is passed on. */
  async step(title, work) {
    const began = performance.now()
    await work()
    this.say(`  ${title} (${((performance.now() - began) / 1000).toFixed(1)} s)`)
  }

  /**
   * Runs a program with its output in `.cache/logs/<logName>.log`. With `isLeashed`, for Node programs, it never outlives
   * this process; `onLog` says in one line how far its output shows it to be, every ten seconds.
   * @throws StepFailure with the last telling line of the output and the log's place when it ends with anything but 0.
   */
  async command(logName, program, argv, options = {}) {
    const logFile = join(CACHE, 'logs', `${logName}.log`)
    mkdirSync(join(CACHE, 'logs'), { recursive: true })
    const log = openSync(logFile, options.append ? 'a' : 'w')
    try {
      const child = spawn(program, argv, {
        cwd: options.cwd ?? ROOT,
        env: options.isLeashed
          ? { ...process.env, NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} ${LEASH}` }
          : process.env,
        stdio: ['ignore', log, log, ...(options.isLeashed ? ['ipc'] : [])],
        shell: process.platform === 'win32' && /\.(cmd|bat)$/i.test(program),
      })
      const began = performance.now()
      const watch = setInterval(() => {
        const line = options.onLog?.(readFileSync(logFile, 'utf8'), performance.now() - began)
        if (line) this.say(`  ${line}`)
      }, SAYING_MS)
      const outcome = await ended(child).finally(() => clearInterval(watch))
      if (outcome === null) return
      const cause = outcome.startsWith('cannot run')
        ? outcome
        : (tellingLine(readFileSync(logFile, 'utf8')) ?? outcome)
      throw new StepFailure(`${options.what ?? logName} failed: ${cause} (log: ${relative(ROOT, logFile)})`)
    } finally {
      closeSync(log)
    }
  }
}

/** Resolves to null when the child ended with 0, else to how it ended. */
function ended(child) {
  // A bootstrap that is stopped takes along what it started: two installations must never run side by side.
  const onExit = () => child.kill()
  process.once('exit', onExit)
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(`cannot run ${child.spawnfile}: ${error.code ?? error.message}`))
    child.once('close', (code, signal) => {
      process.off('exit', onExit)
      resolve(code === 0 ? null : signal ? `killed by ${signal}` : `exit code ${code}`)
    })
  })
}

/** The line of a log that names the cause: the first that speaks of an error, else the last one. */
export function tellingLine(log) {
  const lines = stripVTControlCharacters(log)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const at = lines.findIndex(
    (line) =>
      /\berror\b|^E: |\bfatal\b|cannot|not found/i.test(line) && !/^npm (error|ERR!)( code .*)?$/.test(line),
  )
  if (at === -1) return lines.at(-1)?.slice(0, 240) ?? null
  // A heading such as "error during build:" means nothing without what follows it.
  const end = lines.findIndex((line, index) => index >= at && !line.endsWith(':'))
  return lines
    .slice(at, end === -1 ? undefined : end + 1)
    .join(' ')
    .slice(0, 240)
}
