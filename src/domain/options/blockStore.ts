import type { Estimate, Provenance } from '../../primitives/estimate'
import { programWork } from './codecWork'
import { estimateOf } from './estimateParts'
import type { MachineFacts, SurveyFacts } from './facts'
import { filesFrom } from './surveyFigures'

/** A head; for each different block SHA-256, place and length; for each file its length and path; a number for each block of it. */
const HEAD_BYTES = 32
const BLOCK_BYTES = 32 + 8 + 4
const FILE_BYTES = 12
const MENTION_BYTES = 4

export interface BlockCounts {
  readonly blocks: number
  readonly uniqueBlocks: number
  readonly uniqueLow?: number
  readonly uniqueHigh?: number
  readonly files: number
  readonly pathBytes: number
}

/** What Stowage's own store keeps beside the blocks. */
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
    'the index: 44 bytes for each different block, 4 for each block of a file',
  )
}

/** SHA-256 of every byte (1.4 GB/s where the processor has instructions for it, a tenth where not), reading and writing, and a table's work for each block. */
const STORING = {
  startSeconds: 0.05,
  fileSeconds: 90e-6,
  byteSeconds: 2.2e-9,
  error: 0.6,
  source: 'the work of SHA-256 and a table, as measured on Linux',
}
const BLOCK_SECONDS = 3e-6
/** Writing a byte that was not there yet. */
const WRITING_SECONDS = 1.2e-9

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

/** Memory for each different block: digest, slots that double, its length and numbers of blocks. */
export const STORE_RAM_BLOCK = 70
/** Buffers beside the table, of a process that was there before: 11 to 14 MB were seen of short files, 39 of files of some mebibytes. */
export const STORE_RAM_BASE = 12 * 1024 * 1024
const LONG_FILE_BYTES = 1024 * 1024
const LONG_FILES_RAM = 26 * 1024 * 1024

export function storeRam(survey: SurveyFacts): number {
  const { bytes } = survey.totals
  const long = bytes > 0 ? filesFrom(survey, LONG_FILE_BYTES).bytes / bytes : 0
  return STORE_RAM_BASE + LONG_FILES_RAM * long
}
