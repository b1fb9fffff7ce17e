import { type Estimate, exact } from '../../primitives/estimate'
import { said } from '../../primitives/said'
import { composeOption } from './cost/compose'
import { estimateOf, scaled } from './cost/estimateParts'
import { DISK_FACTS } from './cost/mediumFacts'
import type { OptionFacts } from './facts'
import { zfsVariants } from './families/zfs'
import { recordsOnce } from './families/zfsRecords'
import type { Reduction } from './optionsDocument'
import type { Variant } from './recipes/variant'
import type { FixedBlockRow } from './surveyFigures'

const SECTORS = [512, 4096] as const

/**
 * The result of every reduction of a source on a disk, one row for each: size, duration, and the
 * memory of its table of blocks where it has one. Pools of ZFS have a row for each size of sectors.
 * @param variants all that the survey knows (`allVariants`)
 */
export function reductionsOf(facts: OptionFacts, variants: readonly Variant[]): Reduction[] {
  const rowOf = (variant: Variant, sectorBytes: number | null): Reduction => {
    const { bytes, buildSeconds } = composeOption(facts, variant, DISK_FACTS, {
      encryption: 'none',
      protection: 0,
    }).estimate
    const table = tableOf(facts, variant, sectorBytes)
    return { variant: variant.name, title: variant.title, sectorBytes, bytes, buildSeconds, table }
  }
  return [
    ...variants.filter(({ family }) => family !== 'zfs').map((variant) => rowOf(variant, null)),
    ...SECTORS.flatMap((sectorBytes) =>
      zfsVariants(facts, sectorBytes).map((variant) => rowOf(variant, sectorBytes)),
    ),
  ]
}

/**
 * The table with an entry for each block, and with one for each different block; null where there
 * is none.
 */
function tableOf(
  { survey, tableEntryBytes }: OptionFacts,
  variant: Variant,
  sectorBytes: number | null,
): Reduction['table'] {
  const { recipe } = variant
  if (recipe.family !== 'blocks' && !(recipe.family === 'zfs' && recipe.deduplicates)) return null
  const blocks = survey.fixedBlocks.find(({ blockSize }) => blockSize === variant.recordBytes)
  if (!blocks) return null
  const { codec } = variant
  const packed =
    codec === null ? undefined : recordsOnce(survey, 'zfs', codec, blocks.blockSize, sectorBytes ?? 1)
  const basis = said`${tableEntryBytes} bytes for each distinct block`
  const distinct = packed
    ? estimateOf(
        { value: packed.tableEntries, low: packed.tableEntriesLow, high: packed.tableEntriesHigh },
        'modelled',
        basis,
      )
    : countedBlocks(blocks, basis)
  return {
    allBytes: blocks.blocks * tableEntryBytes,
    distinctBytes: scaled(distinct, tableEntryBytes, basis),
  }
}

function countedBlocks(row: FixedBlockRow, basis: string): Estimate {
  if (row.exact) return exact(row.uniqueBlocks, basis)
  const each = row.uniqueBytes > 0 ? row.uniqueBlocks / row.uniqueBytes : 0
  return estimateOf(
    { value: row.uniqueBlocks, low: row.low * each, high: row.high * each },
    'measured',
    basis,
  )
}
