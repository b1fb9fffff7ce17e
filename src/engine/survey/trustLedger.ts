import type { GroupedIds } from '../catalog/catalog'
import type { EntryBatch, SketchInput } from '../native/addon'
import { NATIVE_KIND, NO_FILE_NUMBER } from '../native/addon'
import { GONE_FILE } from '../native/sketches'
import type { KnownFiles } from './earlierSurvey'

const DIGEST_BYTES = 16

/** Keeps account of what a pass read and what it took over from the earlier survey. */
export interface TrustLedger {
  /** To be called once for the entries `from` (included) to `to`, before they are stored. */
  add(batch: EntryBatch, from: number, to: number, firstId: number): void
  /** A file's digest, from wherever it is known. */
  digestOf(batch: EntryBatch, index: number): Uint8Array
  /** The id that a trusted file's entry has in the earlier survey; undefined for everything else. */
  earlierEntryOf(batch: EntryBatch, index: number): number | undefined
  counts(): { trustedFiles: number; trustedBytes: number; readFiles: number; readBytes: number }
  /** An order of the earlier survey's files, by the ids of entries, as one of this survey's: those that were read come last. */
  orderCarried(earlierIds: Uint32Array): Uint32Array
  /** Groups of the earlier survey's files as ones of this survey's: each file that was read is a group of its own. */
  groupsCarried(earlier: GroupedIds): GroupedIds
  /** What has to be united to have the sketch of all entries added so far: the earlier sketch's trusted files, and those read. */
  inputs(earlierSketch: string, readSketch: string): SketchInput[]
}

/** @param known null when nothing is trusted */
export function trustLedger(known: KnownFiles | null): TrustLedger {
  const kept = new Uint32Array(known?.numbers ?? 0).fill(GONE_FILE)
  const keptEntries = new Uint32Array(known?.numbers ?? 0)
  const readEntries = idList()
  const counts = { trustedFiles: 0, trustedBytes: 0, readFiles: 0, readBytes: 0 }
  let numbers = 0
  return {
    add(batch, from, to, firstId) {
      for (let index = from; index < to; index++) {
        const number = batch.fileNumbers[index] ?? NO_FILE_NUMBER
        if (number !== NO_FILE_NUMBER) numbers = Math.max(numbers, number + 1)
        if (batch.kinds[index] !== NATIVE_KIND.file) {
          counts.readBytes += batch.bytes[index] ?? 0
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
    orderCarried: (earlierIds) => joined(carried(earlierIds, known, kept, keptEntries), readEntries.ids()),
    groupsCarried({ ids, groups }) {
      const read = readEntries.ids()
      const stays = keptNumbers(known, kept)
      const staying = groups.filter((_, at) => stays.has(ids[at] ?? 0))
      const next = staying.reduce((most, group) => Math.max(most, group + 1), 0)
      return {
        ids: joined(carried(ids, known, kept, keptEntries), read),
        groups: joined(
          staying,
          read.map((_, at) => next + at),
        ),
      }
    },
    counts: () => ({ ...counts }),
    inputs: (earlierSketch, readSketch) => [
      { path: earlierSketch, fileMap: kept.slice() },
      { path: readSketch, fileMap: upTo(numbers) },
    ],
  }
}

/** The entries of this survey that those of the earlier one have become, without those that are gone. */
function carried(
  earlierIds: Uint32Array,
  known: KnownFiles | null,
  kept: Uint32Array,
  keptEntries: Uint32Array,
): Uint32Array {
  const numbers = keptNumbers(known, kept)
  return earlierIds.filter((id) => numbers.has(id)).map((id) => keptEntries[numbers.get(id) ?? 0] ?? 0)
}

/** The earlier survey's file numbers by the ids of their entries, without those that are gone. */
function keptNumbers(known: KnownFiles | null, kept: Uint32Array): ReadonlyMap<number, number> {
  const numbers = new Map<number, number>()
  for (let number = 0; number < kept.length; number++) {
    if (kept[number] !== GONE_FILE) numbers.set(known?.entryIds[number] ?? 0, number)
  }
  return numbers
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
