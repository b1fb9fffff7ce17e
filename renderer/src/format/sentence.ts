import { pathForDisplay } from '../../../src/primitives/pathText'
import { spoken } from '../copy'

/** A failure, which is one line that begins small, as a sentence of the window. */
export function sentence(message: string): string {
  const shown = pathForDisplay(spoken(message))
  return `${shown.charAt(0).toUpperCase()}${shown.slice(1)}.`
}
