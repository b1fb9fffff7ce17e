import { costRange } from '../../contract/costText'
import { DISK_MEDIUM, type Option, type OptionsDocument } from '../../contract/dto/options'
import type { TableColumn } from '../../contract/tables/declaredTable'
import { countRange } from '../../contract/tables/optionTables'
import { recipeCode, recipeText } from '../../domain/options/recipes/byFolder'
import { unreadText } from '../../domain/survey/unreadText'
import type { Estimate } from '../../primitives/estimate'
import { formatMoney } from '../../primitives/money'
import { pathForDisplay } from '../../primitives/pathText'
import { formatCount, formatCounted } from '../../primitives/quantity'
import { formatDuration } from '../../primitives/spokenTime'
import { MARKS } from '../shape/marks'
import { formatSize, formatSizeRange } from '../shape/sizes'
import { cellText, ownTableLines } from '../shape/tableLines'
import { lineWidth, wrapped } from '../shape/wrapped'
import type { Terminal } from '../terminal'
import { alikeRows, type OptionRow } from './alikeOptions'
import { canBeMade, makeCommand } from './nextForOption'
import { adviceText } from './optionsReport'

/** Lines of the whole output, with its warnings. */
const MOST_LINES = 25
/** More media than these get one row each. */
const MOST_TABLES = 3
const LEAST_NAME = 18
/** Lines of a table with one row. */
const LEAST_TABLE = 3

/**
 * The options as a person reads them: what to choose, the best trade-offs of each medium, the
 * command that makes it.
 */
export function printOptionsSummary(document: OptionsDocument, out: Terminal): void {
  printWithin(document, { mostLines: MOST_LINES, isDraft: false }, out)
}

/** Lines of a draft on a screen whose height is not known. */
const DRAFT_LINES = 20
/** A command is shown below the draft, and the next line begins. */
const BELOW_DRAFT = 2

/**
 * The options of a look while a survey reads the source: no taller than the screen, so that the
 * survey's answer can take its place, and without what only that answer leads to.
 */
export function printDraft(document: OptionsDocument, out: Terminal): void {
  const { preliminary } = document
  if (!preliminary) return
  const { value, low, high } = preliminary.surveySeconds
  const text = (seconds: number): string => formatDuration(seconds * 1000)
  const heading = wrapped(
    `Preliminary estimate from ${formatSize(preliminary.readBytes)} of the source, without deduplication ` +
      `and solid archives. The survey takes about ${text(value)} (${text(low)} to ` +
      `${text(high)})\u00a0${MARKS[preliminary.surveySeconds.provenance]} and replaces it.`,
  )
  const rows = out.screen?.rows ?? DRAFT_LINES
  const mostLines = Math.min(MOST_LINES, rows - BELOW_DRAFT - heading.length)
  out.draft(() => {
    out.lines(heading)
    printWithin({ ...document, advice: [] }, { mostLines, isDraft: true }, out)
  })
}

function printWithin(
  document: OptionsDocument,
  { mostLines, isDraft }: { readonly mostLines: number; readonly isDraft: boolean },
  out: Terminal,
): void {
  const { source, impossible, advice, request, chosen } = document
  const roots = source.roots.map(pathForDisplay).join(', ')
  if (source.files === 0) return out.line(`${roots} holds no files, so there is nothing to store.`)
  const media = [...new Set(request.mediumIds)].map((medium) => mediumOf(document, medium))
  const bests = media.flatMap(({ best }) => (best !== null && canBeMade(best) ? [best] : []))
  const first = bests.find(({ id }) => id === chosen?.id) ?? bests[0] ?? null
  const title = `${roots}: ${sourceText(source)}`
  const foot = [
    ...folderLinesOf(document),
    '',
    ...priceLines(document),
    ...(isDraft
      ? [marksText()]
      : [...moreLines(document), legend(), '', ...(first ? makeCommand(first, document) : [])]),
  ]
  const warnings = advice.flatMap((each) => wrapped(`! ${adviceText(each)}`, '  '))
  const shown = media.filter(({ rows }) => rows.length > 0)
  const titledBy = (head: readonly string[]): string[] => [
    ...head.flatMap((line) => wrapped(line, '  ')),
    ...wrapped(`Source: ${title}`, '  '),
  ]
  const leftOf = (lines: readonly string[]): number =>
    mostLines - lines.length - foot.length - warnings.length
  const whole = titledBy(impossible ? impossibleLines(document) : conclusion(document, media))
  const isTooLong = !impossible && leftOf(whole) < LEAST_TABLE * shown.length
  const titled = isTooLong ? titledBy(conclusion(document, media, false)) : whole
  const left = leftOf(titled)
  out.lines([...titled, ...tables(shown, left)])
  if (shown.length > 0) out.lines(foot)
  out.notes(warnings)
}

