import { type Estimate, exact } from '../../../primitives/estimate'
import { formatBlockSize } from '../../../primitives/quantity'
import { said } from '../../../primitives/said'
import { estimateOf, largest, sum, sumTogether, within } from '../cost/estimateParts'
import { workTime } from '../cost/rates'
import type { OptionFacts } from '../facts'
import { PROOF_READERS, RISKS } from '../recipes/readers'
import type { RecipeOf } from '../recipes/recipe'
import type { OptionFamily, Variant } from '../recipes/variant'
import { type GroupedRow, meanFileBytes, patternedBytes } from '../surveyFigures'
import { storeBytes } from './blocks'
import { groupNotes, type MergedRow, mergedRows, mergedVariant, withShorter } from './sevenZipMerged'
import { torrent7zBytes } from './torrent7z'

const BLOCK_SIZES = [2, 4, 128].map((kibibytes) => kibibytes * 1024)

/**
 * Archives whose first files are equal begin with the same packed data, which blocks find: all but
 * the first block, which holds the header, and on average half of the last. Beyond that packed data
 * has no pattern.
 */
const BLOCKS_AT_ENDS = 1.5
/**
 * How far off what blocks share may be, as a share of it: the encoder looks ahead, and a longer
 * archive has a larger dictionary.
 */
const SHARED_ERROR = 0.15

/**
 * The share of the archives of ROM sets that small blocks save beyond equal first files: clones
 * begin as their parents do until the first byte that differs. Nothing to 15 % was seen of eight
 * collections (groupedByDats.ts); of archives that hold a family together, nothing.
 */
const ALIKE_UNTIL_CHANGED = { value: 0.06, low: 0.15 }
const SMALL_BLOCK = 16 * 1024

/**
 * LZMA2 keeps what it cannot compress as it is, at the places that it has in the file: blocks find
 * it as they find it in files. It is all of an archive that hardly gets smaller (two made-up
 * collections of packed games shrank by 2 %, and blocks saved 26 and 31 % of their archives), and
 * nothing of one that gets smaller by a tenth; for the range, by a fifth.
 */
const KEPT_FROM = { value: 0.9, low: 0.8 }
const KEPT_TO = 0.98

/**
 * The archives of titles, of parents with their clones and of ROM sets, of which those that are
 * equal are stored once: as files, or by their blocks.
 */
export const sevenZipBlocksFamily: OptionFamily = {
  variants(facts) {
    return mergedRows(facts).flatMap(({ row, by }) => (isBlocked(by) ? variantsOf(facts, row, by) : []))
  },
}

type By = RecipeOf<'seven-zip-blocks'>['by']

interface Titles {
  readonly once: string
  inBlocks(size: string): string
}

const OF_SETS: Titles = {
  once: said`One solid 7z for each ROM set, duplicate archives once`,
  inBlocks: (size) => said`One solid 7z for each ROM set, deduplicated in blocks of ${size}`,
}

const TITLES: Readonly<Record<By, Titles>> = {
  titles: {
    once: said`One solid 7z for each title, duplicate archives once`,
    inBlocks: (size) => said`One solid 7z for each title, deduplicated in blocks of ${size}`,
  },
  dat: {
    once: said`One solid 7z for each parent with its clones, duplicate archives once`,
    inBlocks: (size) => said`One solid 7z for each parent with its clones, deduplicated in blocks of ${size}`,
  },
  split: OF_SETS,
  nonmerged: OF_SETS,
  sets: {
    once: said`One torrent7z archive for each ROM set, duplicate archives once`,
    inBlocks: (size) => said`One torrent7z archive for each ROM set, deduplicated in blocks of ${size}`,
  },
}

function isBlocked(by: MergedRow['by']): by is By {
  return Object.hasOwn(TITLES, by)
}

function variantsOf(facts: OptionFacts, row: GroupedRow, by: By): Variant[] {
  const distinct = by === 'sets' ? torrent7zBytes(distinctBytes(withShorter(facts, row))) : distinctBytes(row)
  const base = {
    reduction: 'solid',
    notes: groupNotes(by, facts),
    // Encrypted archives of equal files differ: nothing would be stored once.
    encryption: null,
    ...(by === 'sets' && { codec: 'lzma-t7z' }),
  }
  const files = mergedVariant(facts, row, {
    ...base,
    recipe: { family: 'seven-zip-blocks', by, blockBytes: null },
    title: TITLES[by].once,
    storedBytes: distinct,
    storedFiles: exact(row.archives, said`the groups, counted`),
  })
  return [
    withComparing(files, row.archives),
    ...BLOCK_SIZES.map((blockBytes) =>
      withComparing(blocksVariant(facts, { row, by }, distinct, blockBytes, base), row.archives),
    ),
  ]
}

/**
 * Stowage's own memory while it compares what was packed: 56 MB were seen of 2,256 archives, 130 of
 * 8,000.
 */
const COMPARING_RAM = 20e6
const COMPARED_RAM = 14e3
const COMPARING_RAM_ERROR = 0.5

