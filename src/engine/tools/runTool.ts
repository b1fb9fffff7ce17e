import { spawn } from 'node:child_process'
import type { Writable } from 'node:stream'
import { AppError } from '../../primitives/appError'
import { said } from '../../primitives/said'
import { lineSplitter } from '../files/read'
import { throwIfAborted } from '../jobs/throwIfAborted'
import { startTree } from './processTree'

export interface ToolRun {
  readonly signal?: AbortSignal
  readonly cwd?: string
  /** Added to this process's own; undefined takes a variable away. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /**
   * Written to its standard input, which is closed then; without it there is nothing to read.
   * Pieces are asked for as fast as the tool reads; when they fail the tool is ended and it rejects
   * with that failure.
   */
  readonly input?: Uint8Array | AsyncIterable<Uint8Array>
  /**
   * An open file by its number as the tool's standard input, instead of `input`; it stays open
   * here.
   */
  readonly stdin?: number
  /** Each line of standard error as it comes. */
  readonly onErrorLine?: (line: string) => void
  /**
   * Raw standard output as it comes; without it the output is collected. Awaited, so a slow reader
   * slows the tool.
   */
  readonly onOutput?: (chunk: Uint8Array) => void | Promise<void>
  /** Called when the tool has been started, with its process id. */
  readonly onStart?: (pid: number) => void
  /** How long after SIGTERM a tool that goes on is killed; 2,000 without it. */
  readonly killAfterMs?: number
}

export interface ToolResult {
  readonly exitCode: number
  /** Collected standard output, empty when `onOutput` took it. */
  readonly output: string
  /** The last lines of standard error, at most 50. */
  readonly errorLines: readonly string[]
}

const KEPT_ERROR_LINES = 50
const MAX_COLLECTED_BYTES = 512 * 1024 * 1024
const KILL_AFTER_MS = 2000

/**
 * Runs a program without a shell, in a process group of its own, with LC_ALL=C.UTF-8 so that names
 * and messages do not depend on the person's language. Resolves with the exit code, whatever it is.
 * On abort it is ended with all that it started (SIGTERM, then SIGKILL; at once on Windows), and
 * this rejects only when the program is gone. It ends too when this process is killed.
 * @throws AppError `cancelled` on abort, `tool-missing` when it cannot be started, `tool-failed`
 *   when a signal ended it
 */
export async function runTool(
  program: string,
  args: readonly string[],
  run: ToolRun = {},
): Promise<ToolResult> {
  throwIfAborted(run.signal)
  const { child, tree } = startTree(() =>
    spawn(program, args, {
      cwd: run.cwd,
      env: { ...process.env, ...run.env, LC_ALL: 'C.UTF-8' },
      stdio: [run.stdin ?? 'pipe', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    }),
  )
  const name = nameOf(program)
  let killTimer: NodeJS.Timeout | undefined
  const abort = (): void => {
    tree.end('SIGTERM')
    killTimer = setTimeout(() => tree.end('SIGKILL'), run.killAfterMs ?? KILL_AFTER_MS)
  }
  run.signal?.addEventListener('abort', abort, { once: true })
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve, reject) => {
    child.once('error', (error) =>
      reject(new AppError('tool-missing', said`cannot start ${name}: ${error.message}`, { cause: error })),
    )
    child.once('close', (code, signal) => resolve({ code, signal }))
  })
  ended.catch(() => undefined)
  if (child.pid !== undefined) run.onStart?.(child.pid)
  // A tool may end without reading all of it: its exit code says more than the broken pipe.
  child.stdin?.on('error', () => undefined)
  let feedFailure: unknown = null
  const fed = (child.stdin ? feed(child.stdin, run.input) : Promise.resolve()).catch((thrown: unknown) => {
    feedFailure = thrown
    tree.end('SIGKILL')
  })
  const errorLines: string[] = []
  const errors = lineSplitter((line) => {
    errorLines.push(line)
    if (errorLines.length > KEPT_ERROR_LINES) errorLines.shift()
    run.onErrorLine?.(line)
  })
  child.stderr?.on('data', (chunk: Buffer) => errors.push(chunk))
  const collected: Buffer[] = []
  let collectedBytes = 0
  try {
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
      if (run.onOutput) {
        await run.onOutput(chunk)
        continue
      }
      collectedBytes += chunk.length
      if (collectedBytes > MAX_COLLECTED_BYTES) {
        throw new AppError('tool-failed', said`${name} printed more than ${MAX_COLLECTED_BYTES} bytes`)
      }
      collected.push(chunk)
    }
    const { code, signal } = await ended
    await fed
    errors.end()
    throwIfAborted(run.signal)
    if (feedFailure !== null) throw feedFailure
    if (code === null)
      throw new AppError('tool-failed', said`${name} was ended by ${signal ?? said`a signal`}`)
    return { exitCode: code, output: Buffer.concat(collected).toString('utf8'), errorLines }
  } catch (error) {
    tree.end('SIGKILL')
    await ended.catch(() => undefined)
    await fed
    throwIfAborted(run.signal)
    throw error
  } finally {
    clearTimeout(killTimer)
    tree.close()
    run.signal?.removeEventListener('abort', abort)
  }
}

/** The failure of a program that ended with an exit code other than 0, in one line. */
export function toolFailure(program: string, doing: string, result: ToolResult): AppError {
  const last = result.errorLines.at(-1)
  const because = last === undefined ? '' : said`: ${last}`
  return new AppError(
    'tool-failed',
    said`cannot ${doing}: ${nameOf(program)} ended with code ${result.exitCode}${because}`,
  )
}

async function feed(to: Writable, input: ToolRun['input']): Promise<void> {
  if (input === undefined || input instanceof Uint8Array) {
    to.end(input)
    return
  }
  for await (const piece of input) {
    if (to.destroyed) return
    if (!to.write(piece)) {
      await new Promise<void>((resolve) => {
        const goOn = (): void => {
          to.off('drain', goOn)
          to.off('close', goOn)
          resolve()
        }
        to.once('drain', goOn)
        to.once('close', goOn)
      })
    }
  }
  to.end()
}

function nameOf(program: string): string {
  return program.replace(/^.*[\\/]/, '').replace(/\.exe$/i, '')
}
