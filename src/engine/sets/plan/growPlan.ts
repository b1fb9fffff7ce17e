import type { PlanEntry } from '../../../contract/dto/plan'
import { compareStates, type Growth, type NamedContent } from '../../../domain/sets/growing/growth'
import type { InventoryItem } from '../../../domain/sets/packing/inventory'
import type { SourceEntries } from '../../survey/sourceEntries'
import {
  factOf,
  type History,
  type HistoryLine,
  isOfContainer,
  wholeOrParts,
} from '../volume/lists/historyLines'
import { entryFacts, escapeTsv } from '../volume/lists/indexTsv'

/** The earlier plans of an archive, as their newest index has them. */
export interface EarlierState {
  /** The number of the new plan. */
  readonly generation: number
  readonly generations: History['generations']
  readonly lines: readonly HistoryLine[]
  /** False for a content on a volume that was never made, or that was left out of it. */
  isKept(line: HistoryLine): boolean
}

/** The part of a source that goes on new volumes, and what the index says of the rest. */
export interface GrownSource {
  readonly items: readonly InventoryItem[]
  readonly history: readonly HistoryLine[]
  readonly growth: Omit<Growth, 'restoreVolumes'>
}

type FileEntry = Extract<PlanEntry, { kind: 'file' }>

/**
 * Divides a source: contents that are on no kept volume go on new ones, each once, with the folders
 * above them and with folders and links that are new; all else is listed in the history with the
 * place of its content.
 * @param entries a line for each item of the source, as one volume would have it
 */
export function growPlan(
  { items }: Pick<SourceEntries, 'items'>,
  entries: readonly PlanEntry[],
  earlier: EarlierState,
): GrownSource {
  const { generation } = earlier
  const before = earlier.lines.filter((line) => line.until === generation - 1 && !isOfContainer(line))
  const byPath = Map.groupBy(before, nameOf)
  const isThere = thereBy(earlier)
  const places = keptPlaces(earlier, isThere)
  const stored = new Map<string, FileEntry>()
  const onNew = new Set<string>()
  const put = (path: string): void => {
    for (let at = path; at !== '' && !onNew.has(at); at = at.slice(0, Math.max(0, at.lastIndexOf('/'))))
      onNew.add(at)
  }
  const files = entries.filter((entry) => entry.kind === 'file')
  for (const entry of files) {
    if (entry.linkOf !== undefined || places.has(entry.sha256) || stored.has(entry.sha256)) continue
    stored.set(entry.sha256, entry)
    put(entry.path)
  }
  for (const { path, linkOf } of files) if (linkOf !== undefined && onNew.has(linkOf)) put(path)
  for (const entry of entries) if (isNewThing(entry, byPath)) put(entry.path)
  const history: HistoryLine[] = []
  const goesOn = new Set<HistoryLine>()
  for (const entry of entries) {
    if (onNew.has(entry.path)) continue
    const known = byPath.get(escapeTsv(entry.path)) ?? []
    const lines = linesOf(entry, known, { generation, isThere, places, stored })
    const same = lines.map((line) => known.find((one) => isSame(one, line)))
    if (same.every((one) => one !== undefined)) for (const line of same) goesOn.add(line)
    else history.push(...lines)
  }
  const older = earlier.lines.map((line) => (goesOn.has(line) ? { ...line, until: generation } : line))
  const contents = [...stored.values()]
  return {
    items: items.filter(({ path }) => path === '' || onNew.has(path)),
    history: [...older, ...history],
    growth: {
      ...compareStates(contentsBefore(before), files.map(contentOfEntry)),
      stored: { files: contents.length, bytes: contents.reduce((sum, { bytes }) => sum + bytes, 0) },
    },
  }
}

/** The name in the source, as the index writes it. */
function nameOf(line: HistoryLine): string {
  return factOf(line, factOf(line, 'kind') === 'part' ? 'of' : 'path')
}

/** True for a folder or link that the source did not have under this name. */
function isNewThing(entry: PlanEntry, byPath: ReadonlyMap<string, readonly HistoryLine[]>): boolean {
  if (entry.kind !== 'folder' && entry.kind !== 'symlink') return false
  const [was] = byPath.get(escapeTsv(entry.path)) ?? []
  if (was === undefined || factOf(was, 'kind') !== entry.kind) return true
  return entry.kind === 'symlink' && factOf(was, 'target') !== escapeTsv(entry.target)
}

type IsThere = (line: HistoryLine) => boolean

/** True for a content on a kept volume; for a packed one where all of its container is on any. */
function thereBy({ lines, isKept }: EarlierState): IsThere {
  const containers = Map.groupBy(lines.filter(isOfContainer), (line) => containerKey(line, nameOf(line)))
  return (line) => {
    const container = factOf(line, 'in')
    if (container === '') return isKept(line)
    return isKept(line) && (containers.get(containerKey(line, container))?.every(isKept) ?? false)
  }
}

