import { useSyncExternalStore } from 'react'

/** A piece of state that can be read, and says when it changes. */
export interface Readable<S> {
  get(): S
  subscribe(listener: () => void): () => void
}

/** A piece of state that changes only through its reducer. */
export interface Store<S, A> extends Readable<S> {
  dispatch(action: A): void
}

/** Makes a store from a pure reducer; listeners hear only of real changes. */
export function createStore<S, A>(reduce: (state: S, action: A) => S, initial: S): Store<S, A> {
  let state = initial
  const listeners = new Set<() => void>()
  return {
    get: () => state,
    dispatch(action) {
      const next = reduce(state, action)
      if (next === state) return
      state = next
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** The store's state in a component, kept up to date. */
export function useStore<S>(store: Readable<S>): S
/**
 * `select` must give the same value while nothing of it changes: then other changes do not draw the
 * component anew.
 */
export function useStore<S, T>(store: Readable<S>, select: (state: S) => T): T
export function useStore<S, T>(store: Readable<S>, select?: (state: S) => T): S | T {
  return useSyncExternalStore(store.subscribe, () => (select ? select(store.get()) : store.get()))
}
