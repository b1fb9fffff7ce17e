import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { CACHE, ROOT } from './paths.mjs'
import { StepFailure } from './stepFailure.mjs'

/**
 * Runs steps and tells of each in one line: what, how long, and when it fails the cause and the log.
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
    const result = await work()
    const seconds = (performance.now() - began) / 1000
    this.say(`  ${title} (${seconds.toFixed(1)} s)`)
    return result
  }

  /**
   * Runs a program with its output in `.cache/logs/<logName>.log`.
   * `onStart` gets its process id; `stopSignal` ends it when this process is told to stop.
   * @throws StepFailure with the last telling line of the output and the log's place when it ends with anything but 0.
   */
  async command(logName, program, argv, options = {}) {
    const logFolder = join(CACHE, 'logs')
    mkdirSync(logFolder, { recursive: true })
    const logFile = join(logFolder, `${logName}.log`)
    const log = openSync(logFile, options.append ? 'a' : 'w')
    try {
      const child = spawn(program, argv, {
        cwd: options.cwd ?? ROOT,
        env: options.env ?? process.env,
        stdio: ['ignore', log, log],
        shell: process.platform === 'win32' && /\.(cmd|bat)$/i.test(program),
      })
      if (child.pid !== undefined) options.onStart?.(child.pid)
      const outcome = await ended(child, options.stopSignal ?? 'SIGTERM')
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
function ended(child, stopSignal) {
  // A bootstrap that is told to stop takes along what it started: two installations must never run side by side.
  const onExit = () => child.kill(stopSignal)
  process.once('exit', onExit)
  return new Promise((resolve) => {
    child.once('close', () => process.off('exit', onExit))
    child.once('error', (error) => resolve(`cannot run ${child.spawnfile}: ${error.code ?? error.message}`))
    child.once('close', (code, signal) =>
      resolve(code === 0 ? null : signal ? `killed by ${signal}` : `exit code ${code}`),
    )
  })
}

/** The line of a log that names the cause: the first that speaks of an error, else the last one. */
export function tellingLine(log) {
  const lines = log
    // Colours, which some tools write even into a file.
    .replaceAll(new RegExp(String.raw`\u001b\[[0-9;]*m`, 'g'), '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const at = lines.findIndex(
    (line) =>
      /\berror\b|^E: |\bfatal\b|cannot|not found/i.test(line) && !/^npm (error|ERR!)( code .*)?$/.test(line),
  )
  if (at === -1) return lines.at(-1)?.slice(0, 240) ?? null
  // A heading such as "error during build:" says nothing without what follows it.
  const end = lines.findIndex((line, index) => index >= at && !line.endsWith(':'))
  return lines
    .slice(at, end === -1 ? undefined : end + 1)
    .join(' ')
    .slice(0, 240)
}
