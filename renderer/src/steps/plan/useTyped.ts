import { useEffect } from 'react'
import { useSession } from '../../state/sessionContext'
import { PlanSession } from './planSession'
import type { TypedField } from './planState'

/** Keeps a plan from being made while the text of this field is no value. */
export function useTyped(field: TypedField, isWrong: boolean): void {
  const { store } = useSession(PlanSession)
  useEffect(() => {
    if (!isWrong) return undefined
    store.dispatch({ type: 'typed', field, isWrong: true })
    // A field that is folded away comes back with its last value.
    return () => store.dispatch({ type: 'typed', field, isWrong: false })
  }, [store, field, isWrong])
}
