import { rm } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { fsPath, joinPath } from '../../files/fileSystem'
import { type ContentPlace, rangeOf } from '../../files/read'
import { writeNewFile } from '../../files/write'
import type { DescribedFile } from '../../protection/par2Reading'
import { type BlockStates, repairLost } from '../../protection/par2Repair'
import { usualMemory } from '../../protection/usualMemory'
import { isRepairable, type SetState } from './volumeRecovery'

/**
 * Writes the damaged files of all sets that can be repaired to a folder, each of them whole.
 * @param isWanted true for files that are needed, by their names in the set
 * @param folder an empty one, which whoever made it removes
 * @returns where each of them is, by its name in the set
 * @throws AppError `io`, `no-space`, `cancelled`
 */
export async function repairedFiles(
  states: readonly SetState[],
  isWanted: (name: string) => boolean,
  folder: string,
  watch: { readonly signal: AbortSignal; readonly onBytes?: (done: number) => void },
): Promise<Map<string, ContentPlace>> {
  const repaired = new Map<string, ContentPlace>()
  for (const state of states) {
    const { set, states: blocks } = state
    const wanted = [...new Set(blocks.lost.map(({ file }) => file))].filter(({ name }) => isWanted(name))
    if (wanted.length === 0 || !isRepairable(state)) continue
    const output = joinPath(folder, `${set.identity}.blocks`)
    const how = { output, memoryBytes: usualMemory(), threads: availableParallelism() }
    if (await repairLost(set, blocks, how, watch)) {
      const pieces = piecesOf(blocks, output)
      for (const file of wanted) {
        const place = {
          file: joinPath(folder, `${set.identity}.${file.firstBlock}`),
          offset: 0,
          bytes: file.bytes,
        }
        await writeNewFile(place.file, contentOf(pieces.get(file) ?? [], watch.signal), watch)
        repaired.set(file.name, place)
      }
    }
    await rm(fsPath(output), { force: true })
  }
  return repaired
}

interface Piece {
  readonly file: DescribedFile
  /** In the file. */
  readonly at: number
  readonly place: ContentPlace
}

/** The blocks of each file: undamaged ones on the volume, all others among the repaired ones. */
function piecesOf({ good, lost }: BlockStates, repaired: string): Map<DescribedFile, Piece[]> {
  const pieces = good.map(({ file, offset: at, path, place, bytes }): Piece => {
    return { file, at, place: { file: path, offset: place, bytes } }
  })
  let offset = 0
  for (const { file, offset: at, bytes } of lost) {
    pieces.push({ file, at, place: { file: repaired, offset, bytes } })
    offset += bytes
  }
  return Map.groupBy(pieces, ({ file }) => file)
}

async function* contentOf(pieces: readonly Piece[], signal: AbortSignal): AsyncGenerator<Buffer> {
  for (const { place } of pieces.toSorted((one, other) => one.at - other.at)) yield* rangeOf(place, signal)
}
