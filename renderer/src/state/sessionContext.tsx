import { createContext, type ReactNode, useContext } from 'react'
import type { Session } from './session'
import { useStore } from './store'

const SessionContext = createContext<Session | null>(null)

export function SessionProvider({ session, children }: { session: Session; children: ReactNode }) {
  return <SessionContext value={session}>{children}</SessionContext>
}

/** The window's one session. */
export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('a component that uses the session stands outside of its provider')
  return session
}

/** GB or GiB, as the person has set it. */
export function useUnits() {
  return useStore(useSession().stores.frame).settings.units
}
