import { pathForDisplay } from '../../../src/primitives/pathText'

/** A failure, which is one line that begins small, as a sentence. */
export function sentence(message: string): string {
  const shown = pathForDisplay(message)
  return `${shown.charAt(0).toUpperCase()}${shown.slice(1)}.`
}
