import { type FileClass, fileClassOf, sharedExtension } from './fileClass'
import { sizeBinOf } from './sizeHistogram'
import type { TypeRow } from './surveyDocument'

/** A row with the sizes of its files. */
type CountedType = TypeRow & { bySize: NonNullable<TypeRow['bySize']> }

/** Counts files by extension; made for millions of calls. */
interface TypeTable {
  /**
   * `path` is a name or a path as bytes, or holds one from `start` to `end`; only what follows its
   * last `/` counts.
   */
  add(path: Uint8Array, bytes: number, start?: number, end?: number): void
  /**
   * The `most` extensions with the most bytes, largest first, and one row for the rest if there is
   * any. An extension of two formats has the class of the one with more bytes.
   */
  rows(most: number): CountedType[]
}

/** Longer endings are no types (`notes.for the meeting`). */
const LONGEST_EXTENSION = 16
/**
 * Further extensions go to the rest row, so that a folder of random names cannot fill the memory.
 */
const MOST_EXTENSIONS = 100_000
const SLASH = 0x2f
const DOT = 0x2e

const CHARACTERS = 'abcdefghijklmnopqrstuvwxyz0123456789_+~!#$@-'
/** The place of a byte among the characters that extensions are made of, from 1; 0 for others. */
const PLACE = Uint8Array.from(
  { length: 256 },
  (_, byte) => CHARACTERS.indexOf(String.fromCharCode(byte).toLowerCase()) + 1,
)
const PLACE_BITS = 6
/** Characters whose places fit into the 31 bits of a small integer. */
const SHORT = 5
/** Short extensions, which nearly all are, by the places of their characters. */
const SHORT_TEXTS = new Map<number, string>()

interface Count {
  files: number
  bytes: number
  /** The bytes of files whose size shows the second format of their extension. */
  sharedBytes: number
  /** Few: a type's files are of few magnitudes, and there may be 100,000 types. */
  readonly bySize: [number, number, number][]
}

function emptyCount(): Count {
  return { files: 0, bytes: 0, sharedBytes: 0, bySize: [] }
}

function classOf(extension: string, { bytes, sharedBytes }: Count): FileClass {
  const shared = sharedExtension(extension)
  return shared && sharedBytes > bytes / 2 ? shared.fileClass : fileClassOf(extension)
}

function addTo(count: Count, bin: number, files: number, bytes: number): void {
  count.files += files
  count.bytes += bytes
  const known = count.bySize.find(([place]) => place === bin)
  if (!known) {
    count.bySize.push([bin, files, bytes])
    return
  }
  known[1] += files
  known[2] += bytes
}

function sortedBySize({ bySize }: Count): [number, number, number][] {
  return bySize.map((each): [number, number, number] => [...each]).toSorted(([a], [b]) => a - b)
}

/** A table of nothing yet. */
export function typeTable(): TypeTable {
  const counts = new Map<string, Count>()
  const overflow = emptyCount()
  const countOf = (extension: string): Count => {
    const known = counts.get(extension)
    if (known) return known
    if (counts.size >= MOST_EXTENSIONS) return overflow
    const count = emptyCount()
    counts.set(extension, count)
    return count
  }
  return {
    add(path, bytes, start = 0, end = path.length) {
      const extension = extensionOf(path, start, end)
      const count = countOf(extension)
      addTo(count, sizeBinOf(bytes), 1, bytes)
      if (sharedExtension(extension)?.isOfSize(bytes)) count.sharedBytes += bytes
    },
    rows(most) {
      const sorted = [...counts].toSorted(
        ([a, x], [b, y]) => y.bytes - x.bytes || y.files - x.files || (a < b ? -1 : 1),
      )
      const rows: CountedType[] = sorted.slice(0, most).map(([extension, count]) => ({
        extension,
        fileClass: classOf(extension, count),
        files: count.files,
        bytes: count.bytes,
        bySize: sortedBySize(count),
      }))
      const rest = emptyCount()
      for (const count of [overflow, ...sorted.slice(most).map(([, each]) => each)])
        for (const [bin, files, bytes] of count.bySize) addTo(rest, bin, files, bytes)
      if (rest.files > 0)
        rows.push({
          extension: null,
          fileClass: 'other',
          files: rest.files,
          bytes: rest.bytes,
          bySize: sortedBySize(rest),
        })
      return rows
    },
  }
}

/**
 * The extension of a name in bytes: what follows its last dot, in lower case. None (empty) when
 * there is no dot, only a leading one, nothing behind it, or something that is not a short word of
 * ASCII letters and digits.
 */
export function extensionOf(path: Uint8Array, start = 0, end = path.length): string {
  let places = 0
  for (let at = end - 1; at > start; at--) {
    const byte = path[at] as number
    const length = end - 1 - at
    if (byte === DOT) {
      if (length === 0 || path[at - 1] === SLASH) return ''
      return length > SHORT ? textOf(path, at + 1, end) : shortText(places, path, at + 1, end)
    }
    const place = PLACE[byte] as number
    if (place === 0 || length === LONGEST_EXTENSION) return ''
    if (length < SHORT) places = (places << PLACE_BITS) | place
  }
  return ''
}

/** The same text each time, so that a map finds what belongs to it at once. */
function shortText(places: number, path: Uint8Array, start: number, end: number): string {
  const found = SHORT_TEXTS.get(places)
  if (found !== undefined) return found
  const text = textOf(path, start, end)
  if (SHORT_TEXTS.size < MOST_EXTENSIONS) SHORT_TEXTS.set(places, text)
  return text
}

function textOf(path: Uint8Array, start: number, end: number): string {
  let text = ''
  for (let at = start; at < end; at++) text += CHARACTERS[(PLACE[path[at] as number] as number) - 1]
  return text
}
