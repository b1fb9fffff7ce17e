import { nextAddition } from '../archives/addition'
import { archiveRecord, archiveRecords } from '../archives/archiveRecords'
import { forgetArchive, keepArchive, placeSource, renameArchive } from '../archives/keepArchive'
import type { NewId } from '../jobs/newId'
import type { CallsOf, EngineParts } from './engineParts'

/** Answers the calls on archives. */
export function archiveCalls({ catalog, clock }: EngineParts, newId: NewId): CallsOf<'archive'> {
  return {
    archive: {
      list: () => archiveRecords(catalog),
      get: ({ archiveId }) => archiveRecord(catalog, archiveId),
      keep: (request) => keepArchive(catalog, request, { nowWallMs: clock.wallMs(), newId }),
      rename: ({ archiveId, name }) => renameArchive(catalog, archiveId, name),
      forget: ({ archiveId }) => forgetArchive(catalog, archiveId),
      place: (request) => placeSource(catalog, request),
      addition: ({ archiveId }) => nextAddition(catalog, archiveId),
    },
  }
}
