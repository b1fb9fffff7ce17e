import { FILE_CLASSES, type FileClass } from './fileClass'
import type { Contents, ContentsSum, YearBytes } from './folderContents'

/** Classes that a sum names. */
const MOST_CLASSES = 3

/**
 * Bytes by key, as pairs in one array: a key, its bytes, and so on. A folder mostly has few keys,
 * and a source has many folders.
 */
type Tally = number[]

function put(tally: Tally | null, key: number, bytes: number): Tally {
  if (tally === null) return [key, bytes]
  for (let at = 0; at < tally.length; at += 2) {
    if (tally[at] !== key) continue
    tally[at + 1] = (tally[at + 1] as number) + bytes
    return tally
  }
  tally.push(key, bytes)
  return tally
}

function putAll(tally: Tally | null, more: Tally | null): Tally | null {
  if (more === null) return tally
  if (tally === null) return [...more]
  for (let at = 0; at < more.length; at += 2) put(tally, more[at] as number, more[at + 1] as number)
  return tally
}

/** The pairs that have bytes. */
function pairsOf(tally: Tally): [key: number, bytes: number][] {
  const pairs: [number, number][] = []
  for (let at = 0; at < tally.length; at += 2)
    if ((tally[at + 1] as number) > 0) pairs.push([tally[at] as number, tally[at + 1] as number])
  return pairs
}

/** Counts the bytes of files by class and year; made for millions of calls. */
export class ContentsTally {
  #classes: Tally | null = null
  #years: Tally | null = null

  /** A file; one without bytes counts for nothing. @param bytes less than 0 takes it out again */
  add(fileClass: FileClass, year: number, bytes: number): void {
    if (bytes === 0) return
    this.#classes = put(this.#classes, PLACE[fileClass], bytes)
    this.#years = put(this.#years, year, bytes)
  }

  addAll(more: ContentsTally): void {
    this.#classes = putAll(this.#classes, more.#classes)
    this.#years = putAll(this.#years, more.#years)
  }

  contents(): Contents {
    return {
      classes: pairsOf(this.#classes ?? [])
        .toSorted(([one, most], [other, than]) => than - most || one - other)
        .map(([place, bytes]) => ({ fileClass: FILE_CLASSES[place] as FileClass, bytes })),
      years: pairsOf(this.#years ?? [])
        .toSorted(([one], [other]) => one - other)
        .map(([year, bytes]) => ({ year, bytes })),
    }
  }

  sum(): ContentsSum {
    const { classes, years } = this.contents()
    return { classes: classes.slice(0, MOST_CLASSES), years: yearsOf(years) }
  }
}

const PLACE = Object.fromEntries(FILE_CLASSES.map((each, place) => [each, place])) as Readonly<
  Record<FileClass, number>
>

function yearsOf(years: readonly YearBytes[]): ContentsSum['years'] {
  const [first, last] = [years[0], years.at(-1)]
  if (!first || !last) return null
  const half = years.reduce((sum, { bytes }) => sum + bytes, 0) / 2
  let sum = 0
  const middle = years.find(({ bytes }) => (sum += bytes) >= half) ?? last
  return { first: first.year, last: last.year, middle: middle.year }
}
