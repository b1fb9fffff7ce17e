import type { LookDocument } from '../../domain/look/lookDocument'
import type { KeptResults } from '../jobs/keptResults'
import { wipingJob } from '../jobs/wipingJob'
import { compareDocument } from '../options/compareDocument'
import { optionCandidates } from '../options/optionCandidates'
import { optionJob } from '../options/optionJob'
import { optionsDocument } from '../options/optionsDocument'
import { thisMachine } from '../options/thisMachine'
import type { CallsOf, EngineParts } from './engineParts'

/** Answers the calls on options, of surveys and of looks, and on their builds. */
export function optionCalls(
  { catalog, clock, start }: EngineParts,
  looks: KeptResults<LookDocument>,
): CallsOf<'options'> {
  return {
    options: {
      list: (request) => optionsDocument(catalog, clock, request, thisMachine, looks),
      candidates: (request) => optionCandidates(catalog, clock, request, thisMachine, looks),
      build: (request) => start(wipingJob(request, optionJob(request, catalog))),
      built: ({ buildId }) => catalog.optionBuild(buildId),
      compare: () => compareDocument(catalog),
    },
  }
}
