import type { RomsDocument } from '../../domain/roms/romsDocument'
import { KeptResults } from '../jobs/keptResults'
import { romsJob } from '../roms/romsJob'
import type { CallsOf, EngineParts } from './engineParts'

/** Comparisons that are kept: each lists every file. */
const COMPARISONS_KEPT = 4

/** Answers the calls on ROM sets. */
export function romCalls({ start, catalog }: EngineParts): CallsOf<'roms'> {
  const results = new KeptResults<RomsDocument>('comparison of ROM sets', COMPARISONS_KEPT)
  return {
    roms: {
      compare: (request) => start(romsJob(request, results, catalog)),
      get: ({ romsId }) => results.get(romsId),
    },
  }
}
