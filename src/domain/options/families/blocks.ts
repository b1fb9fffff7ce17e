import { type Estimate, exact, type Provenance } from '../../../primitives/estimate'
import { formatBlockSize } from '../../../primitives/quantity'
import { said } from '../../../primitives/said'
import { estimateOf, sum, within } from '../cost/estimateParts'
import { workTime } from '../cost/rates'
import type { OptionFacts } from '../facts'
import { EVERYWHERE, PROOF_READERS, RISKS } from '../recipes/readers'
import type { OptionFamily, Variant } from '../recipes/variant'
import { variantOf } from '../recipes/variantDraft'
import { countedOf, type FixedBlockRow, meanFileBytes } from '../surveyFigures'

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
    said`the index: 44 bytes per distinct block, 4 per block of a file`,
  )
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
function storeRam({ blocks, uniqueBlocks }: { blocks: number; uniqueBlocks: number }): Estimate {
  const garbage = Math.min(RAM_MOST_GARBAGE, blocks * RAM_GARBAGE_BLOCK)
  const value = RAM_BASE + garbage + uniqueBlocks * RAM_UNIQUE_BLOCK + blocks * RAM_BLOCK
  const { low, high, atLeast } = RAM_RANGE
  return estimateOf(
    { value, low: value * low, high: value * high + atLeast },
    'modelled',
    said`the table of blocks, a buffer and digests`,
  )
}

/** The memory of building before it read through one buffer; restoring was not measured. */
const RESTORING_RAM = 12 * MIB

/**
 * Every different block once, without compression: what block deduplication alone saves, proved by
 * really storing it.
 */
export const blocksFamily: OptionFamily = {
  variants: (facts) => facts.survey.fixedBlocks.map((row) => variant(facts, row)),
}

function variant(facts: OptionFacts, row: FixedBlockRow): Variant {
  const { survey, machine } = facts
  const { files, bytes } = survey.totals
  const data = countedOf(row, said`distinct blocks, counted`)
  const spread = (end: number): number =>
    row.uniqueBytes > 0 ? (row.uniqueBlocks * end) / row.uniqueBytes : row.uniqueBlocks
  const index = storeBytes(
    {
      blocks: row.blocks,
      uniqueBlocks: row.uniqueBlocks,
      uniqueLow: spread(row.low),
      uniqueHigh: spread(row.high),
      files,
      pathBytes: files * survey.pathBytes,
    },
    data.provenance === 'exact' ? 'exact' : 'measured',
  )
  const basis = said`distinct blocks of ${formatBlockSize(row.blockSize)}, and the index to rebuild the files`
  const mean = meanFileBytes(survey)
  const size = formatBlockSize(row.blockSize)
  return variantOf({
    recipe: { family: 'blocks', blockBytes: row.blockSize },
    title: said`Distinct blocks of ${size}, uncompressed`,
    container: 'blocks',
    reduction: 'blocks',
    recordBytes: row.blockSize,
    storedBytes: sum([data, index], basis),
    storedFiles: exact(2, said`blocks and their index`),
    packSeconds: workTime(
      'blocks.pack',
      { file: files, chunk: row.blocks, byte: bytes, storedByte: row.uniqueBytes },
      machine,
    ),
    packRamBytes: storeRam(row),
    unpackSeconds: workTime('blocks.unpack', { file: files, byte: bytes }, machine),
    useRamBytes: within(RESTORING_RAM + row.uniqueBlocks * 44, 0.4, 'assumed', said`the index in memory`),
    fetchBytes: within(mean, 0, 'modelled', said`the blocks of the file`),
    fetchSeconds: workTime('blocks.unpack', { file: 1, byte: mean }, machine),
    access: 'extract',
    readers: PROOF_READERS,
    makers: EVERYWHERE,
    risks: [RISKS.indexLoss, RISKS.proof],
  })
}
