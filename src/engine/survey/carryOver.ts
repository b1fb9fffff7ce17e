import type { PassCounts } from '../../domain/survey/carriedFigures'
import type { FileForecasts, GroupedIds } from '../catalog/catalog'
import type { EntryBatch } from '../native/addon'
import { NATIVE_KIND, NO_FILE_NUMBER } from '../native/addon'
import type { SketchInput } from '../native/sketches'
import { GONE_FILE } from '../native/sketches'
import type { KnownFiles } from './earlierSurvey'

const DIGEST_BYTES = 16

/** Keeps account of what a pass read and what it took over from the earlier survey. */
export interface CarryOver {
  /** To be called once for the entries `from` (included) to `to`, before they are stored. */
  add(batch: EntryBatch, from: number, to: number, firstId: number): void
  /** A file's digest, from wherever it is known. */
  digestOf(batch: EntryBatch, index: number): Uint8Array
  /**
   * The id that a trusted file's entry has in the earlier survey; undefined for everything else.
   */
  earlierEntryOf(batch: EntryBatch, index: number): number | undefined
  counts(): PassCounts
  /** By the number of a file in the earlier survey: its number in this one, or `GONE_FILE`. */
  fileMap(): Uint32Array
  /**
   * An order of the earlier survey's files, by the ids of entries, as one of this survey's: those
   * that were read come last.
   */
  orderCarried(earlierIds: Uint32Array): Uint32Array
  /**
   * Groups of the earlier survey's files as ones of this survey's: each file that was read is a
   * group of its own.
   */
  groupsCarried(earlier: GroupedIds): GroupedIds
  /** The forecasts of files that are still there as they were. */
  packedCarried(earlier: FileForecasts): FileForecasts
  /**
   * The sketches to unite for that of all entries added so far: the earlier sketch's trusted files,
   * and those read.
   */
  inputs(earlierSketch: string, readSketch: string): SketchInput[]
}

/** @param known null when nothing is trusted */
export function carryOver(known: KnownFiles | null): CarryOver {
  const kept = new Uint32Array(known?.numbers ?? 0).fill(GONE_FILE)
  const keptEntries = new Uint32Array(known?.numbers ?? 0)
  const readEntries = idList()
  const counts = { trustedFiles: 0, trustedBytes: 0, readFiles: 0, readBytes: 0 }
  const halfRead: number[] = []
  let numbers = 0
  return {
    add(batch, from, to, firstId) {
      for (let index = from; index < to; index++) {
        const number = batch.fileNumbers[index] ?? NO_FILE_NUMBER
        if (number !== NO_FILE_NUMBER) numbers = Math.max(numbers, number + 1)
        if (batch.kinds[index] !== NATIVE_KIND.file) {
          // The pass may have counted the beginning of a file that could not be read to its end.
          if (number !== NO_FILE_NUMBER) halfRead.push(number)
          continue
        }
        const old = batch.trustedAs[index] ?? NO_FILE_NUMBER
        if (old === NO_FILE_NUMBER) {
          counts.readFiles += 1
          if (known) readEntries.add(firstId + index)
          counts.readBytes += batch.bytes[index] ?? 0
        } else {
          kept[old] = number
          keptEntries[old] = firstId + index
          counts.trustedFiles += 1
          counts.trustedBytes += batch.bytes[index] ?? 0
        }
      }
    },
    digestOf(batch, index) {
      const old = batch.trustedAs[index] ?? NO_FILE_NUMBER
      return known && old !== NO_FILE_NUMBER
        ? known.digests.subarray(DIGEST_BYTES * old, DIGEST_BYTES * (old + 1))
        : batch.digests.subarray(DIGEST_BYTES * index, DIGEST_BYTES * (index + 1))
    },
    earlierEntryOf(batch, index) {
      const old = batch.trustedAs[index] ?? NO_FILE_NUMBER
      return old === NO_FILE_NUMBER ? undefined : known?.entryIds[old]
    },
    orderCarried(earlierIds) {
      const [staying] = stayed(earlierIds, earlierIds, becameById(known, kept, keptEntries))
      return joined(staying, readEntries.ids())
    },
    groupsCarried({ ids, groups, names }) {
      const [staying, theirGroups] = stayed(ids, groups, becameById(known, kept, keptEntries))
      const read = readEntries.ids()
      let next = 0
      for (const group of theirGroups) next = Math.max(next, group + 1)
      return {
        ids: joined(staying, read),
        groups: joined(
          theirGroups,
          read.map((_, at) => next + at),
        ),
        ...(names && { names }),
      }
    },
    packedCarried({ ids, bytes }) {
      const bits = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length)
      const [staying, theirBits] = stayed(ids, bits, becameById(known, kept, keptEntries))
      return { ids: staying, bytes: new Float32Array(theirBits.slice().buffer) }
    },
    counts: () => ({ ...counts }),
    fileMap: () => kept,
    inputs(earlierSketch, readSketch) {
      const read = upTo(numbers)
      for (const number of halfRead) read[number] = GONE_FILE
      return [
        { path: earlierSketch, fileMap: kept.slice() },
        { path: readSketch, fileMap: read },
      ]
    },
  }
}

/**
 * For each entry of the earlier survey the ID of the entry of this one that it has become:
 * `GONE_FILE` where there is none.
 */
function becameById(known: KnownFiles | null, kept: Uint32Array, keptEntries: Uint32Array): Uint32Array {
  let length = 0
  for (let number = 0; number < kept.length; number++) {
    length = Math.max(length, (known?.entryIds[number] ?? 0) + 1)
  }
  const became = new Uint32Array(length).fill(GONE_FILE)
  for (let number = 0; number < kept.length; number++) {
    if (kept[number] === GONE_FILE) continue
    became[known?.entryIds[number] ?? 0] = keptEntries[number] as number
  }
  return became
}

/**
 * The entries of this survey that those of the earlier one have become, and what belongs to each,
 * without those that are gone.
 */
function stayed(
  earlierIds: Uint32Array,
  values: Uint32Array,
  became: Uint32Array,
): [ids: Uint32Array, values: Uint32Array] {
  const ids = new Uint32Array(earlierIds.length)
  const theirs = new Uint32Array(earlierIds.length)
  let count = 0
  for (let at = 0; at < earlierIds.length; at++) {
    const id = became[earlierIds[at] as number] ?? GONE_FILE
    if (id === GONE_FILE) continue
    ids[count] = id
    theirs[count++] = values[at] as number
  }
  return [ids.subarray(0, count), theirs.subarray(0, count)]
}

function joined(one: Uint32Array, other: Uint32Array): Uint32Array {
  const both = new Uint32Array(one.length + other.length)
  both.set(one)
  both.set(other, one.length)
  return both
}

/** Four bytes a number, where an array of numbers would take more. */
function idList(): { add(id: number): void; ids(): Uint32Array } {
  let list: Uint32Array = new Uint32Array(64)
  let length = 0
  return {
    add(id) {
      if (length === list.length) list = joined(list, new Uint32Array(length))
      list[length++] = id
    },
    ids: () => list.slice(0, length),
  }
}

/** 0, 1, 2 and so on. */
function upTo(count: number): Uint32Array {
  const numbers = new Uint32Array(count)
  for (let number = 0; number < count; number++) numbers[number] = number
  return numbers
}
