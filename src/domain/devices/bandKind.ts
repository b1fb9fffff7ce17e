/** Containers that are timed, by Apple's names: sparse bundle, sparse image, read-write image. */
export type BandKind = 'UDSB' | 'UDSP' | 'UDRW'

/** Bits of the AES key; null for plain. */
export type BandEncryption = 128 | 256 | null
