import { initialBuild, reduceBuild } from '../steps/building/buildState'
import { initialCatalog, reduceCatalog } from '../steps/catalog/catalogState'
import { initialCheck, reduceCheck } from '../steps/catalog/checkState'
import { initialRestore, reduceRestore } from '../steps/catalog/restoreState'
import { initialOptions, reduceOptions } from '../steps/choose/optionsState'
import { initialImages, reduceImages } from '../steps/images/imagesState'
import { initialBands, reduceBands } from '../steps/measure/bands/bandsState'
import { initialMeasure, reduceMeasure } from '../steps/measure/measureState'
import { initialPlan, reducePlan } from '../steps/plan/planState'
import { initialSources, reduceSources } from '../steps/source/sourcesState'
import { initialSurvey, reduceSurvey } from '../steps/survey/surveyState'
import { initialFrame, reduceFrame } from './frame'
import { initialJobs, reduceJobs } from './jobs'
import { createStore } from './store'

/** All of the window's state, one store per task. */
export function createStores() {
  return {
    frame: createStore(reduceFrame, initialFrame),
    jobs: createStore(reduceJobs, initialJobs),
    sources: createStore(reduceSources, initialSources),
    survey: createStore(reduceSurvey, initialSurvey),
    measure: createStore(reduceMeasure, initialMeasure),
    bands: createStore(reduceBands, initialBands),
    options: createStore(reduceOptions, initialOptions),
    plan: createStore(reducePlan, initialPlan),
    build: createStore(reduceBuild, initialBuild),
    catalog: createStore(reduceCatalog, initialCatalog),
    restore: createStore(reduceRestore, initialRestore),
    check: createStore(reduceCheck, initialCheck),
    images: createStore(reduceImages, initialImages),
  }
}
export type Stores = ReturnType<typeof createStores>

/** The states of all stores at one moment. */
export type WindowStates = { readonly [Name in keyof Stores]: ReturnType<Stores[Name]['get']> }

export function statesOf(stores: Stores): WindowStates {
  return Object.fromEntries(
    Object.entries(stores).map(([name, store]) => [name, store.get()]),
  ) as unknown as WindowStates
}
