import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import type { DamagedFolders } from '../../../domain/sets/damagedFolders'
import { AppError } from '../../../primitives/appError'
import { said } from '../../../primitives/said'
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
import { filesDone } from '../volume/filesDone'
import { damageIn, openImage } from '../volume/image'
import { SECTOR } from '../volume/imageTree'
import type { SizedVolume } from '../volume/plannedVolume'

export interface VolumeCheck {
  readonly failures: readonly AppError[]
  readonly sectors: number | null
  /** By path on the volume, for files whose digest was right. */
  readonly places: ReadonlyMap<string, ContentPlace>
  /** Only of an image with damaged folders. */
  readonly damagedFolders?: DamagedFolders | undefined
}

export interface VerifyOptions {
  /** The folder of the plan. */
  readonly directory: string
  readonly signal: AbortSignal
  readonly onBytes: (done: number, files?: number) => void
}

/** 7-Zip, and the folder of the plan as it can take it. */
export interface ImageReader {
  readonly tool: FoundTool
  readonly cwd: string
}

/**
 * Reads a whole image of xorriso back and compares it with what must be on it.
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
  reader: ImageReader,
  expected: ReadonlyMap<string, Expected>,
  options: VerifyOptions,
): Promise<VolumeCheck> {
  const { label } = volume
  const { path, sectors, failures } = await measuredImage(volume, options.directory)
  const opened = await openedImage(path)
  if (opened instanceof AppError)
    return { failures: [...failures, volumeMismatch(label, opened.message)], sectors, places: new Map() }
  const found = await opened.tree(options.signal)
  const run: SevenZipRun = {
    tool: reader.tool,
    format: 'iso',
    directory: reader.cwd,
    image: volume.places.image,
    signal: options.signal,
  }
  const digests = await digestContents(run, [...found.values()], label, failures, options.onBytes)
  const byPath = new Map([...found.keys()].map((name, at) => [name, digests[at]]))
  const places = await compareImage(volume, opened, expected, (name) => byPath.get(name), failures)
  return { failures, sectors, places }
}

export async function measuredImage(
  volume: SizedVolume,
  directory: string,
): Promise<{ path: string; sectors: number; failures: AppError[] }> {
  const path = joinPath(directory, volume.places.image)
  const { size } = await attempt('read', path, stat(fsPath(path)))
  const planned = volume.sectors * SECTOR
  const because = said`the image has ${size} bytes instead of ${planned}`
  const failures = size === planned ? [] : [volumeMismatch(volume.label, because)]
  return { path, sectors: Math.floor(size / SECTOR), failures }
}

/** The image, or the reason why its folders cannot be read. */
export function openedImage(path: string): Promise<LabelledImage | AppError> {
  return openImage(path).catch(damageIn)
}

export type LabelledImage = Awaited<ReturnType<typeof openImage>>

/**
 * Compares names, kinds, sizes and targets, and the digest of every file.
 * @returns the places of files that are right
 */
export async function compareImage(
  { label }: SizedVolume,
  image: LabelledImage,
  expected: ReadonlyMap<string, Expected>,
  digestOf: (name: string, place: ContentPlace) => string | undefined,
  failures: AppError[],
): Promise<Map<string, ContentPlace>> {
  if (image.label !== label)
    failures.push(volumeMismatch(label, said`the image is labelled "${image.label}"`))
  const found = await image.tree(new AbortController().signal)
  failures.push(...compareTrees(inRockRidge(expected), found, label))
  const places = new Map<string, ContentPlace>()
  for (const [name, is] of found) {
    const wanted = expected.get(name)
    if (wanted?.kind !== 'file' || is.kind !== 'file' || wanted.bytes !== is.bytes) continue
    const place = await image.placeOf(name)
    if (place && digestOf(name, place) === wanted.sha256) places.set(name, place)
    else failures.push(mismatch(label, name, said`its content differs (SHA-256)`))
  }
  return places
}

/**
 * Digest of every file by its place among the entries. Notes what 7-Zip complains of and where it
 * disagrees.
 */
export async function digestContents(
  run: SevenZipRun,
  entries: readonly ListedEntry[],
  label: string,
  failures: AppError[],
  onBytes: (done: number, files: number) => void,
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
    const because = listing.errors.length > 0 ? said` (${listing.errors.join('; ')})` : ''
    failures.push(volumeMismatch(label, said`7-Zip lists other files than the image's directory${because}`))
    return digests
  }
  const digester = sequenceDigester(entries, digests)
  const filesAt = filesDone(entries.filter(({ kind }) => kind === 'file').map(bytesOf))
  let total = 0
  const complaints = await streamContents(run, (chunk) => {
    digester.push(chunk)
    total += chunk.length
    onBytes(total, filesAt(total))
  })
  if (!digester.end())
    failures.push(volumeMismatch(label, said`7-Zip extracted more or fewer bytes than it listed`))
  for (const complaint of new Set([...listing.errors, ...complaints])) {
    failures.push(volumeMismatch(label, said`7-Zip: ${complaint}`))
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
