import type { SilentChanges, SurveyDocument } from '../../contract/dto/survey'
import { pathToBytes } from '../../primitives/pathText'
import type { Catalog } from '../catalog/catalog'
import type { SurveyEntry } from '../catalog/entry'
import type { Pause } from '../jobs/slowly'
import { RACY_NS } from './earlierSurvey'

type ChangesCatalog = Pick<Catalog, 'earlierSurveys' | 'readableSurvey' | 'surveyEntries'>

/** A document lists no more of them. */
const MOST_LISTED = 1000
const STEP = 512

/**
 * The files whose content is another than in the newest earlier complete survey of the same roots,
 * although size and modification time are the same: a disk or a program may have damaged them.
 * Files that were written to right before the earlier survey do not count. Those that it names
 * itself stay named, while size and time are the same, until a person acknowledges them. Null for
 * none, and where there is no survey to compare with. Walks both in the order of their paths;
 * memory does not grow.
 * @param isFull every file was read; else only what the earlier survey names can still be said
 */
export async function silentChanges(
  catalog: ChangesCatalog,
  survey: SurveyDocument,
  isFull: boolean,
  pause: Pause,
): Promise<SilentChanges | null> {
  const earlier = earlierOf(catalog, survey)
  const held = earlier && heldOf(earlier)
  if (!earlier || (!isFull && !held)) return null
  const named = new Set(held?.paths)
  const beforeNs = BigInt(Math.floor(earlier.createdWallMs)) * 1_000_000n - RACY_NS
  const areBlocksAlike = survey.fixedBlocks[0]?.blockSize === earlier.fixedBlocks[0]?.blockSize
  const found = { files: 0, bytes: 0, paths: [] as string[] }
  const before = catalog.surveyEntries(earlier.id)
  let [old, looked, namedBytes] = [before.next(), 0, 0]
  for (const entry of catalog.surveyEntries(survey.id)) {
    if (++looked % STEP === 0) await pause()
    if (entry.kind !== 'file') continue
    while (old.done !== true && (old.value.kind !== 'file' || isBefore(old.value, entry))) old = before.next()
    if (old.done === true) break
    const { value } = old
    if (isBefore(entry, value)) continue
    const path = pathOf(survey.roots, entry)
    if (named.has(path)) namedBytes += value.bytes
    if (value.bytes !== entry.bytes || value.mtimeNs !== entry.mtimeNs) continue
    const isChanged = value.mtimeNs < beforeNs && isOtherContent(value, entry, areBlocksAlike)
    if (!isChanged && !named.has(path)) continue
    found.files += 1
    found.bytes += entry.bytes
    if (found.paths.length < MOST_LISTED) found.paths.push(path)
  }
  before.return?.()
  // Those that are not listed cannot be looked at again.
  const unlisted = (held?.files ?? 0) - named.size
  if (held && unlisted > 0) {
    found.files += unlisted
    found.bytes += Math.max(0, held.bytes - namedBytes)
  }
  if (found.files === 0) return null
  const { id, createdWallMs } = earlier
  return { surveyId: held?.surveyId ?? id, createdWallMs: held?.createdWallMs ?? createdWallMs, ...found }
}

/** The newest earlier complete survey of the same roots in the same order. */
function earlierOf(catalog: ChangesCatalog, { id, roots }: SurveyDocument): SurveyDocument | undefined {
  for (const { surveyId } of catalog.earlierSurveys(roots)) {
    const document = surveyId === id ? null : catalog.readableSurvey(surveyId)
    if (document && !document.partial && document.roots.every((root, at) => root === roots[at]))
      return document
  }
  return undefined
}

/** The silent changes of a survey that nobody has acknowledged. */
function heldOf({ silentChanges: changes }: SurveyDocument): SilentChanges | undefined {
  return changes?.acknowledgedWallMs === undefined ? changes : undefined
}

function pathOf(roots: readonly string[], { rootIndex, path }: SurveyEntry): string {
  const root = (roots[rootIndex] ?? '').replace(/\/$/, '')
  return path === '' ? root : `${root}/${path}`
}

/** By SHA-256 where both have it, else by digests that were made in the same way. */
function isOtherContent(one: SurveyEntry, other: SurveyEntry, areBlocksAlike: boolean): boolean {
  if (one.sha256 !== null && other.sha256 !== null) return one.sha256 !== other.sha256
  return areBlocksAlike && one.digest !== null && other.digest !== null && one.digest !== other.digest
}

/** In the catalog's order, which is that of the bytes of paths. */
function isBefore(one: SurveyEntry, other: SurveyEntry): boolean {
  if (one.rootIndex !== other.rootIndex) return one.rootIndex < other.rootIndex
  return one.path !== other.path && Buffer.compare(pathToBytes(one.path), pathToBytes(other.path)) < 0
}
