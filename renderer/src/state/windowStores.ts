import { initialBands, reduceBands } from './bands'
import { initialBuild, reduceBuild } from './build'
import { initialCatalog, reduceCatalog } from './catalog'
import { initialFrame, reduceFrame } from './frame'
import { initialImages, reduceImages } from './images'
import { initialJobs, reduceJobs } from './jobs'
import { initialMeasure, reduceMeasure } from './measure'
import { initialOptions, reduceOptions } from './options'
import { initialPlan, reducePlan } from './plan'
import { initialSources, reduceSources } from './sources'
import { createStore } from './store'
import { initialSurvey, reduceSurvey } from './survey'

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
    images: createStore(reduceImages, initialImages),
  }
}
export type Stores = ReturnType<typeof createStores>
