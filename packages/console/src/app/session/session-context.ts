import { createContext, useContext } from 'react'
import type { Session } from './session.ts'

export interface SessionValue extends Session {
  /** Forgets the password and shows the login with the reason. */
  leave(reason?: string): void
}

export const SessionContext = createContext<SessionValue | undefined>(undefined)

/** Returns the session. Every view of the console has one. @throws Error outside of a session */
export function useSession(): SessionValue {
  const session = useContext(SessionContext)
  if (!session) throw new Error('useSession is used without a session')
  return session
}
