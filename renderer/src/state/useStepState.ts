import { useCallback, useSyncExternalStore } from 'react'
import type { Step } from './frame'
import { useSession } from './sessionContext'
import { type StepState, stepStates } from './stepStates'
import { statesOf } from './windowStores'

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
  return useSyncExternalStore(subscribe, () => stepStates(statesOf(stores))[step])
}
