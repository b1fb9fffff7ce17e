import type { DatNote } from './dat'

/** Collects notes: the first of each kind with its sentence, the others by their number. */
export class DatNotes {
  readonly #notes = new Map<string, { text: string; count: number }>()

  /** @param text is made for the first of its kind alone */
  add(kind: string, text: () => string): void {
    const known = this.#notes.get(kind)
    if (known) known.count++
    else this.#notes.set(kind, { text: text(), count: 1 })
  }

  list(): DatNote[] {
    return [...this.#notes.values()]
  }
}
