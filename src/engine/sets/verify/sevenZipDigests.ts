import { createHash } from 'node:crypto'
import { listImage, type SevenZipRun, streamContents } from '../../tools/sevenZip'
import type { Found } from '../volume/lists/expectedTree'
import type { Difference } from '../volume/open/difference'
import { filesDone } from '../volume/planned/filesDone'

/**
 * Digest of every file by its place among the entries, as 7-Zip reads an image in one stream, which
 * is cut by the sizes listed. Notes what 7-Zip complains of and where it disagrees.
 */
export async function digestContents(
  run: SevenZipRun,
  entries: readonly ListedEntry[],
  differences: Difference[],
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
    differences.push({ code: 'other-listing', complaints: listing.errors })
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
  if (!digester.end()) differences.push({ code: 'other-stream' })
  for (const complaint of new Set([...listing.errors, ...complaints]))
    differences.push({ code: 'complaint', complaint })
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
