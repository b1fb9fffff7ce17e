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

/** Lower case of the characters that extensions are made of, empty for every other byte. */
const LOWER: readonly string[] = Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte).toLowerCase()
  return byte < 0x80 && /^[a-z0-9_+~!#$@-]$/.test(character) ? character : ''
})

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
  let extension = ''
  for (let at = end - 1; at > start; at--) {
    const byte = path[at] as number
    if (byte === DOT) return path[at - 1] === SLASH ? '' : extension
    const character = LOWER[byte] as string
    if (character === '' || extension.length === LONGEST_EXTENSION) return ''
    extension = character + extension
  }
  return ''
}
