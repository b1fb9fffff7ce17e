import { type Estimate, exact } from '../../../primitives/estimate'
import { said } from '../../../primitives/said'
import { GROUPINGS, type GroupedBy } from '../../survey/surveyDocument'
import { countedNear, streamWork } from '../cost/codecTimes'
import { sumTogether } from '../cost/estimateParts'
import { workTime } from '../cost/rates'
import { type SevenZipRest, sevenZip } from '../cost/sevenZipVariant'
import type { OptionFacts } from '../facts'
import type { OptionFamily, Variant } from '../recipes/variant'
import { forecastOf, type GroupedRow, newBytes, patternedBytes } from '../surveyFigures'

/** As large as the best level has it; an archive uses as much of it as it holds. */
const DICTIONARY_BYTES = 256 * 1024 * 1024

const TITLES = {
  titles: said`One solid 7z for each title`,
  groups: said`One solid 7z for each group of files that share data`,
  dat: said`One solid 7z for each parent with its clones, by DATs`,
} as const satisfies Record<GroupedBy, string>

const NOTES: Readonly<Record<GroupedBy, readonly string[]>> = {
  titles: [said`A title is the part of a name before the first " (" or " [", as in GoodMerge.`],
  groups: [],
  dat: [said`A file that no DAT knows is in an archive of its own.`],
}

/**
 * Many solid archives: one for each title and folder, as GoodMerge makes them, for each group of
 * files that share data, or for each parent with its clones.
 */
export const sevenZipMergedFamily: OptionFamily = {
  variants: (facts) =>
    groupedRows(facts).map((row) =>
      mergedVariant(facts, row, {
        recipe: { family: 'seven-zip-merged', by: row.by },
        title: TITLES[row.by],
        reduction: 'solid',
        storedBytes: forecastOf(row, said`the forecast of a solid archive for each group`),
        storedFiles: exact(row.archives, said`the groups, counted`),
        notes: groupNotes(row),
      }),
    ),
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

export function groupNotes({ by }: GroupedRow): string[] {
  return [...NOTES[by]]
}
