/**
 * The room `images` makes, shows, converts, resizes and verifies disk images.
 * How: each verb is a job on one image, by the containers of the native core; a new image takes its
 * name when it is whole.
 * Not here: the formats (`native/src/core/containers`), images of discs (`sets/mastering`).
 */

import type { ImageResult } from '../../contract/dto/image'
import { pathForDisplay } from '../../primitives/pathText'
import type { PlaceNotes } from '../files/scratch'
import type { Job, JobContext } from '../jobs/jobContext'
import type { KeptResults } from '../jobs/keptResults'
import { wipingJob } from '../jobs/wipingJob'
import type { Work } from '../jobs/workEstimate'
import type { LongWork } from '../native/containers'

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

/**
 * The tools of a verb: `work` reports the progress of one phase and carries the signal to cancel.
 */
export interface ImageWork {
  readonly context: JobContext
  readonly notes: PlaceNotes
  phase(name: PhaseName, index?: number, count?: number): LongWork & { readonly signal: AbortSignal }
}

/**
 * A job on one image. The request's passwords are overwritten when it has ended, however it ended;
 * its title and its progress have the path only.
 */
export function imageJob<R extends { readonly path: string }>(
  title: string,
  request: R,
  { results, notes }: { readonly results: KeptResults<ImageResult>; readonly notes: PlaceNotes },
  carryOut: (request: R, work: ImageWork) => Promise<ImageResult>,
): Job {
  return wipingJob(request, {
    kind: 'image',
    title: `${title} ${pathForDisplay(request.path)}`,
    run: async (context) => {
      const work = { context, notes, phase: phasesOf(context, request.path) }
      return results.keep(context.newId('i'), await carryOut(request, work))
    },
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
        work: phaseWork(bytesDone, bytesTotal, index, count),
      })
    onProgress(0, 0)
    return { onProgress, signal: context.signal }
  }
}

/** Every phase moves the bytes of the image once, as far as is known before it begins. */
function phaseWork(bytesDone: number, bytesTotal: number, index: number, count: number): Work[] {
  return Array.from({ length: count }, (_, at) => ({
    kind: `phase ${at + 1}`,
    unit: 'bytes',
    done: at + 1 < index ? bytesTotal : at + 1 === index ? bytesDone : 0,
    total: bytesTotal === 0 ? null : bytesTotal,
  }))
}
