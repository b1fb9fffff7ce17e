import type { WrittenTo, WrittenToRequest } from '../../../contract/dto/copies'
import type { VolumeEvent } from '../../../domain/sets/volumeEvent'
import { pathForDisplay } from '../../../primitives/pathText'
import { said } from '../../../primitives/said'
import type { Catalog } from '../../catalog/catalog'
import { isFolder, lstatAt } from '../../files/fileSystem'
import type { FileSystems } from '../../files/fileSystems'
import { movedTo } from './lookAtCopies'

/**
 * Where a copy was written last, of one of these volumes where that is known, else of any volume of
 * its plan; a folder where its file system is mounted now. Null where that is not known, and for a
 * file that stood in for a disc: each disc is another file.
 */
export async function writtenTo(
  catalog: Pick<Catalog, 'events'>,
  { planId, copy, volumes }: WrittenToRequest,
  fileSystems: FileSystems,
): Promise<WrittenTo | null> {
  const written = catalog.events(planId).filter((event) => event.kind === 'written' && event.copy === copy)
  const last = written.findLast(({ volume }) => volumes.includes(volume)) ?? written.at(-1)
  const target = last?.facts.target
  if (last === undefined || target === undefined || target.kind === 'file') return null
  const { kind, path } = target
  if (kind === 'folder') return { kind, ...(await folderNow(path, last.facts.fileSystem, fileSystems)) }
  const shown = pathForDisplay(path)
  return { kind, path, problem: lstatAt(path) === null ? said`${shown} is not there` : null }
}

/** The folder, or why nothing can be written to it: another disk may be mounted in its place. */
async function folderNow(
  path: string,
  noted: VolumeEvent['facts']['fileSystem'],
  fileSystems: FileSystems,
): Promise<Pick<WrittenTo, 'path' | 'problem'>> {
  const mounted = await fileSystems.mounted()
  const now = mounted.find(({ id }) => id === noted?.id)
  if (noted && !now) return { path, problem: said`its file system is not mounted` }
  const place = noted && now ? movedTo(path, noted.mountPoint, now.mountPoint) : path
  if (!isFolder(place)) return { path, problem: said`${pathForDisplay(place)} is not there` }
  const here = await fileSystems.of(place)
  if (now && here !== null && here.id !== now.id)
    return { path, problem: said`another file system is at its place` }
  return { path: place, problem: null }
}
