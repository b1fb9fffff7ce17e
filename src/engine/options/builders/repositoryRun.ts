import { readdirSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { AppError } from '../../../primitives/appError'
import { pathForDisplay } from '../../../primitives/pathText'
import { said } from '../../../primitives/said'
import { attempt, fsPath, joinPath, textBytes } from '../../files/fileSystem'
import type { FoundTool } from '../../tools/externalTool'
import { withPasswordLine } from '../../tools/passwordLine'
import { runTool, type ToolResult, type ToolRun, toolFailure } from '../../tools/runTool'
import type { ToolMeter } from '../../tools/toolMeter'
import { KILL_AFTER_MS } from './killAfter'
import type { BuildRequest } from './optionBuilder'

/** Where programs that keep settings and caches are to keep them: below the build's own scratch. */
export async function homeIn(scratch: string): Promise<Record<string, string>> {
  const home = joinPath(scratch, 'home')
  await attempt('make the folder', home, mkdir(fsPath(home)))
  const below = (name: string): string => joinPath(home, name)
  return {
    HOME: home,
    XDG_CONFIG_HOME: below('config'),
    XDG_CACHE_HOME: below('cache'),
    XDG_DATA_HOME: below('data'),
    XDG_STATE_HOME: below('state'),
    TMPDIR: home,
  }
}

/**
 * The paths of everything in a source, each ended by a zero byte; of folders all, or only those
 * that are empty now: what lies in others was left out, and a program that is given a folder takes
 * all that is in it.
 */
export function zeroEnded(request: BuildRequest, folders: 'all' | 'empty'): Buffer {
  const { files, symlinks = [] } = request
  const full = new Set([...files, ...symlinks, ...(request.folders ?? [])].map(({ path }) => aboveOf(path)))
  const wanted = (request.folders ?? []).filter(
    ({ path, source }) =>
      path !== '' && (folders === 'all' || (!full.has(path) && readdirSync(fsPath(source)).length === 0)),
  )
  const all = [...wanted, ...symlinks, ...files]
  return Buffer.concat(all.flatMap(({ path }) => [textBytes(path), Buffer.of(0)]))
}

function aboveOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

/** Calls `run` with the password as standard input; with nothing to read where there is none. */
export function withPassword<T>(
  password: Uint8Array | null,
  run: (input: { readonly input?: Uint8Array }) => Promise<T>,
): Promise<T> {
  return password === null ? run({}) : withPasswordLine(password, (input) => run({ input }))
}

/** Runs a program of a repository and sees to its failures. */
export async function runRepository(
  tool: FoundTool,
  name: string,
  args: readonly string[],
  run: ToolRun & { readonly meter: ToolMeter },
): Promise<ToolResult> {
  const messages: string[] = []
  const result = await runTool(tool.path, args, {
    killAfterMs: KILL_AFTER_MS,
    onStart: (pid) => run.meter.watch(pid),
    ...run,
    onErrorLine: (line) => {
      const message = messageOf(line)
      if (message !== null && messages.length < MOST_SAID) messages.push(message)
      run.onErrorLine?.(line)
    },
  })
  if (result.exitCode === 0) return result
  if (messages.some((line) => /no space left on device|Errno 28|disk quota exceeded/i.test(line)))
    throw new AppError('no-space', said`cannot write the repository: no space left on the device`)
  throw toolFailure(name, 'fill the repository', {
    ...result,
    errorLines: messages.slice(0, 1).map(pathForDisplay),
  })
}

const MOST_SAID = 20

/**
 * The message of a line for a person: both programs write lines of JSON when asked to, some of them
 * about progress.
 */
function messageOf(line: string): string | null {
  const record = jsonOf(line)
  if (record === null) return line.trim() === '' ? null : line
  const isProgress = /^(progress_|archive_progress|status)/.test(
    String(record['type'] ?? record['message_type']),
  )
  return isProgress || typeof record['message'] !== 'string' ? null : record['message']
}

/** A line as an object, or null. */
export function jsonOf(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}
