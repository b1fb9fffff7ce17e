import type { ImageResult } from '../../contract/dto/image'
import { planImage } from '../../domain/images/imagePlan'
import { imageChoices } from '../../domain/images/presets'
import { wipe } from '../../primitives/secretBytes'
import type { PlaceNotes } from '../files/scratch'
import { imageDocument } from '../images/imageDocument'
import { imageJob } from '../images/imageJob'
import {
  changePassword,
  compactImage,
  convertImage,
  createImage,
  rebandImage,
  resizeImage,
} from '../images/imageVerbs'
import { verifyImage } from '../images/verifyImage'
import { KeptResults } from '../jobs/keptResults'
import type { CallsOf, EngineParts } from './engineParts'

/**
 * Answers the calls on disk images. Passwords of every request are overwritten when it has served.
 */
export function imageCalls({
  catalog,
  start,
}: Pick<EngineParts, 'start'> & { readonly catalog: PlaceNotes }): CallsOf<'image'> {
  const results = new KeptResults<ImageResult>('image result')
  const around = { results, notes: catalog }
  return {
    image: {
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
    },
  }
}
