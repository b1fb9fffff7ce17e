import type { JobKind } from '../../../src/contract/dto/job'
import type { Step, StepState } from '../state/frame'
import { hasFailed, runningOf } from '../state/jobs'
import { isFailed, lastRun, stoppedRun } from '../steps/building/buildState'
import { isOutdated } from '../steps/roms/romsState'
import { isOfOtherSource, isOfShown } from '../steps/survey/surveyState'
import type { Session } from './session'

type Stores = ReturnType<typeof storesOf>
/** The states of these stores at one moment. */
type States = { readonly [Name in keyof Stores]: ReturnType<Stores[Name]['get']> }

/** Everything that the steps' states are made from. */
export function storesOf(session: Session) {
  return {
    jobs: session.jobs,
    sources: session.sources.store,
    kept: session.kept.store,
    survey: session.survey.store,
    measure: session.measure.store,
    bands: session.bands.store,
    options: session.options.store,
    plan: session.plan.store,
    build: session.runs.store,
    catalog: session.catalog.store,
    restore: session.restore.store,
    images: session.images.store,
    roms: session.roms.store,
  }
}

export function statesOf(stores: Stores): States {
  return Object.fromEntries(
    Object.entries(stores).map(([name, store]) => [name, store.get()]),
  ) as unknown as States
}

/** The rail's marks, from everything the window knows. */
export function stepStates(all: States): Record<Step, StepState> {
  const {
    sources,
    kept,
    jobs,
    survey,
    measure,
    bands,
    options,
    plan,
    build,
    catalog,
    restore,
    images,
    roms,
  } = all
  const paths = sources.list.map((source) => source.path)
  const hasOtherSource = isOfOtherSource(survey, sources, kept.rules)
  const after = (kinds: readonly JobKind[], result: Exclude<StepState, 'running' | 'failed'>): StepState =>
    runningOf(jobs, ...kinds) ? 'running' : hasFailed(jobs, ...kinds) ? 'failed' : result
  // An export that stopped before the files of others has not failed.
  const isAsking = plan.refusedDirectory !== null && runningOf(jobs, 'plan', 'export') === null
  const run = lastRun(build)
  const ran =
    run === null ? 'empty' : plan.document !== null && run.planId !== plan.document.id ? 'stale' : 'done'
  const runs =
    jobs.following === null
      ? after(['build', 'verify', 'write'], stoppedRun(build) === null ? ran : 'empty')
      : 'running'
  return {
    source: paths.length > 0 ? 'done' : 'empty',
    survey: after(['survey'], survey.document === null ? 'empty' : hasOtherSource ? 'stale' : 'done'),
    measure: after(
      ['measure', 'bands'],
      measure.document === null && bands.document === null ? 'empty' : 'done',
    ),
    choose: after(
      ['option'],
      options.document === null
        ? 'empty'
        : options.document.preliminary
          ? 'empty'
          : hasOtherSource || options.document.surveyId !== survey.document?.id
            ? 'stale'
            : 'done',
    ),
    plan: isAsking
      ? 'asks'
      : after(
          ['plan', 'export'],
          plan.document === null
            ? 'empty'
            : isOfShown(plan.document, survey, hasOtherSource)
              ? 'done'
              : 'stale',
        ),
    build: runs === 'done' && isFailed(build) ? 'failed' : runs,
    catalog: catalog.surveys.length + catalog.plans.length > 0 ? 'done' : 'empty',
    restore: after(['restore', 'drill'], restore.document === null ? 'empty' : 'done'),
    images: after(['image'], images.image === null ? 'empty' : 'done'),
    roms: after(['roms'], roms.document === null ? 'empty' : isOutdated(roms) ? 'stale' : 'done'),
  }
}
