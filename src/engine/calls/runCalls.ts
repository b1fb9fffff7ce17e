import { wipingJob } from '../jobs/wipingJob'
import { buildJob } from '../sets/building/buildJob'
import { verifyJob } from '../sets/verify/verifyJob'
import { findDrives } from '../sets/write/drives'
import { writeJob } from '../sets/write/writeJob'
import type { CallsOf, EngineParts } from './engineParts'

/** Answers the calls that carry out a plan. */
export function runCalls({ catalog, start }: EngineParts): CallsOf<'run'> {
  return {
    run: {
      build: (request) => start(wipingJob(request, buildJob({ catalog }, request))),
      verify: (request) => start(wipingJob(request, verifyJob({ catalog }, request))),
      write: (request) => start(wipingJob(request, writeJob({ catalog }, request))),
      drives: () => findDrives(),
      get: ({ runId }) => catalog.run(runId),
    },
  }
}
