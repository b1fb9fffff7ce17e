import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { isImageTarget, rockRidgeTarget } from '../../../domain/sets/naming/linkTargets'
import type { AppError } from '../../../primitives/appError'
import { attempt, fileFailure, fsPath, joinPath } from '../../files/fileSystem'
import type { ContentPlace } from '../../files/rangeOf'
import type { FoundTool } from '../../tools/externalTool'
import { listImage, type SevenZipRun, streamContents } from '../../tools/sevenZip'
import type { SizedVolume } from '../plannedVolume'
import { compareTrees, type Expected, type Found, mismatch, volumeMismatch } from './expectedTree'
import { type IsoEntry, type IsoTree, readerOf, readIsoTree } from './isoTree'

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
 * Contents are read by 7-Zip, in one stream over the image without scratch space, cut by the sizes listed. 7-Zip cannot
 * show every name as it is, so names, kinds and link targets are read from the directory records by Stowage's own
 * reader; 7-Zip goes through the same records in the same order, and the two must agree on the number of entries and on
 * kind and size of each. Neither shares code with the program that wrote the image.
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
  const { tree, fileBytes } = await readTree(path)
  const failures: AppError[] = []
  if (fileBytes !== volume.sectors * SECTOR) {
    failures.push(
      volumeMismatch(volume.label, `the image has ${fileBytes} bytes instead of ${volume.sectors * SECTOR}`),
    )
  }
  const sectors = Math.floor(fileBytes / SECTOR)
  if ('broken' in tree) {
    return { failures: [...failures, volumeMismatch(volume.label, tree.broken)], sectors, places: new Map() }
  }
  if (tree.label !== volume.label) {
    failures.push(volumeMismatch(volume.label, `the image is labelled "${tree.label}"`))
  }
  const run: SevenZipRun = { tool, directory: options.cwd, image, signal: options.signal }
  const digests = await digestContents(run, tree.entries, volume.label, failures, options.onBytes)
  failures.push(...compareTrees(inRockRidge(expected), foundTree(tree.entries), volume.label))
  const places = new Map<string, ContentPlace>()
  for (const [at, entry] of tree.entries.entries()) {
    const wanted = expected.get(entry.path)
    const digest = digests[at]
    if (wanted?.kind !== 'file' || entry.kind !== 'file' || wanted.bytes !== entry.bytes) continue
    if (digest === wanted.sha256)
      places.set(entry.path, { file: path, offset: entry.offset, bytes: entry.bytes })
    else failures.push(mismatch(volume.label, entry.path, 'its content differs (SHA-256)'))
  }
  return { failures, sectors, places }
}

async function readTree(path: string): Promise<{ tree: IsoTree | { broken: string }; fileBytes: number }> {
  await using file = await attempt('read', path, open(fsPath(path)))
  const fileBytes = (await file.stat()).size
  const tree = await readIsoTree(readerOf(file)).catch((thrown: AppError) => {
    if (thrown.code !== 'verification-failed') throw fileFailure(thrown, 'read', path)
    return { broken: thrown.message }
  })
  return { tree, fileBytes }
}

/** Digest of every file by its place among the entries. Notes what 7-Zip complains of and where it disagrees. */
async function digestContents(
  run: SevenZipRun,
  entries: readonly IsoEntry[],
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
      return item?.isFolder === (entry.kind === 'folder') && item.bytes === entry.bytes
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

/** Cuts a stream of contents into files by their sizes and hashes each. `end` tells whether it came out even. */
export function sequenceDigester(
  entries: readonly Pick<IsoEntry, 'kind' | 'bytes'>[],
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
      left = entries[at]?.bytes ?? 0
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

export function foundTree(entries: readonly IsoEntry[]): Map<string, Found> {
  return new Map(
    entries.map(({ path, kind, bytes, target }): [string, Found] => {
      if (kind === 'symlink') return [path, { kind, target: target ?? '' }]
      return [path, kind === 'folder' ? { kind } : { kind, bytes }]
    }),
  )
}

/** The tree as the format holds it: link targets without doubled or trailing slashes, and no link whose target is too long. */
export function inRockRidge(expected: ReadonlyMap<string, Expected>): Map<string, Expected> {
  return new Map(
    [...expected].flatMap(([path, wanted]): [string, Expected][] => {
      if (wanted.kind !== 'symlink') return [[path, wanted]]
      const { kind, target } = wanted
      return isImageTarget(target) ? [[path, { kind, target: rockRidgeTarget(target) }]] : []
    }),
  )
}
