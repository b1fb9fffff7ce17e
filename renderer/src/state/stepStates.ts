import type { BandsState } from './bands'
import type { BuildState } from './build'
import type { CatalogState } from './catalog'
import type { Step } from './frame'
import type { ImagesState } from './images'
import { type JobsState, runningOf } from './jobs'
import type { MeasureState } from './measure'
import type { OptionsState } from './options'
import type { PlanState } from './plan'
import { type SourcesState, samePaths } from './sources'
import type { SurveyState } from './survey'

/** `stale`: there is a result, but what it was made from has changed since. */
export type StepState = 'empty' | 'running' | 'done' | 'stale'

/** The rail's marks, from everything the window knows. */
export function stepStates(all: {
  readonly sources: SourcesState
  readonly jobs: JobsState
  readonly survey: SurveyState
  readonly measure: MeasureState
  readonly bands: BandsState
  readonly options: OptionsState
  readonly plan: PlanState
  readonly build: BuildState
  readonly catalog: CatalogState
  readonly images: ImagesState
}): Record<Step, StepState> {
  const { sources, jobs, survey, measure, bands, options, plan, build, catalog, images } = all
  const paths = sources.list.map((source) => source.path)
  const surveyState: StepState = runningOf(jobs, 'survey')
    ? 'running'
    : survey.document === null
      ? 'empty'
      : paths.length > 0 && !samePaths(paths, survey.document.roots)
        ? 'stale'
        : 'done'
  const chooseState: StepState = runningOf(jobs, 'option')
    ? 'running'
    : options.document === null
      ? 'empty'
      : surveyState === 'stale' || options.document.surveyId !== survey.document?.id
        ? 'stale'
        : 'done'
  const planState: StepState = runningOf(jobs, 'plan', 'export')
    ? 'running'
    : plan.document === null
      ? 'empty'
      : surveyState === 'stale' || (survey.document !== null && plan.document.surveyId !== survey.document.id)
        ? 'stale'
        : 'done'
  const run = build.verify ?? build.build
  const buildState: StepState = runningOf(jobs, 'build', 'verify')
    ? 'running'
    : run === null
      ? 'empty'
      : plan.document !== null && run.planId !== plan.document.id
        ? 'stale'
        : 'done'
  return {
    source: paths.length > 0 ? 'done' : 'empty',
    survey: surveyState,
    measure: runningOf(jobs, 'measure', 'bands')
      ? 'running'
      : measure.document === null && bands.document === null
        ? 'empty'
        : 'done',
    choose: chooseState,
    plan: planState,
    build: buildState,
    catalog: catalog.surveys.length + catalog.plans.length > 0 ? 'done' : 'empty',
    images: runningOf(jobs, 'image') ? 'running' : images.image === null ? 'empty' : 'done',
  }
}
