import {
  OPTION_FIGURES,
  type Option,
  type OptionFigure,
  type OptionsDocument,
} from '../../contract/dto/options'
import type { TableColumn } from '../../contract/tables/declaredTable'
import { figureText, optionTable, rangeText } from '../../contract/tables/optionTables'
import { goalWord } from '../../domain/project/project'
import { AppError } from '../../primitives/appError'
import { pathForDisplay } from '../../primitives/pathText'
import { formatCounted } from '../../primitives/quantity'
import { csvLines } from '../shape/csvLines'
import { MARKS } from '../shape/marks'
import { shellWord } from '../shape/nextCommand'
import { formatSize } from '../shape/sizes'
import { ownTableLines, tableLines } from '../shape/tableLines'
import type { Terminal } from '../terminal'
import { useLines } from './optionUse'

/** Advice with the command that follows it. */
export function adviceText({ code, text }: OptionsDocument['advice'][number]): string {
  return code === 'noProfile' ? `${text.replace(/\.$/, '')}: stowage measure FOLDER` : text
}

/** Every option with its figures, and why it is not among the trade-offs. */
export function printOptions(document: OptionsDocument, out: Terminal): void {
  const { source, options, chosen, presets, impossible, advice } = document
  out.line(
    `Options for ${source.roots.map(pathForDisplay).join(', ')}: ${formatCounted(source.files, 'file')}, ${formatSize(source.bytes)}`,
  )
  out.line()
  out.lines(tableLines(optionTable(source.bytes), ALL_COLUMNS, options), '  ')
  out.line(
    `  ${Object.entries(MARKS)
      .map(([name, mark]) => `${mark} ${name}`)
      .join('  ')}; times have ranges too: --explain ID`,
  )
  out.line()
  if (chosen) out.line(`  ${chosen.id}: ${chosen.because}`)
  if (impossible) {
    out.line(`  No option meets these limits: ${impossible.because}.`)
    if (impossible.nearest) out.line(`  The nearest option is ${impossible.nearest}. To allow it:`)
    for (const { text } of impossible.relax) out.line(`    - ${text}`)
  }
  if (presets.length > 0) {
    out.line()
    out.lines(goalTable('goal', presets), '  ')
  }
  for (const each of advice) out.note(`! ${adviceText(each)}`)
}

const ALL_COLUMNS = [
  'id',
  'bytes',
  'range',
  'share',
  'volumes',
  'make',
  'restoreSeconds',
  'fetchSeconds',
  'ramBytes',
  'useRamBytes',
  'standing',
] as const

/** The best option for each goal. */
export function goalTable(
  title: string,
  rows: readonly Pick<OptionsDocument['recommended'][number], 'goal' | 'id'>[],
): string[] {
  const columns: readonly TableColumn<(typeof rows)[number], string>[] = [
    { heading: title, kind: 'words', of: ({ goal }) => goalWord(goal) },
    { heading: 'option', kind: 'code', of: ({ id }) => id },
  ]
  return ownTableLines(columns, rows)
}

/** Everything about one option. @throws AppError `usage` for one that is not there */
export function explainOption(document: OptionsDocument, id: string, out: Terminal): void {
  const option =
    document.options.find((each) => each.id === id) ?? document.options.find((each) => each.variant === id)
  if (!option) throw new AppError('usage', `no option "${id}": stowage options --all lists them`)
  out.line(`${option.id}: ${option.name}, on ${option.mediumName}`)
  out.line()
  out.lines(ownTableLines(figureColumns(option), OPTION_FIGURES), '  ')
  out.line()
  out.lines(useLines(option), '  ')
  for (const { text } of option.risks) out.line(`  ! ${text}`)
  out.lines(option.notes, '  ')
  if (option.breaks.length > 0) out.line(`  It exceeds these limits: ${option.breaks.join(', ')}.`)
  if (option.beatenBy) out.line(`  Dominated: ${option.beatenBy.because}.`)
  if (option.pareto) out.line('  No option dominates it (Pareto-optimal).')
  if (document.preliminary) out.line('  Only from a survey is it built or planned.')
  else if (option.build.possible)
    out.line(
      `  To build it here: stowage options build ${shellWord(option.variant)} --survey ${document.surveyId} --out PATH`,
    )
  else if (option.plan.form === 'macImage')
    out.line(
      `  A Mac builds it: stowage plan --survey ${document.surveyId} --option ${option.id} --out FOLDER`,
    )
}

function figureColumns({ estimate }: Option): readonly TableColumn<OptionFigure, string>[] {
  return [
    { heading: 'figure', kind: 'words', of: (figure) => NAMES[figure] },
    {
      heading: 'value',
      kind: 'count',
      of: (figure) => estimate[figure].value,
      text: (figure, size) => figureText(figure, estimate[figure].value, size),
    },
    { heading: '95 %', kind: 'words', of: (figure, size) => rangeText(figure, estimate[figure], size) },
    {
      heading: 'source',
      kind: 'words',
      of: (figure) => `${MARKS[estimate[figure].provenance]} ${estimate[figure].basis}`,
    },
  ]
}

const NAMES: Readonly<Record<OptionFigure, string>> = {
  bytes: 'size',
  volumes: 'volumes',
  buildSeconds: 'to build',
  writeSeconds: 'to write',
  verifySeconds: 'to verify',
  restoreSeconds: 'to restore all',
  fetchSeconds: 'to fetch one file',
  ramBytes: 'memory to build',
  useRamBytes: 'memory in use',
  cpuSeconds: 'CPU time',
  storedFiles: 'files stored',
}

const CSV_COLUMNS = [
  'id',
  'name',
  'container',
  'reduction',
  'medium',
  ...OPTION_FIGURES,
  'portability',
  'pareto',
  'beaten_by',
  'breaks',
] as const

/** Every option with every figure, value and range. */
export function optionsCsv(document: OptionsDocument): Iterable<string> {
  return csvLines(optionTable(document.source.bytes), CSV_COLUMNS, document.options)
}