/** The prices that the costs are made of. */
export function priceLines({ options }: Pick<OptionsDocument, 'options'>): string[] {
  const prices = new Set(options.flatMap(({ cost }) => cost?.price ?? []))
  const named = Array.from(
    prices,
    ({ mediumId, amount, currency, notedOn }) =>
      `${formatMoney(amount, currency)} for ${mediumId} (given on ${notedOn})`,
  )
  return named.length === 0 ? [] : wrapped(`  Cost: of one copy, at ${named.join(', ')}.`, '  ')
}

/** `3 files, 1 MB`, with what is missing where the survey was stopped early. */
function sourceText(source: OptionsDocument['source']): string {
  const read = `${formatCounted(source.files, 'file')}, ${formatSize(source.bytes)}`
  if (!source.partial) return read
  const unread = unreadText(source)
  return `${read} read before the survey was stopped${unread === null ? '' : `; ${unread}`}`
}

/**
 * The options on one medium: the best for the goal, and the trade-offs that can be made here, the
 * best first.
 */
interface MediumOptions {
  readonly name: string
  readonly best: Option | null
  /** Why it is the best; null where nothing can be recommended. */
  readonly because: string | null
  readonly rows: readonly OptionRow[]
}

function mediumOf({ options, recommended, request }: OptionsDocument, medium: string): MediumOptions {
  const here = options.filter((option) => option.medium === medium && option.breaks.length === 0)
  const ofMedium = recommended.filter((each) => each.medium === medium)
  const named = new Set(ofMedium.map(({ id }) => id))
  const chosen = ofMedium.find(({ goal }) => goal === request.goal) ?? null
  const best = here.find(({ id }) => id === chosen?.id) ?? here[0] ?? null
  const fair = here.filter((option) => option.pareto || option === best || named.has(option.id))
  const made = fair.some(canBeMade) ? fair.filter((option) => option === best || canBeMade(option)) : fair
  // The sort is stable: behind what a goal chose the order stays that of the score.
  const rankOf = (option: Option): number =>
    option === best ? 0 : named.has(option.id) ? 1 : option.pareto ? 2 : 3
  const rows = alikeRows(made.toSorted((one, other) => rankOf(one) - rankOf(other)))
  const name = options.find((option) => option.medium === medium)?.mediumName ?? medium
  return { name, best, because: chosen?.because ?? null, rows }
}

/** @param withOthers true for the reasons of the best on the other media too */
function conclusion(
  { chosen, options }: OptionsDocument,
  media: readonly MediumOptions[],
  withOthers = media.length <= MOST_TABLES,
): string[] {
  const option = options.find(({ id }) => id === chosen?.id)
  if (!chosen || !option) return ['There are no options to compare: the source holds no files.']
  const others = media.flatMap(({ best, because }) =>
    best === null || because === null || best.medium === option.medium
      ? []
      : [`On ${best.mediumName}: ${because} (${best.id})`],
  )
  const none = media.flatMap(({ name, best }) => (best === null ? [name] : []))
  return [
    `${chosen.because} (${option.id})`,
    ...(withOthers ? others : []),
    ...(none.length === 0 ? [] : [`No option meets the limits on ${none.join(', ')}.`]),
  ]
}

function impossibleLines({ impossible }: OptionsDocument): string[] {
  if (!impossible) return []
  const { because, nearest, relax } = impossible
  return [
    `No option meets these limits: ${because}.`,
    ...(nearest === null ? [] : [`The nearest option is ${nearest}. To allow it:`]),
    ...relax.map(({ text }) => `  - ${text}`),
  ]
}

function tables(media: readonly MediumOptions[], lines: number): string[] {
  if (media.length > MOST_TABLES) {
    const rows = media.flatMap(({ name, rows: [best] }) =>
      best ? [namedRow(best, `${name}: ${best.option.name}`)] : [],
    )
    return ['', ...rowTable('best on each medium', rows)]
  }
  const each = Math.max(1, Math.floor(lines / Math.max(1, media.length)) - 2)
  return media.flatMap(({ name, rows }) => [
    '',
    ...rowTable(
      name,
      rows.slice(0, each).map((row) => namedRow(row, row.option.name)),
    ),
  ])
}

interface NamedRow extends OptionRow {
  readonly name: string
}

function namedRow({ option, alike }: OptionRow, name: string): NamedRow {
  return { option, alike, name }
}

