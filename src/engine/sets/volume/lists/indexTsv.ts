import type { PlanDocument, PlanEntry } from '../../../../contract/dto/plan'
import { nameBytes } from '../../../../domain/sets/naming/nameBytes'
import type { ExtendedAttribute } from '../../../../domain/sets/ownership'
import { hexBytes } from '../../../../primitives/pathText'
import type { PlannedVolume } from '../planned/plannedVolume'
import {
  generationLines,
  HISTORY_COLUMNS,
  type History,
  type HistoryLine,
  historyLine,
  wholeOrParts,
} from './historyLines'
import { INDEX_COLUMNS, VERSION_HEAD } from './indexColumns'
import { lineBytes } from './lineBytes'

/** The first sector of a path on a volume, by the volume's number. */
export type SectorOf = (volume: number, path: string) => number | undefined

/** The digest of an archive that is not made yet. */
export const PENDING_SHA256 = ''

/** The head of the index, so that it explains itself on a disc found in fifty years. */
const INDEX_TEXT =
  '# Index of all volumes. Fields are separated by tabs. In paths \\\\ is a backslash, \\t a tab, \\n a line feed,\n' +
  '# \\r a carriage return, and \\xHH the byte HH: of another control character, or one that is not UTF-8.\n'

/** The parts of an index besides the entries of its volumes. */
export interface IndexParts {
  /** The contents of containers, each listed with the first volume of its container. */
  readonly members?: readonly PlanEntry[] | undefined
  /** The first sector of what is on a volume, where it is known. */
  readonly sectorOf?: SectorOf | undefined
  /** The earlier states of an archive that grows, whose lines come last. */
  readonly history?: History | undefined
  /** As the plan says; absent for plans of before the index had one. */
  readonly version?: PlanDocument['indexVersion']
}

const HISTORY_HEAD =
  '# This archive grows. A line with a generation is of a file whose content is on a volume of that plan, at the path\n' +
  '# "at" where that is not "path"; the source had it from generation "since" to generation "until".\n'

/**
 * One line per entry of every volume, in the order of volumes; kinds are file, part, folder and
 * symlink.
 */
export function* indexTsv(
  volumes: readonly Pick<PlannedVolume, 'index' | 'label' | 'entries'>[],
  { members = [], sectorOf = () => undefined, history, version }: IndexParts = {},
): Generator<string> {
  yield* headOf(version, history)
  const membersOn = membersByVolume(volumes, members)
  for (const { index, label, entry, sector } of rowsOf(volumes, membersOn, sectorOf))
    yield `${[index, label, ...entryFacts(entry), sector ?? ''].join('\t')}\n`
  for (const line of placedLines(history, volumes, membersOn, sectorOf)) yield historyLine(line)
}

/** The bytes of all lines of `indexTsv`, which are not made again for entries that are known. */
export function indexTsvBytes(
  ...[volumes, { members = [], sectorOf = () => undefined, history, version } = {}]: Parameters<
    typeof indexTsv
  >
): number {
  let bytes = 0
  for (const line of headOf(version, history)) bytes += nameBytes(line)
  const membersOn = membersByVolume(volumes, members)
  for (const { index, label, entry, sector } of rowsOf(volumes, membersOn, sectorOf))
    bytes += `${index}`.length + nameBytes(label) + factsBytes(entry) + `${sector ?? ''}`.length + ENDS_BYTES
  for (const line of placedLines(history, volumes, membersOn, sectorOf)) bytes += nameBytes(historyLine(line))
  return bytes
}

/** The tabs around the facts of an entry, and the end of its line. */
const ENDS_BYTES = 4
const factsBytes = lineBytes((entry) => entryFacts(entry).join('\t'))

function* headOf(version: IndexParts['version'], history: History | undefined): Generator<string> {
  yield INDEX_TEXT
  if (version !== undefined) yield `${VERSION_HEAD}${version}\n`
  yield `${[...INDEX_COLUMNS, ...(history ? HISTORY_COLUMNS : [])].join('\t')}\n`
  if (!history) return
  yield HISTORY_HEAD
  yield* generationLines(history)
}

interface Row {
  readonly index: number
  readonly label: string
  readonly entry: PlanEntry
  readonly sector?: number | undefined
}

