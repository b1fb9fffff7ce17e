import { useCallback, useSyncExternalStore } from 'react'
import type { Step } from './frame'
import { useSession } from './sessionContext'
import { type StepState, stepStates } from './stepStates'

/** A step's state, kept up to date. */
export function useStepState(step: Step): StepState {
  const { stores } = useSession()
  const subscribe = useCallback(
    (listener: () => void) => {
      const ends = Object.values(stores).map((store) => store.subscribe(listener))
      return () => {
        for (const end of ends) end()
      }
    },
    [stores],
  )
  const { sources, jobs, survey, measure, bands, options, plan, build, catalog, images } = stores
  return useSyncExternalStore(
    subscribe,
    () =>
      stepStates({
        sources: sources.get(),
        jobs: jobs.get(),
        survey: survey.get(),
        measure: measure.get(),
        bands: bands.get(),
        options: options.get(),
        plan: plan.get(),
        build: build.get(),
        catalog: catalog.get(),
        images: images.get(),
      })[step],
  )
}
