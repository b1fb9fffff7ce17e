import { createHash, type Hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { DigestKind, Digests } from '../../domain/roms/dat'
import { type HeaderOperation, rearrange, UNIT } from '../../domain/roms/headerDetectors'

/** Computes checksums of a content as its pieces come. */
export class ContentDigests {
  readonly #hashes: ReadonlyMap<DigestKind, Hash>
  readonly #hasCrc: boolean
  readonly #operation: HeaderOperation
  #crc = 0
  /** Bytes that no whole unit of the operation was made of yet. */
  #rest = Buffer.alloc(0)

  /** @param kinds the checksums that are computed; all others are null */
  constructor(kinds: ReadonlySet<DigestKind>, operation: HeaderOperation = 'none') {
    this.#hashes = new Map(
      [...kinds].filter((kind) => kind !== 'crc').map((kind) => [kind, createHash(kind)]),
    )
    this.#hasCrc = kinds.has('crc')
    this.#operation = operation
  }

  update(piece: Uint8Array): void {
    if (this.#operation === 'none') return this.#take(piece)
    const bytes = Buffer.concat([this.#rest, piece])
    const whole = bytes.subarray(0, bytes.length - (bytes.length % UNIT[this.#operation]))
    this.#rest = bytes.subarray(whole.length)
    rearrange(whole, this.#operation)
    this.#take(whole)
  }

  digests(): Digests {
    const hex = (kind: DigestKind): string | null => this.#hashes.get(kind)?.digest('hex') ?? null
    return {
      crc: this.#hasCrc ? this.#crc.toString(16).padStart(8, '0') : null,
      md5: hex('md5'),
      sha1: hex('sha1'),
      sha256: hex('sha256'),
    }
  }

  #take(piece: Uint8Array): void {
    if (this.#hasCrc) this.#crc = crc32(piece, this.#crc)
    for (const hash of this.#hashes.values()) hash.update(piece)
  }
}