function withComparing(variant: Variant, archives: number): Variant {
  const bytes = COMPARING_RAM + archives * COMPARED_RAM
  const own = within(bytes, COMPARING_RAM_ERROR, 'modelled', said`comparing what was packed`)
  const basis = said`${variant.packRamBytes.basis}; or comparing what was packed`
  return { ...variant, packRamBytes: largest([variant.packRamBytes, own], basis) }
}

function blocksVariant(
  facts: OptionFacts,
  { row, by }: { readonly row: GroupedRow; readonly by: By },
  distinct: Estimate,
  blockBytes: number,
  base: Pick<Variant, 'reduction' | 'notes' | 'encryption'>,
): Variant {
  const { survey, machine } = facts
  const each = row.archives > 0 ? row.predictedBytes / row.archives : 0
  const blocks = row.predictedBytes / blockBytes + row.archives / 2
  const saved = sharedBytes(row, blockBytes)
  const kept =
    by === 'split' || by === 'nonmerged' ? keptSavings(facts, row, blockBytes) : { value: 0, low: 0 }
  const alike = row.by === 'sets' && blockBytes <= SMALL_BLOCK ? ALIKE_UNTIL_CHANGED : { value: 0, low: 0 }
  const unique = (distinct.value - saved) / blockBytes + row.distinctArchives / 2
  const name = survey.pathBytes
  const table = { blocks, uniqueBlocks: unique, files: row.archives, pathBytes: row.archives * name }
  const basis = said`distinct archives, in blocks of ${formatBlockSize(blockBytes)}, and the table of blocks`
  const shared = estimateOf(
    {
      value: Math.min(distinct.value * (1 - alike.value) - saved, distinct.value * (1 - kept.value)),
      low: Math.min(
        Math.max(0, distinct.low * (1 - alike.low) - saved * (1 + SHARED_ERROR)),
        distinct.low * (1 - kept.low),
      ),
      high: distinct.high - saved * (1 - SHARED_ERROR),
    },
    'modelled',
    basis,
  )
  const merged = mergedVariant(facts, row, {
    ...base,
    recipe: { family: 'seven-zip-blocks', by, blockBytes },
    title: TITLES[by].inBlocks(formatBlockSize(blockBytes)),
    recordBytes: blockBytes,
    reduction: 'blocks+compression',
    storedBytes: sum([shared, storeBytes(table, 'modelled')], basis),
    storedFiles: exact(2, said`blocks and their index`),
    largestPieceBytes: 0,
    risks: [RISKS.indexLoss, RISKS.proof],
  })
  const counts = { file: 1, chunk: blocks, byte: row.predictedBytes, storedByte: distinct.value }
  const storing = workTime('blocks.pack', counts, machine)
  return {
    ...merged,
    readers: PROOF_READERS,
    packSeconds: sumTogether([merged.packSeconds, storing], merged.packSeconds.basis),
    fetchBytes: estimateOf(
      {
        value: each,
        low: Math.min(each, meanFileBytes(survey)),
        high: Math.max(each, row.largestBytes),
      },
      'modelled',
      said`the archive that the file is in`,
    ),
  }
}

/** The share of archives that blocks save, since LZMA2 kept it as it is in files. */
function keptSavings(
  { survey }: OptionFacts,
  row: GroupedRow,
  blockBytes: number,
): { readonly value: number; readonly low: number } {
  const blocks = survey.fixedBlocks.find(({ blockSize }) => blockSize === blockBytes)
  const bytes = patternedBytes(survey)
  if (!blocks || bytes <= 0) return { value: 0, low: 0 }
  const saved = Math.max(0, 1 - blocks.uniqueBytes / bytes)
  const packed = row.predictedBytes / bytes
  const keptFrom = (from: number): number => Math.min(1, Math.max(0, (packed - from) / (KEPT_TO - from)))
  return {
    // Of large blocks most hold an end of an archive, or its header.
    value: blockBytes <= SMALL_BLOCK ? saved * keptFrom(KEPT_FROM.value) : 0,
    low: saved * keptFrom(KEPT_FROM.low),
  }
}

/**
 * Bytes in blocks that archives begin with as an earlier one does; in surveys that do not know
 * them, none.
 */
function sharedBytes({ sharedStarts = [] }: GroupedRow, blockBytes: number): number {
  return sharedStarts.reduce(
    (saved, [, archives, bytes]) => saved + Math.max(0, bytes - BLOCKS_AT_ENDS * blockBytes * archives),
    0,
  )
}

function distinctBytes(row: GroupedRow): Estimate {
  const spread = (end: number): number => (row.predictedBytes > 0 ? end / row.predictedBytes : 1)
  return estimateOf(
    {
      value: row.distinctBytes,
      low: row.distinctBytes * spread(row.low),
      high: row.distinctBytes * spread(row.high),
    },
    'modelled',
    said`the forecast of a solid archive for each title; titles with the same files give the same archive`,
  )
}
