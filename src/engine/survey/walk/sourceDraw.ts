import { type ClassDraw, drawClasses, MOST_OF_CLASS, type SizeClass } from '../../../domain/look/sizeClasses'
import { type DrawnUnit, placeSeed, UnitDraw } from '../../../domain/look/unitDraw'
import { type EntryBatch, NATIVE_KIND } from '../../native/addon'

/** A file as a walk met it. */
export interface FoundFile {
  readonly rootIndex: number
  /** Below its root, as bytes. */
  readonly path: Uint8Array
  readonly bytes: number
  /** Files with neighbouring numbers often lie next to one another on the disk. */
  readonly inode: number
}

/** The part of a batch of entries that a draw keeps. */
interface KeptColumns {
  readonly first: number
  readonly pathBytes: Uint8Array
  readonly pathEnds: Uint32Array
  readonly rootIndex: Uint32Array
  readonly bytes: Float64Array
  readonly inode: BigUint64Array
  readonly kinds: Uint8Array
}

/** The part of a source that is to be read. */
export interface Drawn {
  /** The smallest priority first. */
  readonly units: readonly DrawnUnit<number>[]
  readonly tau: number | null
  readonly classes: ClassDraw
  /** The files of drawn units and of drawn classes. */
  fileOf(unit: DrawnUnit<number>): FoundFile
  filesOf(one: SizeClass): readonly FoundFile[]
}

/**
 * A look reads as much as a survey of the level `normal` keeps of samples: more bytes hardly narrow
 * its ranges, which follow from the number of units (docs/methods/look.md). Of tiny files no more
 * units are read than fast codecs can see within their budget.
 */
const MOST_BYTES = 96 * 1024 * 1024
const MOST_UNITS = 4096
/** Files that are compared. */
const MOST_FILES = 4000

/**
 * Draws a sample of a source while its entries are listed. Memory grows with the entries, some 80
 * bytes each, until `finish`.
 */
export class SourceDraw {
  readonly #draw: number
  readonly #units: UnitDraw<number>
  readonly #batches: KeptColumns[] = []
  #entries = 0
  #files = 0

  /** @param draw tells one draw of the same source from another; by default 0 */
  constructor(draw = 0) {
    this.#draw = draw
    this.#units = new UnitDraw(MOST_BYTES, MOST_UNITS)
  }

  /** Files that are kept; everything else is passed over. */
  add({ count, pathBytes, pathEnds, rootIndex, bytes, inode, kinds }: EntryBatch): void {
    let start = 0
    for (let index = 0; index < count; index++) {
      const end = pathEnds[index] as number
      if (kinds[index] === NATIVE_KIND.file) {
        this.#files++
        const seed = placeSeed(rootIndex[index] as number, pathBytes, this.#draw, start, end)
        this.#units.add(this.#entries + index, bytes[index] as number, seed)
      }
      start = end
    }
    this.#batches.push({ first: this.#entries, pathBytes, pathEnds, rootIndex, bytes, inode, kinds })
    this.#entries += count
  }

  /** Once, after the last batch; gives the entries' memory back. */
  finish(): Drawn {
    const sizes = new Float64Array(this.#files)
    let at = 0
    for (const { bytes, kinds } of this.#batches)
      for (let index = 0; index < kinds.length; index++)
        if (kinds[index] === NATIVE_KIND.file) sizes[at++] = bytes[index] as number
    const classes = drawClasses(sizes, MOST_FILES, this.#draw)
    const units = this.#units.units()
    const found = new Map<number, FoundFile>()
    for (const { file } of units) if (!found.has(file)) found.set(file, this.#fileAt(file))
    const ofClass = this.#filesOfClasses(classes)
    this.#batches.length = 0
    return {
      units,
      tau: this.#units.tau,
      classes,
      fileOf: ({ file }) => found.get(file) as FoundFile,
      filesOf: ({ bytes }) => ofClass.get(bytes) ?? [],
    }
  }

  /** The files of each drawn class, or those with the smallest hashes. */
  #filesOfClasses({ drawn }: ClassDraw): ReadonlyMap<number, FoundFile[]> {
    const wanted = new Map(drawn.map(({ bytes }) => [bytes, [] as { seed: number; entry: number }[]]))
    for (const { first, pathBytes, pathEnds, rootIndex, bytes, kinds } of this.#batches) {
      for (let index = 0; index < kinds.length; index++) {
        const files = kinds[index] === NATIVE_KIND.file ? wanted.get(bytes[index] as number) : undefined
        if (!files) continue
        const path = pathBytes.subarray(index === 0 ? 0 : pathEnds[index - 1], pathEnds[index])
        files.push({
          seed: placeSeed(rootIndex[index] as number, path, this.#draw + 1),
          entry: first + index,
        })
        if (files.length > 4 * MOST_OF_CLASS) leaveFirst(files)
      }
    }
    return new Map(
      Array.from(wanted, ([bytes, files]) => {
        leaveFirst(files)
        const inOrder = files.map(({ entry }) => this.#fileAt(entry))
        return [bytes, inOrder.toSorted((one, other) => one.inode - other.inode)]
      }),
    )
  }

  #fileAt(entry: number): FoundFile {
    const at = this.#batches.findLastIndex(({ first }) => first <= entry)
    const { first, pathBytes, pathEnds, rootIndex, bytes, inode } = this.#batches[at] as KeptColumns
    const index = entry - first
    return {
      rootIndex: rootIndex[index] as number,
      // A copy: the batch is not kept for the sake of one path.
      path: pathBytes.slice(index === 0 ? 0 : pathEnds[index - 1], pathEnds[index]),
      bytes: bytes[index] as number,
      inode: Number(inode[index]),
    }
  }
}

function leaveFirst(files: { seed: number; entry: number }[]): void {
  files.sort((one, other) => one.seed - other.seed || one.entry - other.entry)
  files.length = Math.min(files.length, MOST_OF_CLASS)
}