function containerKey({ on }: HistoryLine, path: string): string {
  return `${on.generation}\t${path}`
}

/** True for a further name of a packed file, under which the container may not hold it. */
function isNameOnly(line: HistoryLine): boolean {
  return factOf(line, 'in') !== '' && factOf(line, 'of') !== '' && factOf(line, 'member') === ''
}

/** The places of contents on kept volumes by SHA-256: one line, or those of all parts. */
function keptPlaces(earlier: EarlierState, isThere: IsThere): Map<string, HistoryLine[]> {
  const places = new Map<string, HistoryLine[]>()
  const parts = new Map<string, HistoryLine[]>()
  // The newest place of a content is the one that is surely there.
  const newestFirst = earlier.lines.toSorted((one, other) => other.on.generation - one.on.generation)
  for (const line of newestFirst) {
    const kind = factOf(line, 'kind')
    if (isOfContainer(line)) continue
    const sha256 = factOf(line, kind === 'part' ? 'whole_sha256' : 'sha256')
    if (kind === 'part') {
      const key = `${sha256}\t${line.on.generation}\t${line.since}\t${factOf(line, 'of')}`
      parts.set(key, [...(parts.get(key) ?? []), line])
    } else if (kind === 'file' && factOf(line, 'of') === '' && !places.has(sha256) && isThere(line))
      places.set(sha256, [line])
  }
  for (const [key, lines] of parts) {
    const sha256 = key.slice(0, key.indexOf('\t'))
    if (!places.has(sha256) && lines.every(isThere)) places.set(sha256, lines)
  }
  return places
}

/** The lines of an entry that is not on a new volume. */
function linesOf(
  entry: PlanEntry,
  known: readonly HistoryLine[],
  {
    generation,
    isThere,
    places,
    stored,
  }: {
    readonly generation: number
    readonly isThere: IsThere
    readonly places: ReadonlyMap<string, readonly HistoryLine[]>
    readonly stored: ReadonlyMap<string, FileEntry>
  },
): HistoryLine[] {
  const [was] = known
  const open = { generation, volume: 0, label: '', sector: '' }
  const line = { facts: entryFacts(entry), on: open, at: '', since: generation, until: generation }
  if (entry.kind !== 'file') return was ? [{ ...line, on: was.on, at: was.at }] : []
  const first = stored.get(entry.sha256)
  if (first) return [{ ...line, at: escapeTsv(first.path) }]
  const own = known.filter((one) => hasContent(one, entry.sha256) && !isNameOnly(one))
  const there = own.length > 0 && own.every(isThere) ? own : places.get(entry.sha256)
  return wholeOrParts(line, there ?? [])
}

function hasContent(line: HistoryLine, sha256: string): boolean {
  return factOf(line, factOf(line, 'kind') === 'part' ? 'whole_sha256' : 'sha256') === sha256
}

/** True for lines that say the same of one entry. */
function isSame(one: HistoryLine, other: HistoryLine): boolean {
  const isHere = one.on.generation === other.on.generation && one.on.volume === other.on.volume
  return isHere && one.at === other.at && one.facts.every((fact, at) => fact === other.facts[at])
}

function contentsBefore(before: readonly HistoryLine[]): NamedContent[] {
  const files = before.filter((line) => factOf(line, 'kind') === 'file')
  const wholes = Map.groupBy(
    before.filter((line) => factOf(line, 'kind') === 'part'),
    nameOf,
  )
  return [
    ...files.map((line) => ({
      path: factOf(line, 'path'),
      bytes: factOf(line, 'of') === '' ? Number(factOf(line, 'bytes')) : 0,
      sha256: factOf(line, 'sha256'),
    })),
    ...[...wholes].map(([path, parts]) => ({
      path,
      bytes: parts.reduce((sum, part) => sum + Number(factOf(part, 'bytes')), 0),
      sha256: parts[0] ? factOf(parts[0], 'whole_sha256') : '',
    })),
  ]
}

function contentOfEntry({ path, bytes, sha256, linkOf }: FileEntry): NamedContent {
  return { path: escapeTsv(path), bytes: linkOf === undefined ? bytes : 0, sha256 }
}

/**
 * How many volumes of all generations a restore of the source reads.
 * @param volumes of the new plan
 */
export function restoreVolumes(
  { history }: Pick<GrownSource, 'history'>,
  generation: number,
  volumes: number,
): number {
  const read = new Set<string>()
  for (const line of history) {
    const { on, until } = line
    const hasBytes = Number(factOf(line, 'bytes')) > 0
    if (until === generation && on.generation < generation && hasBytes)
      read.add(`${on.generation}:${on.volume}`)
  }
  return read.size + volumes
}
