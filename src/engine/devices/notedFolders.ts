import type { Catalog } from '../catalog/catalog'
import type { JobContext } from '../jobs/jobContext'
import { newId } from '../jobs/newId'

/** Where a segment makes its files: noted before, struck out once it is gone. */
export interface RunFolders {
  begin(directory: string): string
  gone(folder: string): void
}

/** Folders that are in the catalog's journal from before they are made until they are gone. */
export function notedFolders(
  catalog: Pick<Catalog, 'noteMeasureFolder' | 'measureFolderGone'>,
  { clock }: Pick<JobContext, 'clock'>,
): RunFolders {
  const notes = new Map<string, ReturnType<Catalog['noteMeasureFolder']>>()
  return {
    begin(directory) {
      const folder = newId('stowage-measure')
      notes.set(folder, catalog.noteMeasureFolder(directory, folder, clock.wallMs()))
      return folder
    },
    gone(folder) {
      const noted = notes.get(folder)
      if (noted) catalog.measureFolderGone(noted)
      notes.delete(folder)
    },
  }
}
