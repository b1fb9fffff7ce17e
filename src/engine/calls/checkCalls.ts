import type { CheckDocument } from '../../contract/dto/check'
import type { RebuildDocument } from '../../contract/dto/rebuild'
import type { RepairDocument } from '../../contract/dto/repair'
import { KeptResults } from '../jobs/keptResults'
import { wipingJob } from '../jobs/wipingJob'
import { checkJob } from '../sets/check/checkJob'
import { copiesDue } from '../sets/copies/copiesDue'
import { rebuildJob } from '../sets/repair/rebuildJob'
import { repairJob } from '../sets/repair/repairJob'
import type { CallsOf, EngineParts } from './engineParts'

/** Answers the calls that check volumes, and that make damaged or lost ones whole. */
export function checkCalls({ catalog, clock, start }: EngineParts): CallsOf<'check' | 'repair' | 'rebuild'> {
  const unrecorded = new KeptResults<CheckDocument>('check')
  const repairs = new KeptResults<RepairDocument>('repair')
  const rebuilds = new KeptResults<RebuildDocument>('rebuild')
  return {
    check: {
      start: (request) => start(wipingJob(request, checkJob({ catalog, unrecorded }, request))),
      get: ({ checkId }) => unrecorded.find(checkId) ?? catalog.check(checkId),
      due: ({ everyMonths }) => copiesDue(catalog, clock.wallMs(), everyMonths),
      every: ({ ofSet, everyMonths }) => catalog.setEveryMonths(ofSet, everyMonths),
    },
    repair: {
      start: (request) => start(repairJob({ catalog, results: repairs }, request)),
      get: ({ repairId }) => repairs.get(repairId),
    },
    rebuild: {
      start: (request) => start(rebuildJob({ catalog, results: rebuilds }, request)),
      get: ({ rebuildId }) => rebuilds.get(rebuildId),
    },
  }
}
