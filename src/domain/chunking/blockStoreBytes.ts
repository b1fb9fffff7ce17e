/** Of a store of blocks, apart from the blocks. */
const HEAD_BYTES = 32
const FILE_BYTES = 12
const BLOCK_BYTES = 4
const ENTRY_BYTES = 44

/**
 * Exactly the bytes of the index of a store of deduplicated blocks as Stowage writes one to prove its count: for each unique block
 * its digest, place and length (44 bytes), for each block of a file its number (4), for each file its length and path.
 */
export function blockIndexBytes(store: {
  readonly uniqueBlocks: number
  readonly blocks: number
  readonly files: number
  readonly pathBytes: number
}): number {
  const { uniqueBlocks, blocks, files, pathBytes } = store
  return HEAD_BYTES + ENTRY_BYTES * uniqueBlocks + BLOCK_BYTES * blocks + FILE_BYTES * files + pathBytes
}
