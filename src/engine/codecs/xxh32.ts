const [P1, P2, P3, P4, P5] = [0x9e3779b1, 0x85ebca77, 0xc2b2ae3d, 0x27d4eb2f, 0x165667b1] as const

const rotated = (value: number, by: number): number => (value << by) | (value >>> (32 - by))

/**
 * XXH32 with seed 0 of a stream (xxHash fast digest algorithm, version 0.1.1), as LZ4 frames carry
 * it.
 */
export class Xxh32 {
  readonly #lanes = Int32Array.of(P1 + P2, P2, 0, -P1)
  readonly #rest = Buffer.alloc(16)
  #restBytes = 0
  #totalBytes = 0

  update(bytes: Uint8Array): void {
    this.#totalBytes += bytes.length
    let at = 0
    if (this.#restBytes > 0) {
      const taken = Math.min(16 - this.#restBytes, bytes.length)
      this.#rest.set(bytes.subarray(0, taken), this.#restBytes)
      this.#restBytes += taken
      at = taken
      if (this.#restBytes < 16) return
      this.#stripes(this.#rest, 0, 16)
      this.#restBytes = 0
    }
    const whole = at + ((bytes.length - at) & ~15)
    this.#stripes(bytes, at, whole)
    this.#rest.set(bytes.subarray(whole))
    this.#restBytes = bytes.length - whole
  }

  #stripes(bytes: Uint8Array, from: number, to: number): void {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    let [a = 0, b = 0, c = 0, d = 0] = this.#lanes
    for (let at = from; at < to; at += 16) {
      a = Math.imul(rotated((a + Math.imul(view.getInt32(at, true), P2)) | 0, 13), P1)
      b = Math.imul(rotated((b + Math.imul(view.getInt32(at + 4, true), P2)) | 0, 13), P1)
      c = Math.imul(rotated((c + Math.imul(view.getInt32(at + 8, true), P2)) | 0, 13), P1)
      d = Math.imul(rotated((d + Math.imul(view.getInt32(at + 12, true), P2)) | 0, 13), P1)
    }
    this.#lanes.set([a, b, c, d])
  }

  /** The digest of all bytes so far. */
  digest(): number {
    const [a = 0, b = 0, c = 0, d = 0] = this.#lanes
    let hash = this.#totalBytes >= 16 ? rotated(a, 1) + rotated(b, 7) + rotated(c, 12) + rotated(d, 18) : P5
    hash = (hash + this.#totalBytes) | 0
    let at = 0
    for (; at + 4 <= this.#restBytes; at += 4)
      hash = Math.imul(rotated((hash + Math.imul(this.#rest.readInt32LE(at), P3)) | 0, 17), P4)
    for (; at < this.#restBytes; at++)
      hash = Math.imul(rotated((hash + Math.imul(this.#rest[at] as number, P5)) | 0, 11), P1)
    hash = Math.imul(hash ^ (hash >>> 15), P2)
    hash = Math.imul(hash ^ (hash >>> 13), P3)
    return (hash ^ (hash >>> 16)) >>> 0
  }
}
