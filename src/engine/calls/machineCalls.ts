import { listMedia, resolveMedium } from '../../domain/media/resolveMedium'
import { removeAbandonedSamples } from '../codecs/sampleFolder'
import { doctor } from '../doctor/doctor'
import { useWorkFolder } from '../files/workFolder'
import { mediaCatalogue } from '../media/mediaCatalogue'
import { makeSampleSource } from '../sample/sampleSource'
import type { CallsOf, EngineParts } from './engineParts'

/** Answers the calls on media, on this machine and its folders, and on the sample source. */
export function machineCalls(
  { catalog }: EngineParts,
  dataDir: string,
): CallsOf<'media' | 'doctor' | 'sample' | 'work'> {
  return {
    media: {
      list: () => listMedia(mediaCatalogue),
      get: ({ mediumId }) => resolveMedium(mediaCatalogue, mediumId),
    },
    doctor: { report: (request) => doctor(dataDir, request) },
    sample: { make: ({ directory }) => makeSampleSource(catalog, directory) },
    work: {
      use({ folder }) {
        useWorkFolder(folder)
        removeAbandonedSamples()
      },
    },
  }
}
