export interface RawDeflate {
  startDeflate(): {
    /** One after another: the next is added once the promise of the one before is kept. */
    add(bytes: Uint8Array, isLast: boolean): Promise<Uint8Array>
    crc32(): number
  }
}
