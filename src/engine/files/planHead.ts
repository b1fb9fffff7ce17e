import { closeSync } from 'node:fs'
import { joinPath } from './fileSystem'
import { openedAtOnce, readAtOnce } from './readAtOnce'

/** `plan.json` begins with its schema and its id, of which neither is long. */
const HEAD_BYTES = 512
const HEAD = /^\s*\{\s*"schema":\s*"stowage\.plan\/\d+",\s*"id":\s*"([^"\\]+)"/

/**
 * The id of the plan that was exported to a folder; null where there is none, or none that can be
 * read.
 */
export function planIdIn(directory: string): string | null {
  try {
    const file = openedAtOnce(joinPath(directory, 'plan.json'))
    try {
      const head = Buffer.alloc(HEAD_BYTES)
      return HEAD.exec(head.toString('utf8', 0, readAtOnce(file, head)))?.[1] ?? null
    } finally {
      closeSync(file)
    }
  } catch {
    return null
  }
}
