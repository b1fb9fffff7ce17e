import path from 'node:path'
import { ownPath } from '../primitives/ownPath'

/** The absolute path of what a person named, in Stowage's own form. */
export function absolutePath(given: string, from = ''): string {
  return ownPath(path.resolve(from, given))
}
