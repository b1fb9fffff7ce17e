import { exact } from '../../../primitives/estimate'
import { formatBlockSize } from '../../../primitives/quantity'
import { EVERYWHERE, PROOF_READERS, RISKS } from '../choice/readers'
import { storeBytes, storeRam, storeSeconds } from '../cost/blockStore'
import { programWork } from '../cost/codecWork'
import { sum, within } from '../cost/estimateParts'
import type { OptionFacts } from '../facts'
import type { OptionFamily, Variant } from '../recipes/variant'
import { variantOf } from '../recipes/variantDraft'
import { countedOf, type FixedBlockRow, meanFileBytes } from '../surveyFigures'

const RESTORING = {
  startSeconds: 0.02,
  fileSeconds: 100e-6,
  byteSeconds: 2e-9,
  error: 0.6,
  source: 'CPU time to look up and check blocks, measured on Linux',
}

/** The memory of building before it read through one buffer; restoring was not measured. */
const RESTORING_RAM = 12 * 1024 * 1024

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
  const data = countedOf(row, 'distinct blocks, counted')
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
  const basis = `distinct blocks of ${formatBlockSize(row.blockSize)}, and the index to rebuild the files`
  const mean = meanFileBytes(survey)
  const size = formatBlockSize(row.blockSize)
  return variantOf({
    recipe: { family: 'blocks', blockBytes: row.blockSize },
    title: `Distinct blocks of ${size}, uncompressed`,
    container: 'blocks',
    reduction: 'blocks',
    recordBytes: row.blockSize,
    storedBytes: sum([data, index], basis),
    storedFiles: exact(2, 'blocks and their index'),
    packSeconds: storeSeconds(bytes, row.uniqueBytes, row.blocks, machine, files),
    packRamBytes: storeRam(row),
    unpackSeconds: programWork(RESTORING, files, bytes, machine),
    useRamBytes: within(RESTORING_RAM + row.uniqueBlocks * 44, 0.4, 'assumed', 'the index in memory'),
    fetchBytes: within(mean, 0, 'modelled', 'the blocks of the file'),
    fetchSeconds: programWork(RESTORING, 1, mean, machine),
    access: 'extract',
    readers: PROOF_READERS,
    makers: EVERYWHERE,
    risks: [RISKS.indexLoss, RISKS.proof],
  })
}
