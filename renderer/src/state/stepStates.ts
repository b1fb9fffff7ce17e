import type { JobKind } from '../../../src/contract/dto/job'
import { isFailed, lastRun } from '../steps/building/buildState'
import { type SourcesState, samePaths } from '../steps/source/sourcesState'
import type { SurveyState } from '../steps/survey/surveyState'
import type { Step } from './frame'
import { hasFailed, runningOf } from './jobs'
import type { WindowStates } from './windowStores'

/**
 * `failed`: the last work of the step failed or is incomplete. `stale`: there is a result, but what
 * it was made from has changed since. `asks`: it goes on once a person has decided.
 */
export type StepState = 'empty' | 'running' | 'done' | 'failed' | 'stale' | 'asks'

/** The rail's marks, from everything the window knows. */
export function stepStates(all: Omit<WindowStates, 'frame' | 'restore' | 'check'>): Record<Step, StepState> {
  const { sources, jobs, survey, measure, bands, options, plan, build, catalog, images } = all
  const paths = sources.list.map((source) => source.path)
  const hasOtherSource = isOfOtherSource(survey, sources)
  const after = (kinds: readonly JobKind[], result: Exclude<StepState, 'running' | 'failed'>): StepState =>
    runningOf(jobs, ...kinds) ? 'running' : hasFailed(jobs, ...kinds) ? 'failed' : result
  // An export that stopped before the files of others has not failed.
  const isAsking = plan.refusedDirectory !== null && runningOf(jobs, 'plan', 'export') === null
  const run = lastRun(build)
  const ran =
    run === null ? 'empty' : plan.document !== null && run.planId !== plan.document.id ? 'stale' : 'done'
  const runs = after(['build', 'verify', 'write'], run?.outcome === 'cancelled' ? 'empty' : ran)
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
            : hasOtherSource || (survey.document !== null && plan.document.surveyId !== survey.document.id)
              ? 'stale'
              : 'done',
        ),
    build: runs === 'done' && isFailed(build) ? 'failed' : runs,
    catalog: catalog.surveys.length + catalog.plans.length > 0 ? 'done' : 'empty',
    images: after(['image'], images.image === null ? 'empty' : 'done'),
  }
}

/** True when the survey that is shown is of other sources than those in hand. */
export function isOfOtherSource({ document }: SurveyState, { list }: SourcesState): boolean {
  const paths = list.map((source) => source.path)
  return document !== null && paths.length > 0 && !samePaths(paths, document.roots)
}
