import type { FoundTool } from './externalTool'
import { findProgram } from './findProgram'
import { runTool } from './runTool'

/** Asked for its version a program holds nothing that would have to be put in order. */
const KILL_AFTER_MS = 100

/**
 * A program with the version that it prints: the pattern's first group, or `otherwise`. Null where it is missing or prints none.
 * @param question the arguments that ask for it
 */
export async function findVersion(
  name: string,
  question: string,
  pattern: RegExp,
  { signal, otherwise }: { readonly signal?: AbortSignal | undefined; readonly otherwise?: string } = {},
): Promise<FoundTool | null> {
  const path = await findProgram(name)
  if (!path) return null
  const stopping = signal ? { signal, killAfterMs: KILL_AFTER_MS } : {}
  const { output, errorLines } = await runTool(path, question.split(' '), stopping)
  const version = pattern.exec([output, ...errorLines].join('\n'))?.[1] ?? otherwise
  return version === undefined ? null : { path, version }
}