/** Columns without anything to say are left out, and names take the room that the others leave. */
function rowTable(title: string, rows: readonly NamedRow[]): string[] {
  const columns = ROW_COLUMNS.filter((column, index) => {
    const cells = rows.map((row) => cellText(column, row))
    return index === 0 || cells.some((cell) => cell !== '' && !(column === DISCS && cell === '1'))
  })
  const widths = columns.map((column) =>
    Math.max(...[column.heading, ...rows.map((row) => cellText(column, row))].map(({ length }) => length)),
  )
  const room = Math.max(LEAST_NAME, lineWidth() - 2 - widths.reduce((sum, width) => sum + width + 2, 0))
  const name: TableColumn<NamedRow, string> = {
    heading: shortened(title, room),
    kind: 'words',
    of: (row) => shortened(row.name, room),
  }
  return ownTableLines([name, ...columns], rows).map((line) => `  ${line}`)
}

const DISCS: TableColumn<NamedRow, string> = {
  heading: 'discs',
  kind: 'count',
  of: ({ option }) => option.estimate.volumes.value,
  text: ({ option }) => countRange(option.estimate.volumes),
}

const ROW_COLUMNS: readonly TableColumn<NamedRow, string>[] = [
  {
    heading: 'size',
    kind: 'bytes',
    of: ({ option }) => option.estimate.bytes.value,
    text: ({ option }) => sizeText(option.estimate.bytes),
  },
  DISCS,
  {
    heading: 'cost',
    kind: 'count',
    of: () => null,
    text: ({ option }) => (option.cost ? costRange(option.cost) : null),
  },
  {
    heading: 'to make',
    kind: 'forecast',
    of: ({ option: { estimate } }) => estimate.buildSeconds.value + estimate.writeSeconds.value,
    mark: ({ option }) => option.estimate.buildSeconds.provenance,
  },
  {
    heading: 'restore',
    kind: 'forecast',
    of: ({ option }) => option.estimate.restoreSeconds.value,
    mark: ({ option }) => option.estimate.restoreSeconds.provenance,
  },
  {
    heading: 'alike',
    kind: 'count',
    of: ({ alike }) => alike.length,
    text: ({ alike }) => (alike.length === 0 ? '' : `+${formatCount(alike.length)}`),
  },
  {
    heading: 'option',
    kind: 'code',
    of: ({ option }) => `${recipeCode(option.variant)}${canBeMade(option) ? '' : ' (forecast only)'}`,
  },
]

/** `38.4–44.4 MB ◐`, or one figure where both ends read the same. */
export function sizeText({ value, low, high, provenance }: Estimate): string {
  const mark = MARKS[provenance]
  const unit = formatSize(value).split(' ').at(-1) ?? ''
  const range = formatSizeRange(value, low, high)
  const [from, to] = range.split('–')
  return from === to ? `${formatSize(value)} ${mark}` : `${range} ${unit} ${mark}`
}

function shortened(name: string, room: number): string {
  if (name.length <= room) return name
  const cut = name.slice(0, room)
  const space = cut.lastIndexOf(' ')
  return `${cut.slice(0, space > room / 2 ? space : room - 1).replace(/[\s,:]+$/, '')}…`
}

/** The option by folder on each medium, which was asked for by its rules. */
function folderLinesOf({ options, request }: OptionsDocument): string[] {
  const { byFolder } = request
  if (byFolder === undefined) return []
  const found = options.filter(({ variant }) => variant === byFolder)
  const on = ({ estimate, mediumName, medium }: Option): string =>
    medium === DISK_MEDIUM
      ? sizeText(estimate.bytes)
      : `${sizeText(estimate.bytes)} on ${countRange(estimate.volumes)} × ${mediumName}`
  return ['', ...wrapped(`  By folder (${recipeText(byFolder)}): ${found.map(on).join('; ')}`, '  ')]
}

/** The parts that the tables leave out, and how to see them. */
function moreLines({ options }: OptionsDocument): string[] {
  const fair = options.filter(({ pareto, breaks }) => pareto && breaks.length === 0)
  const forecast = fair.filter((option) => !canBeMade(option))
  const kinds = [...new Set(forecast.map(({ container }) => container))].join(', ')
  const only =
    forecast.length === 0 ? '' : `; ${formatCount(forecast.length)} can only be forecast (${kinds})`
  return wrapped(
    `  ${formatCounted(options.length, 'option')}: ${formatCounted(fair.length, 'trade-off')}${only}, the others are ` +
      'dominated or exceed a limit: --all',
    '  ',
  )
}

function legend(): string {
  return `${marksText()}; alike: no visible difference; more: --explain ID`
}

function marksText(): string {
  return `  ${Object.entries(MARKS)
    .map(([name, mark]) => `${mark} ${name}`)
    .join(' ')}`
}
