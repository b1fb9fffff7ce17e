import { seededRandom } from '../../primitives/seededRandom'

/** Files of one size, of which there are several: only they can be identical. */
export interface SizeClass {
  /** The length of each file, more than 0. */
  readonly bytes: number
  readonly files: number
  /** The smallest are compared first. */
  readonly priority: number
}

/** The classes of a source, and those that are to be compared. */
export interface ClassDraw {
  /** All classes, and what they would save if their files were identical in each. */
  readonly classes: number
  readonly files: number
  readonly mostSavedBytes: number
  /** The smallest priority first. */
  readonly drawn: readonly SizeClass[]
  /** The smallest priority that was not drawn; null where all were. */
  readonly tau: number | null
}

/** The files of one class that are compared at most: a random part where there are more. */
export const MOST_OF_CLASS = 64

/** The bytes that a class would save if its files were identical. */
export function mostSavedOf({ bytes, files }: Pick<SizeClass, 'bytes' | 'files'>): number {
  return bytes * (files - 1)
}

/** The files of a class that are compared. */
export function comparedOf({ files }: Pick<SizeClass, 'files'>): number {
  return Math.min(files, MOST_OF_CLASS)
}

/**
 * Draws classes of equal size by priority (as `UnitDraw` draws units), the weight of a class being
 * what it would save: the largest are in it for sure, of the others each with a probability that is
 * known, decided by a hash of the size. With tau a class of weight w was drawn with the probability
 * min(1, w · tau).
 * @param sizes of all files, in any order; they are sorted in place
 * @param mostFiles to be compared; one class is drawn at least
 */
export function drawClasses(sizes: Float64Array, mostFiles: number, draw: number): ClassDraw {
  sizes.sort()
  const all: SizeClass[] = []
  let files = 0
  let mostSavedBytes = 0
  for (let from = 0; from < sizes.length; ) {
    const bytes = sizes[from] as number
    let to = from + 1
    while (to < sizes.length && sizes[to] === bytes) to++
    if (bytes > 0 && to - from > 1) {
      const found = { bytes, files: to - from }
      files += found.files
      mostSavedBytes += mostSavedOf(found)
      const uniform = 1 - seededRandom(bytes * 64 + draw).unit()
      all.push({ ...found, priority: uniform / mostSavedOf(found) })
    }
    from = to
  }
  all.sort((one, other) => one.priority - other.priority)
  let compared = 0
  let count = 0
  while (count < all.length) {
    compared += comparedOf(all[count] as SizeClass)
    if (compared > mostFiles && count > 0) break
    count++
  }
  return {
    classes: all.length,
    files,
    mostSavedBytes,
    drawn: all.slice(0, count),
    tau: all[count]?.priority ?? null,
  }
}
