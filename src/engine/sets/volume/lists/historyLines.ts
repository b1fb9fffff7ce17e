import { INDEX_COLUMNS } from './indexColumns'

/**
 * The columns that the index of a plan has which adds to earlier ones, after those of
 * `INDEX_COLUMNS`; lines of what is at its path on a volume of the plan itself leave them empty.
 * `generation` counts the plans of an archive from 1: `volume` and `label` are those of a volume of
 * that plan, which holds the content, at the path `at` where that is not `path`. `since` and
 * `until` are the first and the last generation in which the source had the entry as it is listed.
 */
export const HISTORY_COLUMNS = ['generation', 'since', 'until', 'at'] as const

/** A plan of an archive that grows, as the index of a later one names it. */
export interface Generation {
  readonly generation: number
  readonly planId: string
  /** SHA-256 of the index on its volumes; empty in its own. */
  readonly setId: string
  readonly createdWallMs: number
}

/** The place of a content: a volume of a generation, by its number in that plan. */
export interface VolumeOf {
  readonly generation: number
  /** 0 while it is not known yet, on which of the new volumes it is. */
  readonly volume: number
  readonly label: string
  readonly sector: string
}

/** An entry that the source has, or had, without being at its path on a volume of this plan. */
export interface HistoryLine {
  /** The columns from `kind` to `attributes`, as the index has them. */
  readonly facts: readonly string[]
  readonly on: VolumeOf
  /** The path of its content on the volume, as the index has it; empty where that is its own. */
  readonly at: string
  readonly since: number
  readonly until: number
}

/** All that the index of a plan says of the source's earlier states. */
export interface History {
  /** The number of the plan itself. */
  readonly generation: number
  /** All plans of the archive up to this one, in their order. */
  readonly generations: readonly Generation[]
  readonly lines: readonly HistoryLine[]
}

const FIRST_FACT = INDEX_COLUMNS.indexOf('kind')
const SECTOR = INDEX_COLUMNS.indexOf('sector')
const HEAD = '# generation'

type Column = (typeof INDEX_COLUMNS)[number]

const PLACES = new Map<Column, number>(INDEX_COLUMNS.map((name, at) => [name, at - FIRST_FACT]))

/** A column of an entry, as the index has it. */
export function factOf({ facts }: Pick<HistoryLine, 'facts'>, name: Column): string {
  return facts[PLACES.get(name) ?? -1] ?? ''
}

/**
 * True for an archive or another container, a part of one, and what is in a repository. The source
 * has none of them: they hold its files in every generation.
 */
export function isOfContainer(line: Pick<HistoryLine, 'facts'>): boolean {
  return factOf(line, 'method') !== ''
}

/** The facts with other values in some columns. */
function withFacts(facts: readonly string[], values: Partial<Record<Column, string>>): string[] {
  return facts.map((value, at) => values[INDEX_COLUMNS[at + FIRST_FACT] as 'kind'] ?? value)
}

/** The facts of the content itself, which a part of a file has of its own. */
const OF_PART = ['kind', 'bytes', 'sha256', 'path', 'of', 'offset', 'whole_sha256'] as const

/**
 * The lines of a file whose content is somewhere else: one, or one for each part of a split file.
 * @param line of the file as a whole
 * @param places of its content: the lines of one file, or of all parts of one
 */
export function wholeOrParts(line: HistoryLine, places: readonly HistoryLine[]): HistoryLine[] {
  const path = factOf(line, 'path')
  // A further name of a split file follows the parts of the first one.
  const isFurther = factOf(line, 'of') !== ''
  return (isFurther ? places.slice(0, 1) : places).map((place) => {
    const isPart = factOf(place, 'kind') === 'part'
    if (!isFurther && isPart) return partLine(line, place)
    const lies = place.at || factOf(place, 'path')
    return lineAt(inContainerOf(line, place), place, isPart || lies === path ? '' : lies)
  })
}

