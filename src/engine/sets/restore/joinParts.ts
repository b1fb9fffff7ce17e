import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { AppError } from '../../../primitives/appError'
import { fsPath } from '../../files/fileSystem'
import { type ContentPlace, rangeOf, sha256Of } from '../../files/read'
import { writeIntoFile } from '../../files/write'
import { damaged, inTheWay, statsOf } from './targetFolders'

/** One part of a split file; `from` is null where its volume is not at hand. */
export interface RestoredPart {
  readonly path: string
  readonly label: string
  readonly volume: number
  readonly offset: number
  readonly bytes: number
  readonly sha256: string
  readonly holes: boolean
  readonly from: ContentPlace | null
}

/** The parts joined so far of a split file. */
export interface Joined {
  readonly path: string
  /** Parts that are on no volume at hand. */
  readonly lacking: readonly RestoredPart[]
  /**
   * Parts that are on a volume at hand and are damaged, or cannot be read to their end; what was
   * read of them is in its place.
   */
  readonly unread: readonly { readonly part: RestoredPart; readonly error: AppError }[]
  /** True when a part of it is right: it is worth waiting for the others. */
  readonly hasRight: boolean
  /** True when all parts are there and the digest is right. */
  readonly isWhole: boolean
}

/** So much of a part that a killed restore has begun is compared with the volume. */
const BEGINNING_BYTES = 65_536

/**
 * Joins parts into a file that waits for the others, also for another call, and is left there, also
 * where parts of it are damaged.
 * @param whole the file to be, and the absolute path that is meant for it
 * @param waiting absolute paths of which one can hold what is joined so far
 * @param onBytes bytes that were joined or proved since the last call: every byte is both
 * @throws AppError `exists` where something else has all of those paths, `no-space`, `io`,
 *   `cancelled`
 */
export async function joinParts(
  whole: { readonly place: string; readonly bytes: number; readonly sha256: string },
  parts: readonly RestoredPart[],
  waiting: readonly string[],
  { signal, onBytes }: { readonly signal: AbortSignal; readonly onBytes: (bytes: number) => void },
): Promise<Joined> {
  const { joining, done } = await joiningPlace(whole, parts, waiting, signal)
  onBytes([...done].reduce((sum, { bytes }) => sum + bytes, 0))
  const lacking: RestoredPart[] = []
  const unread: { part: RestoredPart; error: AppError }[] = []
  for (const part of parts) {
    if (done.has(part)) continue
    const error = part.from === null ? null : await writePart(joining, part, part.from, { signal, onBytes })
    if (part.from === null) lacking.push(part)
    else if (error !== null) unread.push({ part, error })
  }
  const prove = async (): Promise<boolean> =>
    (await sha256Of({ file: joining, offset: 0, bytes: whole.bytes }, signal, onBytes)) === whole.sha256
  const isWhole = lacking.length === 0 && unread.length === 0 && (await prove())
  const hasRight = parts.length > lacking.length + unread.length
  return { path: joining, lacking, unread, hasRight, isWhole }
}

/**
 * Removes what was joined with a damaged part, unless parts of it came from volumes that are not at
 * hand: those wait for a copy of the damaged one.
 * @param path of the file in its set
 * @returns the failure, naming the first damaged part
 */
export async function discardJoined(
  joined: string,
  path: string,
  parts: readonly RestoredPart[],
  signal: AbortSignal,
): Promise<AppError> {
  const right = (await partsIn(joined, statsOf(joined)?.size ?? 0, parts, signal)) ?? new Set()
  if (parts.every(({ from }) => from !== null)) await rm(fsPath(joined), { force: true })
  return damaged(parts.find((part) => !right.has(part))?.path ?? path)
}

/**
 * Where a file is joined, and which of its parts are there. Something else that has the name stays
 * as it is.
 */
async function joiningPlace(
  { place, bytes }: { readonly place: string; readonly bytes: number },
  parts: readonly RestoredPart[],
  waiting: readonly string[],
  signal: AbortSignal,
): Promise<{ joining: string; done: ReadonlySet<RestoredPart> }> {
  let free: string | null = null
  for (const joining of waiting) {
    const there = statsOf(joining)
    if (!there) free ??= joining
    else if (there.isFile() && there.size <= bytes) {
      const done = await partsIn(joining, there.size, parts, signal)
      if (done !== null) return { joining, done }
    }
  }
  if (free === null) throw inTheWay(waiting[0] ?? place)
  return { joining: free, done: new Set() }
}

/** The parts that a file holds, each in its place; null for a file that holds nothing of them. */
async function partsIn(
  file: string,
  size: number,
  parts: readonly RestoredPart[],
  signal: AbortSignal,
): Promise<ReadonlySet<RestoredPart> | null> {
  const done = new Set<RestoredPart>()
  for (const part of parts) {
    const { offset, bytes, sha256 } = part
    if (offset + bytes <= size && (await sha256Of({ file, offset, bytes }, signal)) === sha256) done.add(part)
  }
  // Where no part is at hand nothing is written to it, whatever it is.
  if (done.size > 0 || size === 0 || parts.every(({ from }) => from === null)) return done
  for (const { offset, from } of parts) {
    if (from === null || offset >= size) continue
    const bytes = Math.min(from.bytes, size - offset, BEGINNING_BYTES)
    const begins = await sha256Of({ file, offset, bytes }, signal)
    if (begins === (await sha256Of({ ...from, bytes }, signal))) return done
  }
  return null
}

/**
 * Writes a part to its place in the whole, which is proved by its digest in the end.
 * @returns the failure of reading it, or its damage, after what could be read was written
 * @throws AppError where it cannot be written, or `cancelled`
 */
async function writePart(
  joining: string,
  { path, offset, sha256, holes }: RestoredPart,
  from: ContentPlace,
  { signal, onBytes }: { readonly signal: AbortSignal; readonly onBytes: (bytes: number) => void },
): Promise<AppError | null> {
  let failure: AppError | null = null
  const digest = createHash('sha256')
  async function* content(): AsyncGenerator<Buffer> {
    try {
      for await (const piece of rangeOf(from, signal)) {
        digest.update(piece)
        onBytes(piece.length)
        yield piece
      }
    } catch (thrown) {
      failure = AppError.from(thrown)
      if (failure.code === 'cancelled' || failure.code === 'internal') throw failure
    }
  }
  await writeIntoFile(joining, offset, content(), { holes, signal })
  return failure ?? (digest.digest('hex') === sha256 ? null : damaged(path))
}
