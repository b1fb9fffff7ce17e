import { createContext, type ReactNode, useContext } from 'react'
import type { JobKind } from '../../../src/contract/dto/job'
import type { FrameState } from './frame'
import { runningOf } from './jobs'
import { type Readable, useStore } from './store'
import { WindowSession } from './windowSession'

const SessionContext = createContext<WindowSession | null>(null)

type Class<Instance> = abstract new (...args: never[]) => Instance

/** @param session the window's, with those of the steps in its fields */
export function SessionProvider({ session, children }: { session: WindowSession; children: ReactNode }) {
  return <SessionContext value={session}>{children}</SessionContext>
}

/** The window's own session, which knows no step. */
export function useSession(): WindowSession
/** The window's one session of a class: what a person can do in one step. */
export function useSession<Session>(of: Class<Session>): Session
export function useSession(of: Class<object> = WindowSession): object {
  const session = useContext(SessionContext)
  if (!session) throw new Error('a component that uses a session stands outside of its provider')
  return sessionOf(session, of)
}

/** The sessions that were found, by their class: every component asks each time it is drawn. */
const found = new WeakMap<WindowSession, Map<Class<object>, object>>()

function sessionOf(session: WindowSession, of: Class<object>): object {
  const known = found.get(session) ?? new Map<Class<object>, object>()
  found.set(session, known)
  const kept = known.get(of)
  if (kept) return kept
  const all: readonly object[] = [session, ...Object.values(session)]
  const wanted = all.find((each) => each instanceof of)
  if (!wanted) throw new Error(`the window has no ${of.name}`)
  known.set(of, wanted)
  return wanted
}

/** The state of a step, kept up to date. */
export function useStateOf<S>(of: Class<{ readonly store: Readable<S> }>): S
/** `select` must give the same value while nothing of it changes. */
export function useStateOf<S, T>(of: Class<{ readonly store: Readable<S> }>, select: (state: S) => T): T
export function useStateOf<S, T>(
  of: Class<{ readonly store: Readable<S> }>,
  select?: (state: S) => T,
): S | T {
  const { store } = useSession(of)
  return useStore(store, (state) => (select ? select(state) : state))
}

export function useFrame(): FrameState {
  return useStore(useSession().frame)
}

/** GB or GiB, as the person has set it. */
export function useUnits() {
  return useFrame().settings.units
}

/** True while a job of one of these kinds runs. */
export function useIsRunning(...kinds: readonly JobKind[]): boolean {
  return useStore(useSession().jobs, (jobs) => runningOf(jobs, ...kinds) !== null)
}
