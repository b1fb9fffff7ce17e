import { copyNumberSchema } from '../../../src/contract/dto/copies'

/** The number of a copy as it is typed; null for none, and for what is none. */
export function copyTyped(text: string): number | null {
  const typed = text.trim()
  return /^\d+$/.test(typed) ? (copyNumberSchema.safeParse(Number(typed)).data ?? null) : null
}
