import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RefusalError } from '@trivium/http-client'
import { useCallback, useMemo, useState } from 'react'
import { ConfirmProvider } from '../components/confirm.tsx'
import { ToastsProvider } from '../components/toasts.tsx'
import { LiveProvider } from '../live/live-context.tsx'
import { Login } from '../session/login.tsx'
import type { Session } from '../session/session.ts'
import { SessionContext } from '../session/session-context.ts'
import { storedPassword } from '../session/stored-password.ts'
import { Layout } from './layout.tsx'
import { queryDefaults } from './query-defaults.ts'

function createQueries(leave: (reason?: string) => void): QueryClient {
  const onError = (error: Error) => {
    if (error instanceof RefusalError && error.status === 401)
      leave('The server no longer accepts the password. Log in again.')
  }
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: queryDefaults,
  })
}

export function App() {
  const [session, setSession] = useState<Session>()
  const [reason, setReason] = useState<string>()
  const leave = useCallback((why?: string) => {
    storedPassword.remove()
    setReason(why)
    setSession(undefined)
  }, [])
  // A new session starts without data of the last one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each session has its own queries.
  const queries = useMemo(() => createQueries(leave), [session, leave])
  const value = useMemo(() => session && { ...session, leave }, [session, leave])

  if (!value) return <Login reason={reason} onOpen={setSession} />
  return (
    <SessionContext value={value}>
      <QueryClientProvider client={queries}>
        <ToastsProvider>
          <ConfirmProvider>
            <LiveProvider>
              <Layout />
            </LiveProvider>
          </ConfirmProvider>
        </ToastsProvider>
      </QueryClientProvider>
    </SessionContext>
  )
}
