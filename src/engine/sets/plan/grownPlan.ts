import type { PlanDocument, PlanEntry } from '../../../contract/dto/plan'
import type { Growth } from '../../../domain/sets/growing/growth'
import type { PackingPlacement } from '../../../domain/sets/packing/placedTrees'
import { AppError } from '../../../primitives/appError'
import { said } from '../../../primitives/said'
import type { StoredHistoryLine } from '../../catalog/stores/planHistory'
import type { SourceEntries } from '../../survey/sourceEntries'
import { factOf, type History, historyLine, isOfContainer } from '../volume/lists/historyLines'
import { escapeTsv } from '../volume/lists/indexTsv'
import { unescaped } from '../volume/lists/setIndex'
import type { OpenedEarlier } from './earlierPlan'
import { type GrownSource, growPlan, restoreVolumes } from './growPlan'
import { PlanLines } from './planLines'

/**
 * The part of a source that a plan puts on new volumes.
 * @param files SHA-256 of all files by the ids of their entries
 * @param recordsNames true where a volume is wanted also if nothing but its index is new
 * @throws AppError `nothing-to-do` where no content, folder or link is new: without `recordsNames`,
 *   or where nothing else is new either
 */
export function grownSource(
  source: SourceEntries,
  files: ReadonlyMap<number, string>,
  earlier: OpenedEarlier,
  recordsNames: boolean,
): GrownSource {
  const grown = growPlan(source, new PlanLines(source, { files }).all(), earlier)
  if (grown.items.some(({ path }) => path !== '')) return grown
  const isChanged = isOtherState(grown, earlier)
  if (isChanged && recordsNames) return grown
  throw new AppError(
    'nothing-to-do',
    isChanged
      ? changesOnly(grown.growth)
      : said`there is nothing to add: every file is on ${earlier.lastLabel} or an earlier volume`,
  )
}

/**
 * True where the index would list the source otherwise than that of the generation before. Packed
 * files are of their generation alone: the source never had them.
 */
function isOtherState({ history }: GrownSource, { generation }: OpenedEarlier): boolean {
  return history.some(
    (line) => !isOfContainer(line) && (line.since === generation || line.until === generation - 1),
  )
}

function changesOnly({ moved, copied, deleted }: GrownSource['growth']): string {
  if (moved.files + copied.files + deleted.files === 0)
    return said`no content is new, only times, permissions, folders or links differ: nothing is lost, and the next volume with new content lists them; to list them on a volume now, plan with --record-names`
  return said`no content is new, only names differ (${moved.files} moved or renamed, ${copied.files} copied, ${deleted.files} deleted): nothing is lost, and the next volume with new content lists them; to list them on a volume now, plan with --record-names`
}

/** The part of a placement that is of new contents: kept ones stay where they are. */
export function placingOf(placing: PackingPlacement, items: GrownSource['items']): PackingPlacement {
  const paths = new Set(items.map(({ path }) => path))
  return {
    ...placing,
    pins: placing.pins.filter(({ path }) => paths.has(path)),
    keep: placing.keep.filter((path) => paths.has(path)),
  }
}

/** The lines that the index of a plan has of those that it adds to. */
export function historyOf(
  { id, createdWallMs }: Pick<PlanDocument, 'id' | 'createdWallMs'>,
  { generation, generations }: OpenedEarlier,
  { history }: GrownSource,
): History {
  const itself = { generation, planId: id, setId: '', createdWallMs }
  return { generation, generations: [...generations, itself], lines: history }
}

/** @param volumes of the new plan */
export function growthOf(grown: GrownSource, { generation }: OpenedEarlier, volumes: number): Growth {
  return { ...grown.growth, restoreVolumes: restoreVolumes(grown, generation, volumes) }
}

/**
 * Restoring knows the volumes of an archive by their labels.
 * @throws AppError `refused` for a label that an earlier volume has
 */
export function requireNewLabels(
  { addsTo }: OpenedEarlier,
  volumes: readonly { readonly label: string }[],
): void {
  const taken = new Set(addsTo.flatMap((plan) => plan.volumes.map(({ label }) => label)))
  const twice = volumes.find(({ label }) => taken.has(label))
  if (!twice) return
  throw new AppError(
    'refused',
    said`cannot label a volume ${twice.label}: an earlier volume of this archive has the label`,
  )
}

/** Notes where volumes of the earlier plan are not made or not good, or it was added to before. */
export function earlierNotes({
  notMade,
  lost,
  failed,
  knownBy,
  alsoAdded,
  addsTo,
}: OpenedEarlier): PlanDocument['problems'] {
  const notes: PlanDocument['problems'] = []
  const note = (code: string, message: string): number => notes.push({ code, message, blocking: false })
  if (knownBy !== null)
    note(
      'known-by-volume',
      said`this catalog does not know plan ${addsTo.at(-1)?.planId ?? ''}: by ${knownBy}, all of its volumes count as written, with every file`,
    )
  if (notMade.length > 0)
    note(
      'not-made',
      said`${notMade.join(', ')} of the earlier plan was never built or written: the content is planned again`,
    )
  if (lost.length > 0)
    note('earlier-lost', said`every copy of ${lost.join(', ')} is lost: the content is planned again`)
  if (failed.length > 0)
    note(
      'earlier-failed',
      said`the last verification of ${failed.join(', ')} failed: the content counts as kept`,
    )
  if (alsoAdded !== null)
    note(
      'added-before',
      said`plan ${alsoAdded} adds to plan ${addsTo.at(-1)?.planId ?? ''} already: both use the same labels; add to ${alsoAdded} instead`,
    )
  return notes
}

/** The history as the catalog keeps it. */
export function* storedLines(
  { generation, generations, lines }: History,
  { id, volumes }: Pick<PlanDocument, 'id' | 'volumes'>,
  entriesOf: (index: number) => readonly PlanEntry[],
): Generator<StoredHistoryLine> {
  const planIds = new Map(generations.map((one) => [one.generation, one.planId]))
  const places = new Map<string, number>()
  if (lines.some(({ on }) => on.volume === 0))
    for (const { index } of volumes)
      for (const entry of entriesOf(index))
        places.set(escapeTsv(entry.kind === 'part' ? entry.wholePath : entry.path), index)
  for (const line of lines) {
    const { on, until, at } = line
    const kind = factOf(line, 'kind')
    const isFile = until === generation && (kind === 'file' || kind === 'part')
    const name = factOf(line, kind === 'part' ? 'of' : 'path')
    yield {
      line: historyLine(line).replace(/\n$/, ''),
      path: isFile ? textOf(name) : null,
      bytes: Number(factOf(line, 'bytes')),
      holder: planIds.get(on.generation) ?? id,
      volume: on.volume === 0 ? (places.get(at) ?? 1) : on.volume,
    }
  }
}

/** A path from the index. */
function textOf(field: string): string | null {
  return unescaped(Buffer.from(field, 'utf8').toString('latin1'))
}
