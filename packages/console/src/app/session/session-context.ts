import { createContext, useContext } from 'react'
import type { Session } from './session.ts'

export interface SessionValue extends Session {
  /** Forgets the password; the reason is shown where the next one is asked for. */
  leave(reason?: string): void
}

export const SessionContext = createContext<SessionValue | undefined>(undefined)

/** Inside of the console's views there always is one. */
export function useSession(): SessionValue {
  const session = useContext(SessionContext)
  if (!session) throw new Error('Nobody is logged in')
  return session
}
