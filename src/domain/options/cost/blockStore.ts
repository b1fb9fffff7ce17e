import type { Estimate, Provenance } from '../../../primitives/estimate'
import type { MachineFacts } from '../facts'
import { programWork } from './codecWork'
import { estimateOf } from './estimateParts'

const MIB = 1024 * 1024

/**
 * A head; for each different block SHA-256, place and length; for each file its length and path; a
 * number for each block of it.
 */
const HEAD_BYTES = 32
const BLOCK_BYTES = 32 + 8 + 4
const FILE_BYTES = 12
const MENTION_BYTES = 4

interface BlockCounts {
  readonly blocks: number
  readonly uniqueBlocks: number
  readonly uniqueLow?: number
  readonly uniqueHigh?: number
  readonly files: number
  readonly pathBytes: number
}

/** The bytes that Stowage's own store keeps in addition to the blocks. */
export function storeBytes(counts: BlockCounts, provenance: Provenance): Estimate {
  const rest =
    HEAD_BYTES + counts.files * FILE_BYTES + counts.pathBytes + Math.ceil(counts.blocks) * MENTION_BYTES
  const of = (blocks: number): number => Math.round(rest + blocks * BLOCK_BYTES)
  return estimateOf(
    {
      value: of(counts.uniqueBlocks),
      low: of(counts.uniqueLow ?? counts.uniqueBlocks),
      high: of(counts.uniqueHigh ?? counts.uniqueBlocks),
    },
    provenance,
    'the index: 44 bytes per distinct block, 4 per block of a file',
  )
}

/**
 * SHA-256 of every byte (1.4 GB/s where the processor has instructions for it, a tenth where not),
 * reading and writing, and a table's work for each block.
 */
const STORING = {
  startSeconds: 0.115,
  fileSeconds: 15e-6,
  byteSeconds: 0.7e-9,
  error: 0.6,
  source: 'CPU time of SHA-256 and a table, measured on Linux',
}
const BLOCK_SECONDS = 3.8e-6
/** Writing a byte that was not there yet. */
const WRITING_SECONDS = 0.77e-9

export function storeSeconds(
  bytes: number,
  uniqueBytes: number,
  blocks: number,
  machine: MachineFacts,
  files = 1,
): Estimate {
  const startSeconds = STORING.startSeconds + blocks * BLOCK_SECONDS + uniqueBytes * WRITING_SECONDS
  return programWork({ ...STORING, startSeconds }, files, bytes, machine)
}

/**
 * In memory for each different block: digest, slots that double and its length; for each block its
 * number.
 */
const RAM_UNIQUE_BLOCK = 70
const RAM_BLOCK = 8
/**
 * Beside the tables: two buffers, and digests that are garbage until it is collected. 0.9 to 4 MB
 * were seen where few blocks are long, 2.2 to 6 where many are short, and once 10 of both (six
 * sets, Node 24.21), in a process that was there before.
 */
const RAM_BASE = 2 * MIB
const RAM_GARBAGE_BLOCK = 250
const RAM_MOST_GARBAGE = 3 * MIB
const RAM_RANGE = { low: 0.05, high: 1.6, atLeast: 8 * MIB }

/** Memory while a store is built. */
export function storeRam({ blocks, uniqueBlocks }: { blocks: number; uniqueBlocks: number }): Estimate {
  const garbage = Math.min(RAM_MOST_GARBAGE, blocks * RAM_GARBAGE_BLOCK)
  const value = RAM_BASE + garbage + uniqueBlocks * RAM_UNIQUE_BLOCK + blocks * RAM_BLOCK
  const { low, high, atLeast } = RAM_RANGE
  return estimateOf(
    { value, low: value * low, high: value * high + atLeast },
    'modelled',
    'the table of blocks, a buffer and digests',
  )
}
