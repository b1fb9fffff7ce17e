import { findProgram } from './findProgram'
import { runTool } from './runTool'

/** Asked for its version a program holds nothing that would have to be put in order. */
const KILL_AFTER_MS = 100

/** A program with the version that it prints, the first group of the pattern; null where it is missing or prints none. */
export async function findVersion(
  name: string,
  argument: string,
  pattern: RegExp,
  signal?: AbortSignal,
): Promise<{ path: string; version: string } | null> {
  const path = await findProgram(name)
  if (!path) return null
  const { output } = await runTool(path, [argument], signal ? { signal, killAfterMs: KILL_AFTER_MS } : {})
  const version = pattern.exec(output)?.[1]
  return version === undefined ? null : { path, version }
}
