import { basename } from 'node:path'
import {
  compareNames,
  comparePaths,
  type OrderedFile,
  orderedExtension,
} from '../../../domain/forecast/fileOrders'
import { type DigestNumbers, digestNumbers } from '../../../domain/survey/digestNumbers'
import { pathToBytes } from '../../../primitives/pathText'
import { type Pause, slowly } from '../../jobs/slowly'
import { type EntryBatch, NATIVE_KIND, NO_FILE_NUMBER } from '../../native/addon'

/** A file that the pass read whole. */
export interface SolidFile extends OrderedFile {
  /** By which the anchors name it. */
  readonly number: number
  /** The ID of its entry in the catalog. */
  readonly id: number
  readonly rootIndex: number
  /** How much of `path` stands for its root. */
  readonly rootLength: number
  /** Equal for files with the same content. */
  readonly content: number
}

/** Collects the files of a survey as they come. */
export interface SolidFiles {
  add(batch: EntryBatch, firstId: number): void
  readonly files: readonly SolidFile[]
}

/**
 * With several roots the archive's paths begin with the roots' names, as when each is named on the
 * command line.
 */
export function solidFiles(roots: readonly string[], digests: DigestNumbers = digestNumbers()): SolidFiles {
  const files: SolidFile[] = []
  const prefixes = roots.map((root) =>
    roots.length === 1 ? '' : `${Buffer.from(pathToBytes(basename(root))).toString('latin1')}/`,
  )
  return {
    files,
    add(batch, firstId) {
      let start = 0
      for (let index = 0; index < batch.count; index++) {
        const end = batch.pathEnds[index] ?? 0
        const number = batch.fileNumbers[index] ?? NO_FILE_NUMBER
        if (batch.kinds[index] === NATIVE_KIND.file && number !== NO_FILE_NUMBER) {
          const rootIndex = batch.rootIndex[index] ?? 0
          const prefix = prefixes[rootIndex] ?? ''
          files.push({
            number,
            id: firstId + index,
            rootIndex,
            rootLength: prefix.length,
            content: digests.numberOf(batch.digests, 16 * index),
            path: prefix + Buffer.from(batch.pathBytes.subarray(start, end)).toString('latin1'),
            bytes: batch.bytes[index] ?? 0,
            mtimeNs: batch.mtimeNs[index] ?? 0n,
          })
        }
        start = end
      }
    },
  }
}

/** The number of files that are sorted without a pause: some milliseconds. */
const SLICE = 4096
/** The number that is merged before the clock is asked. */
const MERGE_SLICE = 256

/** Sorts without holding the thread: slices first, then merges, with pauses between. */
export async function sortedSlowly<T>(
  items: readonly T[],
  compare: (one: T, other: T) => number,
  pause: Pause,
): Promise<T[]> {
  let slices: T[][] = []
  for (let at = 0; at < items.length; at += SLICE) {
    slices.push(items.slice(at, at + SLICE).toSorted(compare))
    await pause()
  }
  while (slices.length > 1) {
    const merged: T[][] = []
    for (let at = 0; at < slices.length; at += 2) {
      const [one = [], other] = [slices[at], slices[at + 1]]
      merged.push(other ? await mergedSlowly(one, other, compare, pause) : one)
    }
    slices = merged
  }
  return slices[0] ?? []
}

async function mergedSlowly<T>(
  one: readonly T[],
  other: readonly T[],
  compare: (one: T, other: T) => number,
  pause: Pause,
): Promise<T[]> {
  const merged: T[] = []
  let [i, j] = [0, 0]
  while (i < one.length || j < other.length) {
    const fromOne = j >= other.length || (i < one.length && compare(one[i] as T, other[j] as T) <= 0)
    merged.push((fromOne ? one[i++] : other[j++]) as T)
    if (merged.length % MERGE_SLICE === 0) await pause()
  }
  return merged
}

/** The files in the order of a sorted list of their paths. */
export function byPath(files: readonly SolidFile[], pause: Pause): Promise<SolidFile[]> {
  return sortedSlowly(files, comparePaths, pause)
}

/**
 * The files in the order of their types and names: extensions are compared once, not in every
 * comparison.
 */
export async function byType(files: readonly SolidFile[], pause: Pause): Promise<SolidFile[]> {
  const ofTypes = new Map<string, SolidFile[]>()
  await slowly(files, pause, (file) => {
    const extension = orderedExtension(file.path)
    const same = ofTypes.get(extension)
    if (same) same.push(file)
    else ofTypes.set(extension, [file])
  })
  const sorted: SolidFile[] = []
  for (const extension of [...ofTypes.keys()].toSorted()) {
    const same = await sortedSlowly(ofTypes.get(extension) as SolidFile[], compareNames, pause)
    await slowly(same, pause, (file) => sorted.push(file))
  }
  return sorted
}

/** The numbers by which anchors name files. */
export async function numbersOf(files: readonly SolidFile[], pause: Pause): Promise<Uint32Array> {
  const numbers = new Uint32Array(files.length)
  await slowly(files, pause, (file, at) => {
    numbers[at] = file.number
  })
  return numbers
}
