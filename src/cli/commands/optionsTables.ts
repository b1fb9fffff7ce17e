import type { OptionsDocument, Reduction } from '../../contract/dto/options'
import { goalWord } from '../../domain/project/project'
import { formatBlockSize, formatShare } from '../../primitives/quantity'
import { shortForecast } from '../../primitives/spokenTime'
import type { NamedTable } from '../shape/namedTables'
import { formatSize, formatSizeRange } from '../shape/sizes'
import { textTable } from '../shape/textTable'
import { wrapped } from '../shape/wrapped'
import { candidateLines } from './candidates'
import { MARKS } from './optionsReport'
import type { OptionsView } from './optionsView'

/** The tables of `options --table NAME`. */
export const OPTIONS_TABLES: Readonly<Record<string, NamedTable<OptionsView>>> = {
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
  return tables.flatMap((table) => [''].concat(goalTable(table))).slice(1)
}

interface GoalTable {
  readonly title: string
  readonly rows: readonly Pick<OptionsDocument['recommended'][number], 'goal' | 'id' | 'because'>[]
}

function goalTable({ title, rows }: GoalTable): string[] {
  if (rows.length === 0) return [`No option meets the limits on ${title}.`]
  const cells = rows.map(({ goal, id }) => [goalWord(goal), id])
  const reasons = rows.flatMap(({ goal, because }) => wrapped(`${goalWord(goal)}: ${because}`, '  '))
  return textTable([title, 'option'], cells, []).concat(reasons)
}

/**
 * Size, share, time and rate as DedupStat's author listed them, smallest first; then the memory of
 * the table of blocks.
 */
function reductionLines(reductions: readonly Reduction[], sourceBytes: number): string[] {
  if (reductions.length === 0 || sourceBytes === 0) return ['There is nothing to reduce.']
  const rows = reductions
    .toSorted((one, other) => one.bytes.value - other.bytes.value)
    .map(({ variant, sectorBytes, bytes, buildSeconds, table }) => {
      const seconds = buildSeconds.value
      return [
        variant,
        sectorBytes === null ? '' : formatBlockSize(sectorBytes),
        `${formatSize(bytes.value)} (${formatSizeRange(bytes.value, bytes.low, bytes.high)}) ${MARKS[bytes.provenance]}`,
        formatShare(bytes.value / sourceBytes),
        shortForecast(seconds),
        seconds > 0 ? (sourceBytes / seconds / 1e6).toPrecision(3) : '',
        table === null ? '' : `${formatSize(table.distinctBytes.value)} of ${formatSize(table.allBytes)}`,
      ]
    })
  return [
    `${formatSize(sourceBytes)} on a disk, by every reduction:`,
    '',
    ...textTable(['reduction', 'sectors', 'size', 'share', 'time', 'MB/s', 'table'], rows, [1, 2, 3, 4, 5]),
    '',
    '● measured  ◐ modelled  ○ assumed  ■ exact; share: stored / original size',
    'table: memory of the deduplication table for distinct blocks, of that for all blocks',
    'Other blocks and ZFS records are counted on request: survey --block-size 512 --block-size 16MiB',
  ]
}
