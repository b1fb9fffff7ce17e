import { joinPath } from '../../files/fileSystem'
import { type PlaceNotes, withTempFolder } from '../../files/scratch'
import { newId } from '../../jobs/newId'
import { throwIfAborted } from '../../jobs/throwIfAborted'
import { namesForTarget } from '../restore/restoredNames'
import { seemsRestored } from '../restore/seemsRestored'
import { targetTraits } from '../restore/targetTraits'
import type { Wanted, WantedFile } from '../restore/wantedFiles'
import type { IndexRow } from '../volume/lists/setIndex'

/**
 * The wanted files that are not in a target with their size and time. No file of it is read.
 * @param to a folder
 * @param rows of the whole set
 */
export async function notYetRestored(
  to: string,
  wanted: Wanted,
  rows: readonly IndexRow[],
  { notes, signal }: { readonly notes: PlaceNotes; readonly signal: AbortSignal },
): Promise<readonly WantedFile[]> {
  return withTempFolder(notes, joinPath(to, newId('.stowage-restore')), async (scratch) => {
    const traits = targetTraits(scratch)
    const { names } = namesForTarget(traits, rows, wanted)
    const left: WantedFile[] = []
    for (const file of wanted.files) {
      throwIfAborted(signal)
      const mtimeNs = ('whole' in file ? file.whole : file.parts[0])?.mtimeNs ?? null
      const place = joinPath(to, names.pathIn(file.path))
      if (!(await seemsRestored(place, { bytes: file.bytes, mtimeNs }, traits.timeStepNs))) left.push(file)
    }
    return left
  })
}
