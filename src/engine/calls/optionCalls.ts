import { wipingJob } from '../jobs/wipingJob'
import { compareDocument } from '../options/compareDocument'
import { optionCandidates } from '../options/optionCandidates'
import { optionJob } from '../options/optionJob'
import { optionsDocument } from '../options/optionsDocument'
import { thisMachine } from '../options/thisMachine'
import type { CallsOf, EngineParts } from './engineParts'

/** Answers the calls on options and on their builds. */
export function optionCalls({ catalog, clock, start }: EngineParts): CallsOf<'options'> {
  return {
    options: {
      list: (request) => optionsDocument(catalog, clock, request, thisMachine),
      candidates: (request) => optionCandidates(catalog, clock, request, thisMachine),
      build: (request) => start(wipingJob(request, optionJob(request, catalog))),
      built: ({ buildId }) => catalog.optionBuild(buildId),
      compare: () => compareDocument(catalog),
    },
  }
}
