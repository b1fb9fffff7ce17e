import type { ArchiveDocument } from '../../../../src/contract/dto/archive'

/** How much of the sources of an archive was on none of its volumes, when that was looked at. */
export interface LookedAt {
  /** None where nothing was new. */
  readonly files: number
  readonly bytes: number
  readonly wallMs: number
}

/** A survey found nothing new in an archive whose last plan is this one. */
export interface NothingNew {
  readonly planId: string
  readonly wallMs: number
}

/**
 * The result of the last look at an archive: the plan of what is new that was not built, or that
 * nothing was new; null where a volume was made since, or nobody looked.
 * @param nothingNew noted since the window was opened, by the ID of the archive
 */
export function lookedAt(
  archive: Pick<ArchiveDocument, 'id' | 'sets'> | null,
  nothingNew: ReadonlyMap<string, NothingNew>,
): LookedAt | null {
  const last = lastPlanOf(archive)
  if (archive === null || last === null) return null
  const noted = nothingNew.get(archive.id)
  if (noted?.planId === last.id) return { files: 0, bytes: 0, wallMs: noted.wallMs }
  const [set] = archive.sets
  const isAddition = set?.newestMade != null && set.newestMade !== last.id
  if (!isAddition || last.built + last.onMedia > 0) return null
  return { files: last.files, bytes: last.bytes, wallMs: last.createdWallMs }
}

/** The plan that was made last of the set that was added to last. */
export function lastPlanOf(archive: Pick<ArchiveDocument, 'sets'> | null) {
  return archive?.sets[0]?.plans.at(-1) ?? null
}
