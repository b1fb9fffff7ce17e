import { z } from 'zod'
import { type Protection, protectionSchema } from './volumeProtection'

/** The recovery data that a person decides on; none is a decision too. */
export const protectionChoiceSchema = z.union([protectionSchema, z.literal('none')])
export type ProtectionChoice = z.infer<typeof protectionChoiceSchema>

/** A choice as it is written in a project file: `fill`, `none` or `10%`. */
export function protectionWord(choice: ProtectionChoice): string {
  return typeof choice === 'number' ? `${choice}%` : choice
}

/** The choice of a word of `protectionWord`; null for any other text. */
export function protectionOfWord(word: string): ProtectionChoice | null {
  const share = /^(\d{1,3}(?:\.\d{1,2})?) ?%$/.exec(word)
  return protectionChoiceSchema.safeParse(share ? Number(share[1]) : word).data ?? null
}

/** The recovery data that a plan asks for; undefined for none. */
export function protectionOf(choice: ProtectionChoice): Protection | undefined {
  return choice === 'none' ? undefined : choice
}
