import { copyOut } from '../../files/copy'
import { joinPath } from '../../files/fileSystem'
import type { ContentPlace } from '../../files/read'
import type { LazyTempFolder } from '../../files/scratch'
import type { FileRow, PartRow } from '../volume/lists/setIndex'

/**
 * The folder of a repository whose files are on volumes: where it lies, if one volume that is a
 * folder has all of it, else a copy.
 * @param path of the repository on its volumes
 * @param folders of the volumes that are folders
 * @returns an absolute path
 */
export async function repositoryFolder(
  path: string,
  places: readonly { readonly row: FileRow | PartRow; readonly from: ContentPlace | null }[],
  folders: readonly string[],
  copy: {
    readonly scratch: LazyTempFolder
    readonly signal: AbortSignal
    readonly onShare: (share: number) => void
  },
): Promise<string> {
  const own = folders.find((folder) =>
    places.every(({ row, from }) => from?.file === joinPath(folder, row.path)),
  )
  if (own !== undefined) return joinPath(own, path)
  const folder = joinPath(copy.scratch.path(), 'repository')
  const total = places.reduce((sum, { row }) => sum + row.bytes, 0)
  let done = 0
  for (const { row, from } of places) {
    if (!from) continue
    const to = joinPath(folder, row.path.slice(path.length + 1))
    await copyOut(from, to, copy.signal, (more) => copy.onShare((done += more) / total))
  }
  return folder
}
