import { OPTION_FIGURES, type Option, type OptionsDocument } from '../../contract/dto/options'
import { goalWord } from '../../domain/project/project'
import { AppError } from '../../primitives/appError'
import type { Estimate, Provenance } from '../../primitives/estimate'
import { pathForDisplay } from '../../primitives/pathText'
import { formatCount, formatCounted, formatShare } from '../../primitives/quantity'
import { formatDuration, formatForecast, formatSpan, shortForecast } from '../../primitives/spokenTime'
import { formatSize, formatSizeRange } from '../shape/sizes'
import { textTable } from '../shape/textTable'
import type { Terminal } from '../terminal'
import { useLines } from './optionUse'

export const MARKS: Readonly<Record<Provenance, string>> = {
  measured: '●',
  modelled: '◐',
  assumed: '○',
  exact: '■',
}

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
  const header = [
    'option',
    'size',
    '95 %',
    'share',
    'volumes',
    'to make',
    'to restore',
    'one file',
    'memory',
    'in use',
    '',
  ]
  const rows = options.map((option) => cells(option, source.bytes))
  out.line()
  out.lines(textTable(header, rows, [1, 2, 3, 4, 5, 6, 7, 8, 9]), '  ')
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
    out.lines(
      textTable(
        ['goal', 'option'],
        presets.map(({ goal, id }) => [goalWord(goal), id]),
        [],
      ),
      '  ',
    )
  }
  for (const each of advice) out.note(`! ${adviceText(each)}`)
}

function cells(option: Option, sourceBytes: number): string[] {
  const { id, estimate } = option
  const { bytes, volumes, buildSeconds, writeSeconds, restoreSeconds, fetchSeconds, ramBytes, useRamBytes } =
    estimate
  return [
    id,
    `${formatSize(bytes.value)} ${MARKS[bytes.provenance]}`,
    bytes.low === bytes.high ? 'exact' : formatSizeRange(bytes.value, bytes.low, bytes.high),
    sourceBytes > 0 ? formatShare(bytes.value / sourceBytes) : '',
    volumes.low === volumes.high
      ? formatCount(Math.round(volumes.value))
      : `${formatCount(Math.round(volumes.low))}–${formatCount(Math.round(volumes.high))}`,
    `${shortForecast(buildSeconds.value + writeSeconds.value)} ${MARKS[buildSeconds.provenance]}`,
    `${shortForecast(restoreSeconds.value)} ${MARKS[restoreSeconds.provenance]}`,
    shortForecast(fetchSeconds.value),
    `${formatSize(ramBytes.value)} ${MARKS[ramBytes.provenance]}`,
    formatSize(useRamBytes.value),
    remark(option),
  ]
}

function remark({ breaks, beatenBy, here }: Option): string {
  if (breaks.length > 0) return `exceeds limits: ${breaks.join(', ')}`
  if (here.can === 'build' || here.can === 'forecast')
    return `not recommended: ${here.because ?? 'only forecast'}`
  return beatenBy ? `beaten: ${beatenBy.because}` : ''
}

/** Everything about one option. @throws AppError `usage` for one that is not there */
export function explainOption(document: OptionsDocument, id: string, out: Terminal): void {
  const option =
    document.options.find((each) => each.id === id) ?? document.options.find((each) => each.variant === id)
  if (!option) throw new AppError('usage', `no option "${id}": stowage options --all lists them`)
  out.line(`${option.id}: ${option.name}, on ${option.mediumName}`)
  out.line()
  const rows = OPTION_FIGURES.map((figure) => {
    const estimate = option.estimate[figure]
    return [
      figureName(figure),
      figureText(figure, estimate.value),
      rangeText(figure, estimate),
      basisText(estimate),
    ]
  })
  out.lines(textTable(['figure', 'value', '95 %', 'source'], rows, [1]), '  ')
  out.line()
  out.lines(useLines(option), '  ')
  for (const { text } of option.risks) out.line(`  ! ${text}`)
  out.lines(option.notes, '  ')
  if (option.breaks.length > 0) out.line(`  It exceeds these limits: ${option.breaks.join(', ')}.`)
  if (option.beatenBy) out.line(`  Dominated: ${option.beatenBy.because}.`)
  if (option.pareto) out.line('  No option dominates it (Pareto-optimal).')
  if (option.build.possible)
    out.line(
      `  To build it here: stowage options build ${option.variant} --survey ${document.surveyId} --out PATH`,
    )
  else if (option.plan.form === 'macImage')
    out.line(
      `  A Mac builds it: stowage plan --survey ${document.surveyId} --option ${option.id} --out FOLDER`,
    )
}

function basisText({ provenance, basis }: Estimate): string {
  return `${MARKS[provenance]} ${basis}`
}

const NAMES: Readonly<Record<(typeof OPTION_FIGURES)[number], string>> = {
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

function figureName(figure: (typeof OPTION_FIGURES)[number]): string {
  return NAMES[figure]
}

/** A forecast of a figure; its actual one is shown by `actualText`. */
export function figureText(figure: (typeof OPTION_FIGURES)[number], value: number): string {
  if (figure.endsWith('Seconds')) return formatForecast(value)
  if (figure === 'volumes' || figure === 'storedFiles') return formatCount(Math.round(value))
  return formatSize(value)
}

export function actualText(figure: (typeof OPTION_FIGURES)[number], value: number): string {
  return figure.endsWith('Seconds') ? formatDuration(value * 1000) : figureText(figure, value)
}

export function rangeText(
  figure: (typeof OPTION_FIGURES)[number],
  { low, high }: Pick<Estimate, 'low' | 'high'>,
): string {
  if (low === high) return 'exact'
  if (figure.endsWith('Seconds')) return formatSpan({ low, high })
  return `${figureText(figure, low)} to ${figureText(figure, high)}`
}

/** Every option with every figure, value and range. */
export function* optionsCsv(document: OptionsDocument): Iterable<string> {
  const figures = OPTION_FIGURES.flatMap((name) => [name, `${name}Low`, `${name}High`, `${name}Provenance`])
  yield `${['id', 'name', 'container', 'reduction', 'medium', ...figures, 'portability', 'pareto', 'beatenBy', 'breaks'].join(',')}\n`
  for (const option of document.options) {
    const numbers = OPTION_FIGURES.flatMap((name) => {
      const { value, low, high, provenance } = option.estimate[name]
      return [value, low, high, provenance]
    })
    const { id, name, container, reduction, medium, portability, pareto, beatenBy, breaks } = option
    const words = [id, name, container, reduction, medium]
    const row = [...words, ...numbers, portability, pareto, beatenBy?.id ?? '', breaks.join(' ')]
    yield `${row.map((cell) => csvCell(String(cell))).join(',')}\n`
  }
}

/** RFC 4180. */
export function csvCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