function* rowsOf(
  volumes: readonly Pick<PlannedVolume, 'index' | 'label' | 'entries'>[],
  membersOn: ReadonlyMap<number, readonly PlanEntry[]>,
  sectorOf: SectorOf,
): Generator<Row> {
  for (const { index, label, entries } of volumes) {
    for (const entry of entries) yield { index, label, entry, sector: sectorOf(index, entry.path) }
    for (const entry of membersOn.get(index) ?? []) yield { index, label, entry }
  }
}

/** The history with the places of contents that are on the volumes of the plan itself. */
function* placedLines(
  history: History | undefined,
  volumes: readonly Pick<PlannedVolume, 'index' | 'label' | 'entries'>[],
  membersOn: ReadonlyMap<number, readonly PlanEntry[]>,
  sectorOf: SectorOf,
): Generator<HistoryLine> {
  if (!history) return
  const isOpen = history.lines.some(({ on }) => on.volume === 0)
  const places = new Map<string, HistoryLine[]>()
  for (const { index, label, entries } of isOpen ? volumes : [])
    for (const entry of [...entries, ...(membersOn.get(index) ?? [])]) {
      if (entry.kind !== 'file' && entry.kind !== 'part') continue
      const { generation } = history
      const sector = String(sectorOf(index, entry.path) ?? '')
      const on = { generation, volume: index, label, sector }
      const line = { facts: entryFacts(entry), on, at: '', since: generation, until: generation }
      const whole = escapeTsv(entry.kind === 'part' ? entry.wholePath : entry.path)
      places.set(whole, [...(places.get(whole) ?? []), line])
    }
  for (const line of history.lines) {
    if (line.on.volume > 0) yield line
    else yield* wholeOrParts(line, places.get(line.at) ?? [])
  }
}

function membersByVolume(
  volumes: readonly Pick<PlannedVolume, 'index' | 'entries'>[],
  members: readonly PlanEntry[],
): Map<number, PlanEntry[]> {
  if (members.length === 0) return new Map()
  const firstVolume = new Map<string, number>()
  const starts = (path: string, index: number): void => {
    if (!firstVolume.has(path)) firstVolume.set(path, index)
  }
  for (const { index, entries } of volumes) {
    for (const entry of entries) starts(entry.kind === 'part' ? entry.wholePath : entry.path, index)
  }
  return Map.groupBy(members, (member) => {
    const container = member.kind === 'file' ? member.in : undefined
    return (container === undefined ? undefined : firstVolume.get(container)) ?? 1
  })
}

/** The columns of an entry from `kind` to `attributes`. */
export function entryFacts(entry: PlanEntry): string[] {
  const isPart = entry.kind === 'part'
  const isFile = entry.kind === 'file'
  const hasContent = isFile || isPart
  const fields = [
    entry.kind,
    hasContent && entry.sha256 !== PENDING_SHA256 ? entry.bytes : '',
    hasContent ? entry.sha256 : '',
    escapeTsv(entry.path),
    entry.kind === 'symlink' || entry.mode === undefined ? '' : entry.mode.toString(8),
    entry.mtimeNs ?? '',
    escapeTsv(isPart ? entry.wholePath : ((isFile ? entry.linkOf : undefined) ?? '')),
    isPart ? entry.offset : '',
    isPart ? entry.wholeSha256 : '',
    entry.kind === 'symlink' ? escapeTsv(entry.target) : '',
    hasContent && entry.holes ? 'holes' : '',
    hasContent ? escapeTsv(entry.in ?? '') : '',
    hasContent ? escapeTsv(entry.member ?? '') : '',
    entry.kind === 'symlink' ? '' : (entry.method ?? ''),
    entry.owner?.uid ?? '',
    entry.owner?.gid ?? '',
    escapeTsv(entry.owner?.user ?? ''),
    escapeTsv(entry.owner?.group ?? ''),
    (entry.attributes ?? []).map(attributeText).join(' '),
  ]
  return fields.map(String)
}

const SHORT: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

function attributeText({ name, value }: ExtendedAttribute): string {
  return `${escapeTsv(name).replace(/[ =]/g, hexBytes)}=0x${value}`
}

/** A path for one field of the index, by the rule that the index states at its head. */
export function escapeTsv(path: string): string {
  if (path === '') return path
  return path.replace(/[\\\p{Cc}\ud800-\udfff]/gu, (character) => SHORT[character] ?? hexBytes(character))
}
