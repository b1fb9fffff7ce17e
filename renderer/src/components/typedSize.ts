import { parseSize } from '../../../src/primitives/bytes'
import { typedNumbers } from '../../../src/primitives/figureLanguage'

/** Reads a typed size in bytes: null for nothing, undefined where it is no size. */
export function typedSize(text: string): number | null | undefined {
  if (text.trim() === '') return null
  try {
    const bytes = parseSize(typedNumbers(text))
    return bytes > 0 ? bytes : undefined
  } catch {
    return undefined
  }
}
