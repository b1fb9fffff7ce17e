import type { ImageResult } from '../../contract/dto/image'
import { pathForDisplay } from '../../primitives/pathText'
import type { PlaceNotes } from '../files/placeNotes'
import type { Job, JobContext } from '../jobs/jobContext'
import { newId } from '../jobs/newId'
import { wipingJob } from '../jobs/wipingJob'
import type { LongWork } from '../native/containers'

/** Results of this many jobs are remembered, for callers that ask after the end is reported. */
const KEPT_RESULTS = 50

/** What jobs on images left. They live as long as the engine: an image is its own record. */
export class ImageResults {
  readonly #kept = new Map<string, ImageResult>()

  keep(result: ImageResult): string {
    const id = newId('i')
    this.#kept.set(id, result)
    for (const [oldest] of this.#kept) {
      if (this.#kept.size <= KEPT_RESULTS) break
      this.#kept.delete(oldest)
    }
    return id
  }

  get(id: string): ImageResult | undefined {
    return this.#kept.get(id)
  }
}

/** Names of phases: copy keys of the window. */
type PhaseName =
  | 'creating'
  | 'converting'
  | 'resizing'
  | 'compacting'
  | 'rebanding'
  | 'verifying'
  | 'hashing'
  | 'rekeying'

/** What a verb works with: `work` tells the progress of one phase and carries the wish to cancel. */
export interface ImageWork {
  readonly context: JobContext
  readonly notes: PlaceNotes
  phase(name: PhaseName, index?: number, count?: number): LongWork & { readonly signal: AbortSignal }
}

/**
 * A job on one image. The request's passwords are overwritten when it has ended, however it ended; its title and its
 * progress have the path only.
 */
export function imageJob<R extends { readonly path: string }>(
  title: string,
  request: R,
  { results, notes }: { readonly results: ImageResults; readonly notes: PlaceNotes },
  carryOut: (request: R, work: ImageWork) => Promise<ImageResult>,
): Job {
  return wipingJob(request, {
    kind: 'image',
    title: `${title} ${pathForDisplay(request.path)}`,
    run: async (context) =>
      results.keep(await carryOut(request, { context, notes, phase: phasesOf(context, request.path) })),
  })
}

function phasesOf(context: JobContext, path: string): ImageWork['phase'] {
  return (name, index = 1, count = 1) => {
    const onProgress = (bytesDone: number, bytesTotal: number): void =>
      context.progress({
        phase: { index, count, name },
        filesDone: 0,
        filesTotal: null,
        bytesDone,
        bytesTotal: bytesTotal === 0 ? null : bytesTotal,
        current: path,
      })
    onProgress(0, 0)
    return { onProgress, signal: context.signal }
  }
}
