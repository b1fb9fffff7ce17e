import { createHash } from 'node:crypto'
import { SKIP_CAUSES, type SkipCause } from '../../../../domain/sets/skippedFile'
import { joinPath } from '../../../files/fileSystem'
import { SKIPPED_NAME, SUMS_NAME } from '../planned/ownNames'
import { escapeTsv } from './indexTsv'
import { unescaped } from './setIndex'
import { readSetSums } from './setSums'
import { contentAt, type Volume } from './volume'

/** Files that are not on their volume, by their paths there. */
export type Skipped = ReadonlyMap<string, SkipCause>

export const NONE_SKIPPED: Skipped = new Map()

const HEAD =
  '# Files that INDEX.tsv lists on this volume and that are not on it: while it was made they had changed or vanished\n' +
  '# since it was planned, or could not be read. Paths are written as in INDEX.tsv.\n' +
  'cause\tpath\n'

/** More than that no list of left-out files has. */
const LARGEST_BYTES = 1 << 30

export function skippedTsv(skipped: Skipped): string {
  return HEAD + [...skipped].map(([path, cause]) => `${cause}\t${escapeTsv(path)}\n`).join('')
}

/** @returns null for a text that `skippedTsv` does not write */
export function readSkippedTsv(text: Buffer): Skipped | null {
  const [head, lines] = [text.subarray(0, HEAD.length), text.subarray(HEAD.length)]
  if (head.toString('latin1') !== HEAD) return null
  const skipped = new Map<string, SkipCause>()
  for (const line of lines.toString('latin1').split('\n')) {
    if (line === '') continue
    const [name = '', field = '', ...more] = line.split('\t')
    const cause = SKIP_CAUSES.find((known) => known === name)
    const path = unescaped(field)
    if (cause === undefined || !path || more.length > 0) return null
    skipped.set(path, cause)
  }
  return skipped
}

/**
 * The files that were left out of a volume, as it says itself. A list without the digest that the
 * volume's checksums give it counts for nothing.
 * @param own Stowage's own folder on it
 */
export async function skippedOn(volume: Pick<Volume, 'placeOf'>, own: string): Promise<Skipped> {
  const path = joinPath(own, SKIPPED_NAME)
  const text = await textAt(volume, path)
  const sums = text && (await textAt(volume, joinPath(own, SUMS_NAME)))
  if (!text || !sums) return NONE_SKIPPED
  const isProved = readSetSums(sums)?.get(path) === createHash('sha256').update(text).digest('hex')
  return (isProved && readSkippedTsv(text)) || NONE_SKIPPED
}

async function textAt(volume: Pick<Volume, 'placeOf'>, path: string): Promise<Buffer | null> {
  const place = await volume.placeOf(path)
  return place === null || place.bytes > LARGEST_BYTES ? null : contentAt(place).catch(() => null)
}
