/** A file of an archive. Texts hold one byte a character, so that they compare as the bytes do. */
export interface OrderedFile {
  /** Its path in the archive, `/` between names. */
  readonly path: string
  readonly bytes: number
  readonly mtimeNs: bigint
}

/**
 * As 7-Zip orders the files of an archive by default, and tar those of a sorted list: by the bytes
 * of their paths.
 */
export function comparePaths(one: OrderedFile, other: OrderedFile): number {
  return compareTexts(one.path, other.path)
}

/**
 * Files of one extension as 7-Zip orders them with `-mqs=on`: by name, time and size, so that files
 * of one name in several folders follow one another (CPP/7zip/Archive/7z/7zUpdate.cpp,
 * CompareUpdateItems). Extensions come before: 7-Zip has an order of its own for those that it
 * knows; here they are in that of the alphabet.
 */
export function compareNames(one: OrderedFile, other: OrderedFile): number {
  const bases = compareTexts(baseOf(one.path), baseOf(other.path))
  if (bases !== 0) return bases
  if (one.mtimeNs !== other.mtimeNs) return one.mtimeNs < other.mtimeNs ? -1 : 1
  return one.bytes - other.bytes || comparePaths(one, other)
}

function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}

function baseOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/**
 * The first key of the order by types: all behind the last dot, in small letters. Empty where there
 * is none.
 */
export function orderedExtension(path: string): string {
  const dot = path.lastIndexOf('.')
  return dot > path.lastIndexOf('/') ? path.slice(dot + 1).toLowerCase() : ''
}
