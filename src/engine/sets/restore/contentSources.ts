/** From which volumes something comes, by their numbers in order. */
export type VolumeNumbers = readonly number[]

/** Where the contents of a set's files come from. */
export class ContentSources {
  /** Each list of volumes once; the first is empty. */
  readonly #lists: VolumeNumbers[] = [[]]
  readonly #placeOf = new Map<string, number>([['', 0]])
  readonly #unions = new Map<number, number>()

  /** The place of a list of volumes. */
  placeOf(volumes: Iterable<number>): number {
    const list = [...new Set(volumes)].toSorted((a, b) => a - b)
    const key = list.join()
    const known = this.#placeOf.get(key)
    if (known !== undefined) return known
    this.#placeOf.set(key, this.#lists.length)
    return this.#lists.push(list) - 1
  }

  at(place: number): VolumeNumbers {
    return this.#lists[place] ?? []
  }

  /** The place of the volumes of both. */
  union(one: number, other: number): number {
    if (one === other || other === 0) return one
    if (one === 0) return other
    const key = Math.min(one, other) * 2 ** 26 + Math.max(one, other)
    const known = this.#unions.get(key)
    if (known !== undefined) return known
    const place = this.placeOf([...this.at(one), ...this.at(other)])
    this.#unions.set(key, place)
    return place
  }
}

/** Where the content of a row comes from: a place of `ContentSources`, and the container if any. */
export interface RowSource {
  readonly place: number
  /** From 1, in the order in which they are met; 0 for none. */
  readonly container: number
}
