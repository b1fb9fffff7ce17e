import type { RestoreDocument } from '../../../contract/dto/restore'
import { AppError } from '../../../primitives/appError'

const KEPT = 32

/** The documents of the last restores, for whoever asks by id. They are not in the catalog. */
export class RestoreResults {
  readonly #kept = new Map<string, RestoreDocument>()

  keep(document: RestoreDocument): void {
    this.#kept.set(document.id, document)
    for (const [oldest] of this.#kept) {
      if (this.#kept.size <= KEPT) break
      this.#kept.delete(oldest)
    }
  }

  /** @throws AppError `not-found` */
  get(id: string): RestoreDocument {
    const document = this.#kept.get(id)
    if (!document) throw new AppError('not-found', `no restore ${id}`)
    return document
  }
}