/** The line with the container of a place that is packed. */
function inContainerOf(line: HistoryLine, place: HistoryLine): HistoryLine {
  const container = factOf(place, 'in')
  if (container === '') return line
  const member = factOf(place, 'member') || factOf(place, 'path')
  const isOwnName = member === factOf(line, 'path')
  return { ...line, facts: withFacts(line.facts, { in: container, member: isOwnName ? '' : member }) }
}

/** A line of a file as that of one of its parts, which is at another place. */
function partLine(line: HistoryLine, place: HistoryLine): HistoryLine {
  const path = factOf(line, 'path')
  const [of, name] = [factOf(place, 'of'), factOf(place, 'path')]
  const own = Object.fromEntries(OF_PART.map((column) => [column, factOf(place, column)]))
  const part = name.startsWith(of) ? path + name.slice(of.length) : name
  const facts = withFacts(line.facts, { ...own, path: part, of: path })
  const lies = place.at || name
  return lineAt({ ...line, facts }, place, lies === part ? '' : lies)
}

function lineAt(line: HistoryLine, { on }: HistoryLine, at: string): HistoryLine {
  return { ...line, on, at }
}

/** The lines at the head of an index that name the plans of the archive. */
export function* generationLines({ generations }: Pick<History, 'generations'>): Generator<string> {
  for (const { generation, planId, setId, createdWallMs } of generations)
    yield `${[HEAD, generation, planId, setId, new Date(createdWallMs).toISOString()].join('\t')}\n`
}

/** A line of the index. */
export function historyLine({ facts, on, at, since, until }: HistoryLine): string {
  return `${[on.volume, on.label, ...facts, on.sector, on.generation, since, until, at].join('\t')}\n`
}

/** The plans that the head of an index names; none where it is of an archive that does not grow. */
export function generationsIn(text: string): Generation[] {
  return linesOf(text)
    .filter((line) => line.startsWith(`${HEAD}\t`))
    .flatMap((line) => {
      const [, number = '', planId = '', setId = '', date = ''] = line.split('\t')
      const [generation, createdWallMs] = [Number(number), Date.parse(date)]
      const isRight = Number.isSafeInteger(generation) && generation > 0 && Number.isFinite(createdWallMs)
      return isRight ? [{ generation, planId, setId, createdWallMs }] : []
    })
    .toSorted((one, other) => one.generation - other.generation)
}

/**
 * Every line of an index as the index of a later plan lists it: those of the plan's own volumes
 * too.
 */
export function historyIn(text: string): HistoryLine[] {
  return linesWhere(text, () => true)
}

/** The lines of an index on earlier states of the source, without those of the plan's volumes. */
export function historyAlone(text: string): HistoryLine[] {
  return linesWhere(text, (columns) => (columns[SECTOR + 1] ?? '') !== '')
}

function linesWhere(text: string, isWanted: (columns: readonly string[]) => boolean): HistoryLine[] {
  const own = generationsIn(text).at(-1)?.generation ?? 1
  return linesOf(text)
    .filter(isEntry)
    .map(columnsOf)
    .filter(isWanted)
    .map((columns) => {
      const [generation = '', since = '', until = '', at = ''] = columns.slice(SECTOR + 1)
      return {
        facts: columns.slice(FIRST_FACT, SECTOR),
        on: {
          generation: generation === '' ? own : Number(generation),
          volume: Number(columns[0]),
          label: columns[1] ?? '',
          sector: columns[SECTOR] ?? '',
        },
        at,
        since: since === '' ? own : Number(since),
        until: until === '' ? own : Number(until),
      }
    })
}

/** The numbers of the lines that `historyIn` gives, in the same order. */
export function lineNumbersIn(text: string): number[] {
  return linesOf(text).flatMap((line, at) => (isEntry(line) ? [at + 1] : []))
}

function isEntry(line: string): boolean {
  return line !== '' && !line.startsWith('#') && !line.startsWith('volume\t')
}

/** Lines of older versions have fewer columns. */
function columnsOf(line: string): string[] {
  const columns = line.replace(/\n$/, '').split('\t')
  while (columns.length <= SECTOR) columns.push('')
  return columns
}

function linesOf(text: string): string[] {
  return text.split('\n')
}
