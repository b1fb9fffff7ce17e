import type { Page, Step, StepState } from '../state/frame'
import { useSession } from '../state/sessionContext'
import { type Readable, useStore } from '../state/store'
import { Session } from './session'
import { statesOf, stepStates, storesOf } from './stepStates'

/** A step's state, kept up to date; the other pages have none. */
export function useStepState(step: Page): StepState {
  return useStore(allStepStates(useSession(Session)), (all) =>
    step === 'settings' || step === 'home' || step === 'archive' ? 'empty' : all[step],
  )
}

const known = new WeakMap<Session, Readable<Record<Step, StepState>>>()

/** The states of all steps, worked out once a change and not once for each step that shows one. */
function allStepStates(session: Session): Readable<Record<Step, StepState>> {
  const kept = known.get(session)
  if (kept) return kept
  const stores = storesOf(session)
  const names = Object.keys(stores) as (keyof typeof stores)[]
  let states = statesOf(stores)
  let steps = stepStates(states)
  const made = {
    get() {
      if (names.some((name) => stores[name].get() !== states[name])) {
        states = statesOf(stores)
        steps = stepStates(states)
      }
      return steps
    },
    subscribe(listener: () => void) {
      const ends = Object.values(stores).map((store) => store.subscribe(listener))
      return () => {
        for (const end of ends) end()
      }
    },
  }
  known.set(session, made)
  return made
}
