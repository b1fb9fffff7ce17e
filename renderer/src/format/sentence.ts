import { windowMessage } from './windowMessage'

/** A failure, which is one line that begins small, as a sentence of the window. */
export function sentence(message: string): string {
  const shown = windowMessage(message)
  return `${shown.charAt(0).toUpperCase()}${shown.slice(1)}.`
}
