import { type Estimate, exact } from '../../../primitives/estimate'
import { formatCounted } from '../../../primitives/quantity'
import { said } from '../../../primitives/said'
import { TORRENT7Z_LEAST_DICTIONARY } from '../../forecast/torrent7z'
import { GROUPINGS } from '../../survey/surveyDocument'
import { countedNear, streamWork } from '../cost/codecTimes'
import { sumTogether } from '../cost/estimateParts'
import { workTime } from '../cost/rates'
import { type SevenZipRest, sevenZip } from '../cost/sevenZipVariant'
import type { OptionFacts } from '../facts'
import { PACKED_LAYOUTS, type RecipeOf } from '../recipes/recipe'
import type { OptionFamily, Variant } from '../recipes/variant'
import { forecastOf, type GroupedRow, newBytes, patternedBytes } from '../surveyFigures'
import { TORRENT7Z_NOTE, torrent7zBytes } from './torrent7z'

/** As large as the best level has it; an archive uses as much of it as it holds. */
const DICTIONARY_BYTES = 256 * 1024 * 1024

/** The archives of a recipe. */
type By = RecipeOf<'seven-zip-merged'>['by']

const TITLES = {
  titles: said`One solid 7z for each title`,
  groups: said`One solid 7z for each group of files that share data`,
  dat: said`One solid 7z for each parent with its clones, by DATs`,
  split: said`One solid 7z for each ROM set without what its parent has, by DATs`,
  nonmerged: said`One solid 7z for each non-merged ROM set, by DATs`,
  sets: said`One 7z for each ROM set by torrent7z’s rules, by DATs`,
} as const satisfies Record<By, string>

const UNKNOWN = said`A file that no DAT knows is in an archive of its own.`

const NOTES: Readonly<Record<By, readonly string[]>> = {
  titles: [said`A title is the part of a name before the first " (" or " [", as in GoodMerge.`],
  groups: [],
  dat: [UNKNOWN],
  split: [UNKNOWN],
  nonmerged: [UNKNOWN],
  sets: [UNKNOWN, TORRENT7Z_NOTE],
}

/**
 * Many solid archives: one for each title and folder, as GoodMerge makes them, for each group of
 * files that share data, for each parent with its clones, or for each ROM set.
 */
export const sevenZipMergedFamily: OptionFamily = {
  variants: (facts) =>
    mergedRows(facts).map(({ row, by }) =>
      mergedVariant(facts, row, {
        recipe: { family: 'seven-zip-merged', by },
        title: TITLES[by],
        reduction: 'solid',
        storedFiles: exact(row.archives, said`the groups, counted`),
        notes: groupNotes(by, facts),
        ...(by === 'sets'
          ? { codec: 'lzma-t7z', storedBytes: torrent7zBytes(forecastOf(withShorter(facts, row), BASIS)) }
          : { storedBytes: forecastOf(row, BASIS) }),
      }),
    ),
}

const BASIS = said`the forecast of a solid archive for each group`

/**
 * The row of ROM sets with the range of all dictionaries, of which torrent7z has a short one for
 * some archives.
 */
export function withShorter({ survey }: OptionFacts, row: GroupedRow): GroupedRow {
  if (row.largestBytes <= TORRENT7Z_LEAST_DICTIONARY) return row
  const rows = survey.grouped.filter(({ by, codec }) => by === row.by && codec === row.codec)
  const shortest = rows.reduce(
    (least, one) => (one.dictionaryBytes < least.dictionaryBytes ? one : least),
    row,
  )
  return { ...row, high: Math.max(row.high, shortest.high) }
}

/**
 * One row of each way to group: that of the largest dictionary, as an archive has only as much of
 * it as it holds.
 */
export function groupedRows({ survey }: OptionFacts): GroupedRow[] {
  return GROUPINGS.flatMap((by) => {
    const rows = survey.grouped.filter((row) => row.by === by && row.codec === 'lzma2-9' && row.archives > 0)
    return rows.toSorted((one, other) => other.dictionaryBytes - one.dictionaryBytes).slice(0, 1)
  })
}

/** A row of groups, and how recipes pack each group. */
export interface MergedRow {
  readonly row: GroupedRow
  readonly by: By
}

/**
 * The rows with each way to pack their groups: ROM sets by torrent7z's rules, and by the best level
 * where all DATs lay them out in one way, and not with their clones.
 */
export function mergedRows(facts: OptionFacts): MergedRow[] {
  const best = (['split', 'nonmerged'] as const).find((by) => PACKED_LAYOUTS[by] === facts.survey.romLayout)
  return groupedRows(facts).flatMap((row): MergedRow[] => {
    const own: MergedRow = { row, by: row.by }
    return row.by === 'sets' && best ? [{ row, by: best }, own] : [own]
  })
}

/**
 * The common part of all merged archives: each holds a group, and its memory is that of the
 * largest.
 */
export function mergedVariant(facts: OptionFacts, row: GroupedRow, rest: SevenZipRest): Variant {
  const { survey } = facts
  const mean = survey.totals.bytes / Math.max(1, row.archives)
  const archives = {
    dictionaryBytes: DICTIONARY_BYTES,
    streamBytes: row.largestBytes,
    meanStreamBytes: mean,
    files: survey.totals.files / Math.max(1, row.archives),
    packSeconds: mergedSeconds(facts, row),
  }
  return sevenZip(facts, archives, {
    largestPieceBytes: row.largestBytes,
    unpackThreads: Math.min(facts.machine.cores, row.archives),
    ...rest,
  })
}

function mergedSeconds({ survey, machine }: OptionFacts, row: GroupedRow): Estimate {
  const basis = said`CPU time of LZMA on each group, and starting the program for each archive`
  const starts = workTime('7z.start', { container: row.archives }, machine)
  const rows = survey.grouped.filter(({ by, codec }) => by === row.by && codec === row.codec)
  const { bytes } = survey.totals
  const uncounted = { newBytes: newBytes(survey), zeroBytes: bytes - patternedBytes(survey) }
  const stream = { ...(countedNear(rows) ?? uncounted), window: bytes / Math.max(1, row.archives) }
  return sumTogether([streamWork(survey, 'lzma2-9', stream, machine), starts], basis)
}

export function groupNotes(by: By, { survey: { lentFiles } }: OptionFacts): string[] {
  const lent = by === 'nonmerged' && lentFiles > 0 ? [lentNote(lentFiles)] : []
  return [...NOTES[by], ...lent]
}

/** A note on files that ROM sets need and that are packed with another one. */
export function lentNote(files: number): string {
  return said`Found with another ROM set alone, and packed there: ${formatCounted(files, 'file')} that ROM sets need.`
}
