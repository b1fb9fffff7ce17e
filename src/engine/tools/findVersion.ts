import type { FoundTool } from './externalTool'
import { findProgram } from './findProgram'
import { statedVersion } from './statedVersion'

/** Asked for its version a program holds nothing that would have to be put in order. */
const KILL_AFTER_MS = 100

/**
 * A program with the version that it states: the pattern's first group, or `otherwise`. Null where
 * it is missing or states none.
 * @param question the arguments that ask for it
 */
export async function findVersion(
  name: string,
  question: string,
  pattern: RegExp,
  { signal, otherwise }: { readonly signal?: AbortSignal | undefined; readonly otherwise?: string } = {},
): Promise<FoundTool | null> {
  const path = await findProgram(name)
  const stopping = signal ? { signal, killAfterMs: KILL_AFTER_MS } : {}
  const found = await statedVersion(path, question.split(' '), pattern, stopping)
  return found ?? (path === null || otherwise === undefined ? null : { path, version: otherwise })
}
