import type { JobEnd, JobKind } from './dto/job'

/**
 * `cancelled`: stopped by a person, also by quitting. `interrupted`: the program or its engine was
 * killed.
 */
export type JobOutcome = JobEnd['outcome']

/**
 * The next step after a job: `continue` keeps what is done, `again` begins anew, and before `mend`
 * the cause of a failure has to be removed.
 */
export type NextStep = 'none' | 'continue' | 'again' | 'mend'

/** How work of a kind goes on after it was stopped. */
const AFTER_STOP: Readonly<Record<JobKind, 'continue' | 'again'>> = {
  // Files that it has read are trusted while they are unchanged.
  survey: 'continue',
  walk: 'again',
  look: 'again',
  measure: 'again',
  bands: 'again',
  plan: 'again',
  export: 'again',
  build: 'continue',
  verify: 'continue',
  write: 'continue',
  check: 'again',
  restore: 'continue',
  drill: 'again',
  repair: 'again',
  image: 'again',
  option: 'again',
  roms: 'again',
  fleet: 'again',
}

/** The next step after a job of a kind that ended so. What was stopped has not failed. */
export function nextStepAfter(kind: JobKind, outcome: JobOutcome): NextStep {
  switch (outcome) {
    case 'done':
      return 'none'
    case 'failed':
      return 'mend'
    case 'cancelled':
    case 'interrupted':
      return AFTER_STOP[kind]
  }
}

/** The volumes that a stopped run did not come to the end of: those that are left to do. */
export function leftVolumes<Volume extends { readonly state: string }>(
  volumes: readonly Volume[],
): readonly Volume[] {
  return volumes.filter(({ state }) => state === 'pending' || state === 'cancelled')
}
