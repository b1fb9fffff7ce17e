import { existsSync } from 'node:fs'
import { type ArchiveDocument, namedArchives } from '../contract/dto/archive'
import { fsPath } from '../engine/files/fileSystem'
import { absolutePath } from '../files/absolutePath'
import { AppError } from '../primitives/appError'
import { nearestName } from '../primitives/nearestName'
import { pathForDisplay } from '../primitives/pathText'
import { formatCounted } from '../primitives/quantity'
import { isoMinute } from '../primitives/spokenTime'
import { openSession } from './session'
import type { Terminal } from './terminal'

/**
 * The one archive that a word means.
 * @throws AppError `not-found`; `usage` with the candidates where there are several
 */
export function archiveNamed(archives: readonly ArchiveDocument[], word: string): ArchiveDocument {
  const [found, ...others] = namedArchives(archives, word)
  if (found && others.length === 0) return found
  if (found) {
    const candidates = [found, ...others].map((archive) => `${archive.id} (${archiveFacts(archive)})`)
    throw new AppError(
      'usage',
      `${formatCounted(candidates.length, 'archive')} are named ${word}: give the ID of one, ${candidates.join(' or ')}`,
    )
  }
  const near = nearestName(
    word,
    archives.map(({ name }) => name),
  )
  const hint = near === null ? '"stowage archives" lists them' : `did you mean "${near}"?`
  throw new AppError('not-found', `no archive "${pathForDisplay(word)}" in the catalog: ${hint}`)
}

/** `3 plans, last change 2026-11-29 15:32`. */
export function archiveFacts({ sets, createdWallMs }: ArchiveDocument): string {
  const plans = sets.flatMap((set) => set.plans)
  const last = Math.max(createdWallMs, ...plans.map((plan) => plan.createdWallMs))
  return `${formatCounted(plans.length, 'plan')}, last change ${isoMinute(last)}`
}

/**
 * The paths that words name: each word that is no path but the name of an archive means the
 * folders of the plans of its set that was added to last, newest first.
 * @throws AppError `not-found` for an archive of which no folder is there
 */
export async function placesNamed(words: readonly string[], out: Terminal): Promise<string[]> {
  if (words.every(isPath)) return words.map((word) => absolutePath(word))
  await using session = openSession(out, { canDoWithout: true })
  const { archives } = await session.engine.archive.list()
  return words.flatMap((word) =>
    isPath(word) || namedArchives(archives, word).length === 0
      ? absolutePath(word)
      : planFolders(archiveNamed(archives, word)),
  )
}

/** The same for a command that takes one plan: of an archive the newest. */
export async function placeNamed(word: string, out: Terminal): Promise<string> {
  const [place = absolutePath(word)] = await placesNamed([word], out)
  return place
}

/** True for what is there, and for what no archive's name would look like. */
function isPath(word: string): boolean {
  return existsSync(fsPath(absolutePath(word))) || /[\\/]/.test(word)
}

function planFolders({ name, sets }: ArchiveDocument): string[] {
  const folders = (sets[0]?.plans ?? []).flatMap(({ directory, directoryExists }) =>
    directory !== null && directoryExists ? [directory] : [],
  )
  if (folders.length > 0) return folders.toReversed()
  throw new AppError('not-found', `no folder of a plan of ${name} is at hand: give its path, or discs of it`)
}
