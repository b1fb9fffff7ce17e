import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { PlanEntry } from '../../../contract/dto/plan'
import { storedEntries } from '../../../domain/sets/storedEntries'
import { said } from '../../../primitives/said'
import { attempt, cannot, fsPath, joinPath, textBytes } from '../../files/fileSystem'
import type { SizedVolume } from './plannedVolume'
import { readSetSums } from './setSums'
import { sha256Line } from './sha256Sums'
import { SKIPPED_NAME, type Skipped, skippedTsv } from './skippedList'

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
  const readmePath = joinPath(directory, places.payload, payloadName, 'README.txt')
  const readme = Buffer.concat([
    await attempt('read', readmePath, readFile(fsPath(readmePath))),
    textBytes(readmeLines(skipped.size)),
  ])
  const list = textBytes(skippedTsv(skipped))
  const sumsPath = joinPath(directory, places.sums)
  const sums = readSetSums(await attempt('read', sumsPath, readFile(fsPath(sumsPath))))
  if (sums === null) throw cannot('bad-input', 'use', sumsPath, said`a line of it is damaged`)
  for (const path of skipped.keys()) sums.delete(path)
  sums.set(joinPath(payloadName, 'README.txt'), sha256Of(readme))
  sums.set(joinPath(payloadName, SKIPPED_NAME), sha256Of(list))
  const lines = [...sums].map(([path, sha256]) => sha256Line(sha256, path)).join('')
  return {
    volume: rest,
    texts: new Map([
      ['README.txt', readme],
      ['SHA256SUMS', textBytes(lines)],
      [SKIPPED_NAME, list],
    ]),
  }
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

function readmeLines(files: number): string {
  const what = files === 1 ? '1 file was' : `${files} files were`
  return `\n${what} left out of this volume while it was made: ${SKIPPED_NAME} names what INDEX.tsv has all the same.\n`
}

function sha256Of(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}
