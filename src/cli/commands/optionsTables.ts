import type { OptionsDocument, Reduction } from '../../contract/dto/options'
import type { TableColumn } from '../../contract/tables/declaredTable'
import { recipeCode, recipeText } from '../../domain/options/recipes/byFolder'
import { goalWord } from '../../domain/project/project'
import type { OPTIONS_TABLE_NAMES } from '../declarations/options'
import type { NamedTable } from '../shape/namedTables'
import { formatSize, formatSizeRange } from '../shape/sizes'
import { ownTableLines } from '../shape/tableLines'
import { wrapped } from '../shape/wrapped'
import { candidateLines } from './candidates'
import { goalTable } from './optionsReport'
import type { OptionsView } from './optionsView'

/** The tables of `options --table NAME`. */
export const OPTIONS_TABLES: Readonly<Record<(typeof OPTIONS_TABLE_NAMES)[number], NamedTable<OptionsView>>> =
  {
    candidates: candidateLines,

    reductions: ({ document }) => reductionLines(document.reductions ?? [], document.source.bytes),

    goals: ({ document }) => goalLines(document),
  }

/** The best option for every goal on each medium; with several media also the best of all. */
function goalLines({ request, options, recommended, presets }: OptionsDocument): string[] {
  if (presets.length === 0) return ['No option meets the limits, so there is none for any goal.']
  const media = request.mediumIds.map((medium) => ({
    title: options.find((option) => option.medium === medium)?.mediumName ?? medium,
    rows: recommended.filter((each) => each.medium === medium && each.goal !== 'own'),
  }))
  const all = media.length === 1 ? [] : [{ title: 'All media', rows: presets }]
  const tables: readonly GoalTable[] = [...media, ...all]
  return tables.flatMap((table) => [''].concat(goalLinesOn(table))).slice(1)
}

interface GoalTable {
  readonly title: string
  readonly rows: readonly Pick<OptionsDocument['recommended'][number], 'goal' | 'id' | 'because'>[]
}

function goalLinesOn({ title, rows }: GoalTable): string[] {
  if (rows.length === 0) return [`No option meets the limits on ${title}.`]
  const reasons = rows.flatMap(({ goal, because }) => wrapped(`${goalWord(goal)}: ${because}`, '  '))
  return goalTable(title, rows).concat(reasons)
}

/**
 * Size, share, time and rate as DedupStat's author listed them, smallest first; then the memory of
 * the table of blocks.
 */
function reductionLines(reductions: readonly Reduction[], sourceBytes: number): string[] {
  if (reductions.length === 0 || sourceBytes === 0) return ['There is nothing to reduce.']
  const rows = reductions.toSorted((one, other) => one.bytes.value - other.bytes.value)
  return [
    `${formatSize(sourceBytes)} on a disk, by every reduction:`,
    '',
    ...ownTableLines(reductionColumns(sourceBytes), rows),
    '',
    ...rows.flatMap(({ variant }) =>
      recipeCode(variant) === variant ? [] : wrapped(`by-folder: ${recipeText(variant)}`, '  '),
    ),
    '● measured  ◐ modelled  ○ assumed  ■ exact; share: stored / original size',
    'table: memory of the deduplication table for distinct blocks, of that for all blocks',
    'Other blocks and ZFS records are counted on request: survey --block-size 512 --block-size 16MiB',
  ]
}

function reductionColumns(sourceBytes: number): readonly TableColumn<Reduction, string>[] {
  return [
    { heading: 'reduction', kind: 'code', of: ({ variant }) => recipeCode(variant) },
    { heading: 'sectors', kind: 'blockSize', of: ({ sectorBytes }) => sectorBytes },
    {
      heading: 'size',
      kind: 'bytes',
      of: ({ bytes }) => bytes.value,
      text: ({ bytes: { value, low, high } }) =>
        `${formatSize(value)} (${formatSizeRange(value, low, high)})`,
      mark: ({ bytes }) => bytes.provenance,
    },
    { heading: 'share', kind: 'share', of: ({ bytes }) => bytes.value / sourceBytes },
    { heading: 'time', kind: 'forecast', of: ({ buildSeconds }) => buildSeconds.value },
    {
      heading: 'MB/s',
      kind: 'count',
      of: ({ buildSeconds: { value } }) => (value > 0 ? sourceBytes / value / 1e6 : null),
      text: ({ buildSeconds: { value } }) => (value > 0 ? (sourceBytes / value / 1e6).toPrecision(3) : null),
    },
    {
      heading: 'table',
      kind: 'words',
      of: ({ table }) =>
        table === null ? '' : `${formatSize(table.distinctBytes.value)} of ${formatSize(table.allBytes)}`,
    },
  ]
}
