import { spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { ROOT } from '../bootstrap/paths.mjs'
import { cpuSecondsOf } from './cpuTime.mjs'

const running = new Set()
/** How often CPU time is looked at: what a program took in its last moments is lost. */
const METER_MS = 500

/**
 * Runs a program to its end and returns all it wrote. It is killed with everything it started when it takes longer than `limitMs`.
 * With `givesWay` it leaves the processors to whatever else wants them.
 * @returns {Promise<{ ok: boolean, ended: string, output: string, cpuSeconds: number }>} `ended` gives the end in words: `exit code 1`,
 *   `killed by SIGSEGV`; the CPU time is that of all that it started, up to about a second before its end, and 0 where it is not known
 */
export function runToEnd(
  [program, ...argv],
  { cwd = ROOT, env = process.env, limitMs = 60 * 60_000, givesWay = false } = {},
) {
  return new Promise((resolve) => {
    const stdio = ['ignore', 'pipe', 'pipe']
    const child = spawn(program, argv, { cwd, env, stdio, detached: process.platform !== 'win32' })
    running.add(child)
    if (givesWay && child.pid !== undefined) giveWay(child.pid)
    const chunks = []
    let isLate = false
    let cpuSeconds = 0
    const meter = setInterval(() => {
      cpuSeconds = Math.max(cpuSeconds, cpuSecondsOf(child.pid) ?? 0)
    }, METER_MS)
    const timer = setTimeout(() => {
      isLate = true
      killTree(child)
    }, limitMs)
    const finish = (ok, ended) => {
      clearTimeout(timer)
      clearInterval(meter)
      running.delete(child)
      resolve({ ok, ended, output: Buffer.concat(chunks).toString('utf8'), cpuSeconds })
    }
    child.stdout.on('data', (chunk) => chunks.push(chunk))
    child.stderr.on('data', (chunk) => chunks.push(chunk))
    child.once('error', (error) => finish(false, `cannot run ${program}: ${error.code ?? error.message}`))
    child.once('close', (code, signal) => {
      if (isLate) finish(false, `killed after ${limitMs / 1000} s`)
      else finish(code === 0, signal ? `killed by ${signal}` : `exit code ${code}`)
    })
  })
}

function giveWay(pid) {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // It has ended already.
  }
}

/** Ends everything that still runs, with its children. */
export function killAll() {
  for (const child of running) killTree(child)
}

function killTree(child) {
  if (child.pid === undefined) return
  try {
    if (process.platform === 'win32') child.kill('SIGKILL')
    else process.kill(-child.pid, 'SIGKILL')
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}
