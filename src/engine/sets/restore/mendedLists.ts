import { joinPath } from '../../files/fileSystem'
import { type PlaceNotes, withSystemTempFolder } from '../../files/scratch'
import { recoveredContents } from '../recovery/recoveredContents'
import type { FoundLists } from '../volume/foundLists'
import { isSetIndex } from '../volume/setIndex'
import { readSetSums } from '../volume/setSums'
import { contentAt } from '../volume/volume'

/** The lists of a volume, with those that recovery data gives back in place of damaged ones. */
export async function mendedLists(
  lists: FoundLists,
  { notes, signal }: { readonly notes: PlaceNotes; readonly signal: AbortSignal },
): Promise<FoundLists> {
  const { files } = lists
  return withSystemTempFolder(notes, 'restore', async (scratch) => {
    const ofOwn = (name: string): boolean =>
      lists.own === null
        ? /^[^/]+\/(INDEX\.tsv|SHA256SUMS)$/.test(name)
        : OWN.has(name.slice(lists.own.length + 1))
    const found = await recoveredContents(
      { path: files.path, folder: files.folder, own: lists.own, placeOf: files.placeOf },
      (listed) => new Set([...listed].filter(ofOwn)),
      joinPath(scratch, 'lists'),
      { signal },
    )
    let { own, text, sums } = lists
    for (const [name, place] of found) {
      const content = await contentAt(place)
      own = name.slice(0, name.lastIndexOf('/'))
      if (name.endsWith('INDEX.tsv') && isSetIndex(content)) text = content
      if (name.endsWith('SHA256SUMS')) sums = readSetSums(content)
    }
    return { files, own, text, sums }
  })
}

const OWN = new Set(['INDEX.tsv', 'SHA256SUMS'])
