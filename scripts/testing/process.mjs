import { spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { ROOT } from '../bootstrap/paths.mjs'

const running = new Set()

/**
 * Runs a program to its end and returns all it wrote. It is killed with everything it started when it takes longer than `limitMs`.
 * With `givesWay` it leaves the processors to whatever else wants them.
 * @returns {Promise<{ ok: boolean, ended: string, output: string }>} `ended` gives the end in words: `exit code 1`, `killed by SIGSEGV`
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
    const timer = setTimeout(() => {
      isLate = true
      killTree(child)
    }, limitMs)
    const finish = (ok, ended) => {
      clearTimeout(timer)
      running.delete(child)
      resolve({ ok, ended, output: Buffer.concat(chunks).toString('utf8') })
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
