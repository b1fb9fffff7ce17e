import { generationAsOf } from '../../../domain/sets/growing/asOf'
import { isInside } from '../../../domain/sets/naming/volumePaths'
import { type Generation, generationsIn, type HistoryLine, historyIn } from './historyLines'
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
  const utf8 = text.toString('utf8')
  const generations = generationsIn(utf8)
  if (generations.length === 0) return null
  const lines = historyIn(utf8)
  const numbers = volumeNumbers(lines)
  const id = indexId(text)
  const indexOf = (chosen: readonly HistoryLine[], generation: number): SetIndex => {
    const rows: IndexRow[] = []
    let unreadable = 0
    for (const line of chosen) {
      const row = rowOf(line, numbers)
      if (row === null) unreadable += 1
      else rows.push(row)
    }
    return {
      id,
      rows,
      unreadable: Array<number>(unreadable).fill(0),
      volumes: volumesIn(rows),
      generation,
    }
  }
  const newest = generations.at(-1)?.generation ?? 1
  return {
    generations,
    all: indexOf(lines, newest),
    asOf(wanted) {
      const generation = wanted === undefined ? newest : generationAsOf(wanted, generations)
      const valid = lines.filter(({ since, until }) => since <= generation && generation <= until)
      return indexOf(valid, generation)
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

function rowOf({ facts, on, at }: HistoryLine, numbers: ReadonlyMap<string, number>): IndexRow | null {
  const line = [numbers.get(keyOf(on)) ?? 0, on.label, ...facts, on.sector].join('\t')
  const row = readRow(Buffer.from(line, 'utf8').toString('latin1'))
  if (row === null) return null
  const lies = at === '' ? row.path : unescaped(Buffer.from(at, 'utf8').toString('latin1'))
  return lies === null || !isInside(lies) ? null : { ...row, at: lies }
}
