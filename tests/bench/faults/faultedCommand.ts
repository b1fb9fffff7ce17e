import { execFileSync, spawn } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** The command as it was built here, or another one, say to compare with an earlier state. */
const BUNDLE = resolve(
  process.env['STOWAGE_BUNDLE'] ?? join(import.meta.dirname, '../../../dist/cli/stowage.cjs'),
)

/** What happens at the N-th call; see faults.c. */
export type FaultKind =
  | 'count'
  | 'kill'
  | 'killAfter'
  | 'killOne'
  | 'once'
  | 'full'
  | 'short'
  | 'io'
  | 'denied'

export interface Fault {
  readonly kind: FaultKind
  /** From 1; of the calls of this kind below `under`. */
  readonly at: number
  readonly under: readonly string[]
}

/** A call that changes something below the folders looked at. */
export interface Call {
  readonly name: string
  readonly needsSpace: boolean
  /** Writes two bytes or more. */
  readonly writes: boolean
  /** Makes, renames or removes a name. */
  readonly names: boolean
  readonly program: string
  readonly path: string
}

export interface CommandEnd {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
  /** All calls when counting, otherwise the one that was hit. */
  readonly calls: readonly Call[]
  readonly hung: boolean
}

/** Folders of one command under test. */
export interface Place {
  readonly folder: string
  readonly source: string
  /** Where the command's targets are. */
  readonly out: string
  readonly home: string
  readonly tmp: string
}

/** Compiles the library that is preloaded. @returns its path in `folder` */
export function compileFaults(folder: string): string {
  const library = join(folder, 'faults.so')
  const source = join(import.meta.dirname, 'faults.c')
  execFileSync('cc', ['-O1', '-Wall', '-Wextra', '-shared', '-fPIC', '-o', library, source, '-ldl'])
  return library
}

const LONGEST_MS = 90_000

/** Runs `stowage` with a fault and waits until neither it nor a program that it started is left. */
export async function faulted(
  library: string,
  { folder, home, tmp }: Place,
  args: readonly string[],
  fault: Fault,
): Promise<CommandEnd> {
  const [state, log] = [join(folder, 'state'), join(folder, 'log')]
  writeFileSync(state, Buffer.alloc(64))
  rmSync(log, { force: true })
  const end = await run(args, {
    STOWAGE_HOME: home,
    TMPDIR: tmp,
    // Its calls would pass by the library.
    UV_USE_IO_URING: '0',
    LD_PRELOAD: library,
    FAULTS_UNDER: fault.under.join(':'),
    FAULTS_EXCEPT: join(home, 'compiled'),
    FAULTS_STATE: state,
    FAULTS_LOG: log,
    FAULTS_AT: String(fault.at),
    FAULTS_DO: fault.kind,
  })
  await endProgramsWith(`FAULTS_STATE=${state}`)
  return { ...end, calls: callsIn(log) }
}

/** Runs `stowage` as a person would. @param env more of its environment */
export async function plain(
  { home, tmp }: Pick<Place, 'home' | 'tmp'>,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<CommandEnd> {
  return { ...(await run(args, { STOWAGE_HOME: home, TMPDIR: tmp, ...env })), calls: [] }
}

function run(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Omit<CommandEnd, 'calls'>> {
  return new Promise((fulfil, reject) => {
    const child = spawn(process.execPath, [BUNDLE, ...args], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let [stdout, stderr, hung] = ['', '', false]
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
    })
    const timer = setTimeout(() => {
      hung = true
      child.kill('SIGKILL')
    }, LONGEST_MS)
    child.on('error', reject)
    // Programs that a killed command left may hold its output open: 'close' would wait for them.
    child.on('exit', (code, signal) => {
      clearTimeout(timer)
      setTimeout(() => fulfil({ code, signal, stdout, stderr, hung }), 20)
    })
  })
}

/** Kills what a killed command left running, known by a variable of its environment. */
async function endProgramsWith(variable: string): Promise<void> {
  for (let round = 0; round < 200; round++) {
    const found = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && hasVariable(name, variable))
    if (found.length === 0) return
    for (const pid of found) {
      try {
        process.kill(Number(pid), 'SIGKILL')
      } catch {
        // It has ended by itself.
      }
    }
    await new Promise((fulfil) => setTimeout(fulfil, 10))
  }
  throw new Error(`programs with ${variable} do not end`)
}

function hasVariable(pid: string, variable: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(variable)
  } catch {
    return false
  }
}

function callsIn(log: string): Call[] {
  let text: string
  try {
    text = readFileSync(log, 'utf8')
  } catch {
    return []
  }
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const [name = '', flags = '', program = '', ...path] = line.split('\t')
      const bits = Number(flags)
      return {
        name,
        needsSpace: (bits & 1) !== 0,
        writes: (bits & 2) !== 0,
        names: (bits & 4) !== 0,
        program,
        path: path.join('\t'),
      }
    })
}
