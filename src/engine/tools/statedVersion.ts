import { stat } from 'node:fs/promises'
import { throwIfAborted } from '../jobs/throwIfAborted'
import type { FoundTool } from './externalTool'
import { runTool, type ToolRun } from './runTool'

/** Versions by what the file was when it was asked: a program that is replaced is asked anew. */
const known = new Map<string, string>()

/**
 * The program at a path with its version, or null when it is not there or states none. The same
 * file is asked once: unpacking asks for its program once an archive, and some need longer to start
 * than to unpack.
 * @param pattern finds the version, as its first group, in what the program prints
 * @throws AppError as `runTool`
 */
export async function statedVersion(
  path: string | null,
  args: readonly string[],
  pattern: RegExp,
  run: Pick<ToolRun, 'signal' | 'killAfterMs'> = {},
): Promise<FoundTool | null> {
  throwIfAborted(run.signal)
  const file = path === null ? null : await stat(path, { bigint: true }).catch(() => null)
  if (path === null || file === null) return null
  const { dev, ino, size, mtimeNs, ctimeNs } = file
  const key = [path, dev, ino, size, mtimeNs, ctimeNs].join(':')
  let version = known.get(key)
  if (version === undefined) {
    const { output, errorLines } = await runTool(path, args, run)
    version = pattern.exec([output, ...errorLines].join('\n'))?.[1]
    if (version === undefined) return null
    known.set(key, version)
  }
  return { path, version }
}
