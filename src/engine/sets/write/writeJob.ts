import type { WriteRequest } from '../../../contract/dto/run'
import { AppError } from '../../../primitives/appError'
import type { Catalog } from '../../catalog/catalog'
import type { PlaceNotes } from '../../files/placeNotes'
import type { Job } from '../../jobs/jobContext'

/** Writes the volumes of an exported plan to media. */
export function writeJob(
  _deps: { catalog: Pick<Catalog, 'saveRun' | 'planPacked' | 'runs'> & PlaceNotes },
  request: WriteRequest,
): Job {
  return {
    kind: 'write',
    title: `Writing of ${request.directory}`,
    run: () => Promise.reject(new AppError('refused', 'cannot write yet: this version has no writers')),
  }
}
