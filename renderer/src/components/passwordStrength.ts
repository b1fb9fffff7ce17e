export type Strength = 'empty' | 'short' | 'fair' | 'long'

/**
 * By its length alone: NIST SP 800-63B (revision 4) asks for 15 characters where a password is all
 * there is, and for at least 8 in any case. What it is made of nobody can judge without knowing how
 * it was chosen.
 */
export function strengthOf(password: string): Strength {
  const { length } = Array.from(password)
  if (length === 0) return 'empty'
  if (length < 8) return 'short'
  return length < 15 ? 'fair' : 'long'
}
