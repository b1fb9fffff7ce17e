/** Past this many different texts all are forgotten: hostile files repeat none. */
const MOST_KEPT = 65_536
/** Shorter texts are copies anyway. */
const SHORTEST_SLICE = 13

/**
 * Gives texts a memory of their own. A part of a text keeps all of it: each checksum would keep
 * the piece of the file that it was in.
 */
export class OwnText {
  readonly #kept = new Map<string, string>()

  /** The same text; equal ones share their memory. */
  shared(text: string): string {
    const known = this.#kept.get(text)
    if (known !== undefined) return known
    if (this.#kept.size >= MOST_KEPT) this.#kept.clear()
    const own = copied(text)
    this.#kept.set(own, own)
    return own
  }
}

/** A copy of a text; for those that hardly ever occur twice. */
export function copied(text: string): string {
  if (text.length < SHORTEST_SLICE) return text
  return text.isWellFormed() ? Buffer.from(text, 'utf8').toString('utf8') : text
}
