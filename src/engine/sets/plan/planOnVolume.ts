import { growthRefusal } from '../../../domain/sets/growing/growthRefusal'
import { formOf } from '../../../domain/sets/packedForm'
import type { EarlierPlan } from '../../../domain/sets/planDocument'
import { said } from '../../../primitives/said'
import { cannot, isFolder, joinPath } from '../../files/fileSystem'
import { openGivenImage } from '../volume/image/damagedImage'
import { foundLists, isProved } from '../volume/lists/foundLists'
import { grownIndex } from '../volume/lists/grownIndex'
import {
  factOf,
  generationsIn,
  type HistoryLine,
  historyIn,
  isOfContainer,
} from '../volume/lists/historyLines'
import { indexId, readableIndex } from '../volume/lists/setIndex'
import { type Skipped, skippedOn } from '../volume/lists/skippedList'
import { openFolder } from '../volume/lists/volume'
import { readmeFacts, readmeOf } from '../volume/open/givenVolumes'
import { ENCRYPTED_INDEX_NAME } from '../volume/planned/ownNames'

/** A plan as one of its volumes knows it. */
export interface PlanOnVolume {
  readonly planId: string
  /** The index on the volume. */
  readonly text: Buffer
  /** All plans up to this one; the first has the day alone where the index has no time of it. */
  readonly plans: readonly EarlierPlan[]
  /** The reason why nothing can be added to it; null if there is none. */
  readonly refusal: string | null
  /** Files that were left out of the volume itself, by their paths on it. */
  readonly skipped: Skipped
  readonly label: string
}

/**
 * Reads the plan of a disc, its image or its mounted folder from the index on it.
 * @throws AppError `verification-failed` for an index that its checksums do not prove or that is
 *   damaged, `refused` for that of an encrypted set, `bad-input` for what is no volume
 */
export async function planOnVolume(path: string): Promise<PlanOnVolume> {
  const files = isFolder(path) ? await openFolder(path) : await openGivenImage(path, 'restore from')
  const lists = await foundLists(files)
  const { text, own } = lists
  const { planId, createdWallMs, label } = readmeFacts(await readmeOf(files, own ?? ''))
  if (own !== null && (await files.placeOf(joinPath(own, ENCRYPTED_INDEX_NAME))))
    throw cannot(
      'refused',
      'add to',
      path,
      said`its files are encrypted; name the folder of its plan instead`,
    )
  if (text === null || !isProved(lists))
    throw cannot('verification-failed', 'add to', path, said`its checksums do not prove its index`)
  const [line] = [...readableIndex(text).unreadable, ...(grownIndex(text)?.all.unreadable ?? [])]
  if (line !== undefined) throw cannot('bad-input', 'use', path, said`line ${line} is damaged`)
  const utf8 = text.toString('utf8')
  const known = generationsIn(utf8)
  const setId = indexId(text)
  const generations =
    known.length > 0 ? known : [{ generation: 1, planId: planId ?? '', setId, createdWallMs }]
  const newest = generations.at(-1)
  if (!newest?.planId) throw cannot('bad-input', 'use', path, said`its README.txt names no plan`)
  const lines = historyIn(utf8)
  return {
    planId: newest.planId,
    text,
    refusal: refusalOf(lines),
    skipped: await skippedOn(files, own ?? ''),
    label: label ?? files.label ?? '',
    plans: generations.map(({ generation, planId: id, setId: of, createdWallMs: at }) => ({
      generation,
      planId: id,
      setId: generation === newest.generation ? setId : of,
      createdWallMs: at,
      volumes: volumesOf(lines, generation),
    })),
  }
}

/** By the containers of a plan, as its index has them. */
function refusalOf(lines: readonly HistoryLine[]): string | null {
  for (const line of lines.filter(isOfContainer)) {
    const form = formOf(factOf(line, 'method'), 'folder')
    const isJoined = form?.kind === 'archive' && factOf(line, 'kind') === 'part'
    const because = growthRefusal({ form, isJoined })
    if (because !== null) return because
  }
  return null
}

/** The volumes of one plan that hold anything. */
function volumesOf(lines: readonly HistoryLine[], generation: number): EarlierPlan['volumes'] {
  const labels = new Map(
    lines.filter(({ on }) => on.generation === generation).map(({ on }) => [on.volume, on.label]),
  )
  return [...labels]
    .map(([index, label]) => ({ index, label }))
    .toSorted((one, other) => one.index - other.index)
}
