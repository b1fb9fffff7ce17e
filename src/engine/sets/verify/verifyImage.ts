import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { AppError } from '../../../primitives/appError'
import { attempt, fsPath, joinPath } from '../../files/fileSystem'
import type { ContentPlace } from '../../files/read'
import type { FoundTool } from '../../tools/externalTool'
import { listImage, type SevenZipRun, streamContents } from '../../tools/sevenZip'
import {
  compareTrees,
  type Expected,
  type Found,
  inRockRidge,
  mismatch,
  volumeMismatch,
} from '../volume/expectedTree'
import { openImage } from '../volume/image'
import type { SizedVolume } from '../volume/plannedVolume'

const SECTOR = 2048

export interface VolumeCheck {
  readonly failures: readonly AppError[]
  readonly sectors: number | null
  /** By path on the volume, for files whose digest was right. */
  readonly places: ReadonlyMap<string, ContentPlace>
}

/**
 * Reads a whole image back and compares it with what must be on it.
 * @param options.directory the folder of the plan; `cwd` is the same as 7-Zip can take it
 *
 * Contents are read by 7-Zip, in one stream over the image without scratch space, cut by the sizes
 * listed. 7-Zip cannot show every name as it is, so names, kinds and link targets are read from the
 * directory records by Stowage's own reader; 7-Zip goes through the same records in the same order,
 * and the two must agree on the number of entries and on kind and size of each. Neither shares code
 * with the program that wrote the image.
 * @throws AppError `not-found` when the image is not there, `cancelled`, `tool-failed`
 */
export async function verifyImage(
  volume: SizedVolume,
  tool: FoundTool,
  expected: ReadonlyMap<string, Expected>,
  options: { directory: string; cwd: string; signal: AbortSignal; onBytes: (done: number) => void },
): Promise<VolumeCheck> {
  const { image } = volume.places
  const path = joinPath(options.directory, image)
  const fileBytes = (await attempt('read', path, stat(fsPath(path)))).size
  const opened = await openImage(path).catch((thrown: unknown) => {
    const failure = AppError.from(thrown)
    if (failure.code !== 'verification-failed') throw failure
    return { broken: failure.message }
  })
  const failures: AppError[] = []
  if (fileBytes !== volume.sectors * SECTOR) {
    failures.push(
      volumeMismatch(volume.label, `the image has ${fileBytes} bytes instead of ${volume.sectors * SECTOR}`),
    )
  }
  const sectors = Math.floor(fileBytes / SECTOR)
  if ('broken' in opened) {
    return {
      failures: [...failures, volumeMismatch(volume.label, opened.broken)],
      sectors,
      places: new Map(),
    }
  }
  if (opened.label !== volume.label) {
    failures.push(volumeMismatch(volume.label, `the image is labelled "${opened.label}"`))
  }
  const found = await opened.tree(options.signal)
  const run: SevenZipRun = { tool, directory: options.cwd, image, signal: options.signal }
  const digests = await digestContents(run, [...found.values()], volume.label, failures, options.onBytes)
  failures.push(...compareTrees(inRockRidge(expected), found, volume.label))
  const places = new Map<string, ContentPlace>()
  for (const [at, [name, is]] of [...found].entries()) {
    const wanted = expected.get(name)
    if (wanted?.kind !== 'file' || is.kind !== 'file' || wanted.bytes !== is.bytes) continue
    const place = await opened.placeOf(name)
    if (place && digests[at] === wanted.sha256) places.set(name, place)
    else failures.push(mismatch(volume.label, name, 'its content differs (SHA-256)'))
  }
  return { failures, sectors, places }
}

/**
 * Digest of every file by its place among the entries. Notes what 7-Zip complains of and where it
 * disagrees.
 */
async function digestContents(
  run: SevenZipRun,
  entries: readonly Found[],
  label: string,
  failures: AppError[],
  onBytes: (done: number) => void,
): Promise<(string | undefined)[]> {
  const listing = await listImage(run)
  const digests: (string | undefined)[] = Array.from({ length: entries.length })
  const agrees =
    listing.items.length === entries.length &&
    entries.every((entry, at) => {
      const item = listing.items[at]
      return item?.isFolder === (entry.kind === 'folder') && item.bytes === bytesOf(entry)
    })
  if (!agrees) {
    const because = listing.errors.length > 0 ? ` (${listing.errors.join('; ')})` : ''
    failures.push(volumeMismatch(label, `7-Zip lists other files than the image's directory${because}`))
    return digests
  }
  const digester = sequenceDigester(entries, digests)
  let total = 0
  const complaints = await streamContents(run, (chunk) => {
    digester.push(chunk)
    onBytes((total += chunk.length))
  })
  if (!digester.end())
    failures.push(volumeMismatch(label, '7-Zip extracted more or fewer bytes than it listed'))
  for (const complaint of new Set([...listing.errors, ...complaints])) {
    failures.push(volumeMismatch(label, `7-Zip: ${complaint}`))
  }
  return digests
}

type ListedEntry = Pick<Found, 'kind'> & { readonly bytes?: number }

/**
 * Cuts a stream of contents into files by their sizes and hashes each. `end` tells whether it came
 * out even.
 */
export function sequenceDigester(
  entries: readonly ListedEntry[],
  digests: (string | undefined)[],
): { push(chunk: Uint8Array): void; end(): boolean } {
  let at = -1
  let left = 0
  let hash = createHash('sha256')
  const finishFiles = (): void => {
    while (left === 0 && at < entries.length) {
      if (at >= 0 && entries[at]?.kind === 'file') digests[at] = hash.digest('hex')
      at += 1
      while (at < entries.length && entries[at]?.kind !== 'file') at += 1
      left = bytesOf(entries[at])
      hash = createHash('sha256')
    }
  }
  let surplus = 0
  finishFiles()
  return {
    push(chunk) {
      let start = 0
      while (start < chunk.length) {
        if (at >= entries.length) {
          surplus += chunk.length - start
          return
        }
        const stop = Math.min(chunk.length, start + left)
        hash.update(chunk.subarray(start, stop))
        left -= stop - start
        start = stop
        finishFiles()
      }
    },
    end: () => at >= entries.length && surplus === 0,
  }
}

function bytesOf(entry: ListedEntry | undefined): number {
  return entry?.kind === 'file' ? (entry.bytes ?? 0) : 0
}
