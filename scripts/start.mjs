/**
 * `npm start [-- <folder>]`: opens the window, with the folder's survey already running. Without a display it does the same
 * job in the terminal: the survey, the candidates for discs, and the command that plans the recommended one.
 */
import { spawn } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { CACHE, hasDisplay, modernNode, ROOT } from './bootstrap/paths.mjs'
import { ensureElectron } from './electronRuntime.mjs'

const COMMAND = join(ROOT, 'dist/cli/stowage.cjs')
const DEFAULT_MEDIUM = 'bd-r-25'
const SAMPLE = join(CACHE, 'sample', 'Stowage sample')

// npm runs scripts in the repository; a relative folder is meant from where the person stood.
const given =
  process.argv[2] === undefined ? null : resolve(process.env.INIT_CWD ?? process.cwd(), process.argv[2])
if (given !== null && !existsSync(given)) {
  process.stderr.write(`stowage: cannot open ${given}: no such file or folder\n`)
  process.exitCode = 2
} else process.exitCode = hasDisplay() ? await openWindow(given) : await workInTerminal(given)

/** Opens the window and waits until it is closed. Resolves to the exit code. */
async function openWindow(folder) {
  const runtime = await ensureElectron({ log: (line) => process.stdout.write(`  ${line}\n`) })
  const { ELECTRON_RUN_AS_NODE: _, ...env } = process.env
  // Chromium complains at length about buses and graphics that a machine does not have, and goes on without them.
  const switches = ['--log-level=3']
  if (process.platform === 'linux' && process.getuid?.() === 0) {
    process.stderr.write(
      'Warning: the window runs without its sandbox, which root cannot use. Start it as another user.\n',
    )
    switches.push('--no-sandbox')
  }
  return run(runtime.executable, [...switches, ROOT, ...(folder === null ? [] : [folder])], env)
}

async function workInTerminal(folder) {
  process.stdout.write('No display here: working in the terminal.\n')
  const source = folder ?? (await askForFolder()) ?? (await makeSample())
  if (source === null) return 1
  const shown = ['--medium', DEFAULT_MEDIUM, '--table', 'candidates']
  return stowage(['options', source, '--sha256', '--samples', 'fast', ...shown])
}

/** The folder that the person at the terminal names, or null for the sample source. */
async function askForFolder() {
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    process.stdout.write(
      'No folder was given: taking the bundled sample source (to use your own: npm start -- <folder>).\n',
    )
    return null
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    for (;;) {
      const answer = await terminal.question('Which folder? (Enter takes the bundled sample source) ')
      if (answer.trim() === '') return null
      const folder = resolve(process.env.INIT_CWD ?? process.cwd(), answer)
      if (statSync(folder, { throwIfNoEntry: false })) return folder
      process.stdout.write(`There is nothing at ${folder}.\n`)
    }
  } finally {
    terminal.close()
  }
}

async function makeSample() {
  return (await stowage(['sample', SAMPLE])) === 0 ? SAMPLE : null
}

/** Runs a command of Stowage in this terminal. */
function stowage(argv) {
  return run(modernNode() ?? process.execPath, [COMMAND, ...argv], process.env)
}

/** Runs a program in this terminal; resolves to its exit code: 130 when it was interrupted. */
function run(program, argv, env) {
  return new Promise((end) => {
    const child = spawn(program, argv, { cwd: ROOT, env, stdio: 'inherit' })
    // The terminal's Ctrl-C reaches the child too; this process waits for how it ends.
    process.on('SIGINT', () => {})
    process.once('SIGTERM', () => child.kill('SIGTERM'))
    child.once('error', (error) => {
      process.stderr.write(`stowage: cannot run ${program}: ${error.code ?? error.message}\n`)
      end(1)
    })
    child.once('close', (code) => end(code ?? 130))
  })
}
