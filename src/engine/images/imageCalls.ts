import type { Handlers } from '../../contract/defineSchema'
import type { ImageResult } from '../../contract/dto/image'
import type { EngineSchema } from '../../contract/engineSchema'
import { planImage } from '../../domain/images/imagePlan'
import { imageChoices } from '../../domain/images/presets'
import { wipe } from '../../primitives/secretBytes'
import type { PlaceNotes } from '../files/scratch'
import type { Job } from '../jobs/jobContext'
import { KeptResults } from '../jobs/keptResults'
import { imageDocument } from './imageDocument'
import { imageJob } from './imageJob'
import {
  changePassword,
  compactImage,
  convertImage,
  createImage,
  rebandImage,
  resizeImage,
} from './imageVerbs'
import { verifyImage } from './verifyImage'

/**
 * Answers the calls on images; `start` runs a job. Passwords of every request are overwritten when
 * it has served.
 */
export function imageCalls(
  start: (job: Job) => { jobId: string },
  notes: PlaceNotes,
): Handlers<Pick<EngineSchema, 'image'>>['image'] {
  const results = new KeptResults<ImageResult>('image result')
  const around = { results, notes }
  return {
    catalogue: imageChoices,
    preview: (settings) => {
      const plan = planImage(settings)
      return { ...plan, opens: [...plan.opens] }
    },
    info: async (request) => {
      try {
        return await imageDocument(request.path, request.password)
      } finally {
        wipe(request)
      }
    },
    create: (request) => start(imageJob('New image', request, around, createImage)),
    convert: (request) => start(imageJob('Conversion of', request, around, convertImage)),
    resize: (request) => start(imageJob('New size of', request, around, resizeImage)),
    compact: (request) => start(imageJob('Compacting of', request, around, compactImage)),
    reband: (request) => start(imageJob('New bands of', request, around, rebandImage)),
    verify: (request) => start(imageJob('Verification of', request, around, verifyImage)),
    changePassword: (request) => start(imageJob('New password of', request, around, changePassword)),
    result: ({ resultId }) => results.get(resultId),
  }
}
