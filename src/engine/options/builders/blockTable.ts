const DIGEST_BYTES = 32
const FIRST_SLOTS = 1 << 12

/** Numbers digests of 32 bytes in the order in which they are met, in about 50 bytes each. */
export class BlockTable {
  #slots = new Uint32Array(FIRST_SLOTS)
  #digests = Buffer.alloc((FIRST_SLOTS / 2) * DIGEST_BYTES)
  #count = 0

  get count(): number {
    return this.#count
  }

  digest(number: number): Buffer {
    return this.#digests.subarray(number * DIGEST_BYTES, (number + 1) * DIGEST_BYTES)
  }

  /** The digest's number: `count` of before if it is new. */
  numberOf(digest: Uint8Array): number {
    const slot = this.#slotOf(digest)
    const known = this.#slots[slot] as number
    if (known !== 0) return known - 1
    const number = this.#count
    this.#digests.set(digest, number * DIGEST_BYTES)
    this.#count += 1
    this.#slots[slot] = this.#count
    if (this.#count * 2 >= this.#slots.length) this.#grow()
    return number
  }

  #slotOf(digest: Uint8Array): number {
    const mask = this.#slots.length - 1
    const bytes = Buffer.from(digest.buffer, digest.byteOffset, DIGEST_BYTES)
    for (let slot = bytes.readUInt32LE() & mask; ; slot = (slot + 1) & mask) {
      const known = this.#slots[slot] as number
      if (known === 0 || this.digest(known - 1).equals(bytes)) return slot
    }
  }

  #grow(): void {
    this.#slots = new Uint32Array(this.#slots.length * 2)
    const digests = Buffer.alloc(this.#digests.length * 2)
    this.#digests.copy(digests)
    this.#digests = digests
    for (let number = 0; number < this.#count; number++)
      this.#slots[this.#slotOf(this.digest(number))] = number + 1
  }
}
