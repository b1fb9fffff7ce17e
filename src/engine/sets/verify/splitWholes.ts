import { createHash } from 'node:crypto'
import { type ContentPlace, feedRange } from '../../files/read'
import type { FileDifference } from '../volume/open/difference'
import type { PartEntry, PlannedVolume } from '../volume/planned/plannedVolume'

/**
 * Collects the places of parts over the volumes of a run, to prove each split file as a whole in
 * the end.
 */
export class SplitWholes {
  readonly #wholes = new Map<string, { entry: PartEntry; places: (ContentPlace | undefined)[] }>()

  /** Notes the parts of a volume that were found to be right. */
  add({ entries }: PlannedVolume, places: ReadonlyMap<string, ContentPlace>): void {
    for (const entry of entries) {
      if (entry.kind !== 'part') continue
      const whole = this.#wholes.get(entry.wholePath) ?? {
        entry,
        places: Array.from<ContentPlace | undefined>({ length: entry.parts }),
      }
      whole.places[entry.part - 1] = places.get(entry.path)
      this.#wholes.set(entry.wholePath, whole)
    }
  }

  /**
   * Hashes every split file all of whose parts are at hand, in the order of the parts, as `cat`
   * would join them.
   */
  async differences(signal: AbortSignal): Promise<FileDifference[]> {
    const differences: FileDifference[] = []
    for (const [path, { entry, places }] of this.#wholes) {
      const parts = places.filter((place) => place !== undefined)
      if (parts.length < entry.parts) continue
      const hash = createHash('sha256')
      for (const place of parts) await feedRange(hash, place, signal)
      if (hash.digest('hex') !== entry.wholeSha256) differences.push({ path, code: 'other-whole' })
    }
    return differences
  }
}
