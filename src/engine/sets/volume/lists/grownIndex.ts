import { generationAsOf } from '../../../../domain/sets/growing/asOf'
import { isInside } from '../../../../domain/sets/naming/volumePaths'
import {
  type Generation,
  generationsIn,
  type HistoryLine,
  historyIn,
  isOfContainer,
  lineNumbersIn,
} from './historyLines'
import { type IndexRow, indexId, readRow, type SetIndex, unescaped, volumesIn } from './setIndex'

/** The index of a plan that adds to earlier ones, with all that it says of those. */
export interface GrownIndex {
  readonly generations: readonly Generation[]
  /** Every content of every generation: by it volumes are known, and what is on them. */
  readonly all: SetIndex
  /** The source as it was in a generation; now without one. @throws AppError as `generationAsOf` */
  asOf(wanted: string | undefined): SetIndex
  /** True for the index of one of the earlier plans, by its SHA-256. */
  knows(setId: string): boolean
}

/** Reads the index of a plan that adds to earlier ones; null for one that does not. */
export function grownIndex(text: Buffer): GrownIndex | null {
  const bytes = text.toString('latin1')
  const generations = generationsIn(bytes)
  if (generations.length === 0) return null
  const lines = historyIn(bytes)
  const lineNumbers = lineNumbersIn(bytes)
  const numbers = volumeNumbers(lines)
  const rowOfLine = lines.map((line) => rowOf(line, numbers))
  const id = indexId(text)
  const indexOf = (generation: number, isChosen: (line: HistoryLine) => boolean): SetIndex => {
    const rows: IndexRow[] = []
    const unreadable: number[] = []
    for (const [at, line] of lines.entries()) {
      if (!isChosen(line)) continue
      const row = rowOfLine[at] ?? null
      if (row === null) unreadable.push(lineNumbers[at] ?? 0)
      else rows.push(row)
    }
    return { id, rows, unreadable, volumes: volumesIn(rows), generation }
  }
  const newest = generations.at(-1)?.generation ?? 1
  return {
    generations,
    all: indexOf(newest, () => true),
    asOf(wanted) {
      const generation = wanted === undefined ? newest : generationAsOf(wanted, generations)
      return indexOf(
        generation,
        (line) => isOfContainer(line) || (line.since <= generation && generation <= line.until),
      )
    },
    knows: (setId) => generations.some((one) => one.setId === setId),
  }
}

/** Numbers of volumes over all generations, in the order in which they were planned. */
function volumeNumbers(lines: readonly HistoryLine[]): ReadonlyMap<string, number> {
  const volumes = new Map(lines.map(({ on }) => [keyOf(on), on]))
  const inOrder = [...volumes.values()].toSorted(
    (one, other) => one.generation - other.generation || one.volume - other.volume,
  )
  return new Map(inOrder.map((on, at) => [keyOf(on), at + 1]))
}

function keyOf({ generation, volume }: HistoryLine['on']): string {
  return `${generation}:${volume}`
}

/** A line whose characters are bytes as a row; null where it does not have the right shape. */
function rowOf({ facts, on, at }: HistoryLine, numbers: ReadonlyMap<string, number>): IndexRow | null {
  const line = [numbers.get(keyOf(on)) ?? 0, on.label, ...facts, on.sector].join('\t')
  const row = readRow(line)
  if (row === null) return null
  const lies = at === '' ? row.path : unescaped(at)
  return lies === null || !isInside(lies) ? null : { ...row, at: lies }
}
