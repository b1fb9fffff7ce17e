import { useMemo, useSyncExternalStore } from 'react'
import type { Page, StepState } from '../state/frame'
import { useSession } from '../state/sessionContext'
import { Session } from './session'
import { statesOf, stepStates, storesOf } from './stepStates'

/** A step's state, kept up to date; Home and the settings have none. */
export function useStepState(step: Page): StepState {
  const session = useSession(Session)
  const [stores, subscribe] = useMemo(() => {
    const all = storesOf(session)
    const subscribeToAll = (listener: () => void) => {
      const ends = Object.values(all).map((store) => store.subscribe(listener))
      return () => {
        for (const end of ends) end()
      }
    }
    return [all, subscribeToAll]
  }, [session])
  return useSyncExternalStore(subscribe, () =>
    step === 'settings' || step === 'home' ? 'empty' : stepStates(statesOf(stores))[step],
  )
}
