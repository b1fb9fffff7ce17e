import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { PlanEntry } from '../../../../contract/dto/plan'
import { storedEntries } from '../../../../domain/sets/storedEntries'
import { said } from '../../../../primitives/said'
import { attempt, cannot, fsPath, joinPath, lstatAt, textBytes } from '../../../files/fileSystem'
import { SUMS_NAME } from '../planned/ownNames'
import type { SizedVolume } from '../planned/plannedVolume'
import { readSetSums } from './setSums'
import { sha256Line } from './sha256Sums'
import type { Skipped } from './skippedList'
import { VOLUME_FILES } from './volumeFiles'

/** A file with bytes of the source, or a part of one: what can be left out of a volume. */
export type ContentEntry = Extract<PlanEntry, { kind: 'file' | 'part' }>

export function hasContent(entry: PlanEntry): entry is ContentEntry {
  return (entry.kind === 'file' || entry.kind === 'part') && entry.bytes > 0
}

/** A volume without the files that were left out of it. */
export interface SkippingVolume {
  readonly volume: SizedVolume
  /** Stowage's own files on it that are not those of the plan's folder, by name. */
  readonly texts: ReadonlyMap<string, Uint8Array>
}

/**
 * A volume as it is without some files: the lists that describe it alone have them no more, and a
 * list names them. The index of the set stays, as all other volumes have it.
 * @param directory the folder of the plan
 * @throws AppError `bad-input` for checksums that cannot be read, `not-found`, `io`
 */
export async function withoutSkipped(
  directory: string,
  volume: SizedVolume,
  skipped: Skipped,
): Promise<SkippingVolume> {
  const { payloadName, places } = volume
  const rest = restOf(volume, skipped)
  const texts = new Map<string, Uint8Array>()
  for (const { name, without } of VOLUME_FILES) {
    if (!without) continue
    const path = joinPath(directory, places.payload, payloadName, name)
    const planned = lstatAt(path) === null ? null : await attempt('read', path, readFile(fsPath(path)))
    const text = without(planned, skipped)
    if (text) texts.set(name, text)
  }
  const sumsPath = joinPath(directory, places.sums)
  const sums = readSetSums(await attempt('read', sumsPath, readFile(fsPath(sumsPath))))
  if (sums === null) throw cannot('bad-input', 'use', sumsPath, said`a line of it is damaged`)
  for (const path of skipped.keys()) sums.delete(path)
  for (const [name, text] of texts) sums.set(joinPath(payloadName, name), sha256Of(text))
  const lines = [...sums].map(([path, sha256]) => sha256Line(sha256, path)).join('')
  return { volume: rest, texts: texts.set(SUMS_NAME, textBytes(lines)) }
}

/** The volume's entries that stay, and the sums of these. */
export function restOf(volume: SizedVolume, skipped: Skipped): SizedVolume {
  const isGone = (entry: PlanEntry): entry is ContentEntry => hasContent(entry) && skipped.has(entry.path)
  const stored = storedEntries(volume.entries)
  const gone = stored.filter(isGone)
  const bytes = gone.reduce((sum, entry) => sum + (entry.linkOf === undefined ? entry.bytes : 0), 0)
  return {
    ...volume,
    entries: stored.filter((entry) => !isGone(entry)),
    files: volume.files - gone.length,
    bytes: volume.bytes - bytes,
  }
}

function sha256Of(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}
