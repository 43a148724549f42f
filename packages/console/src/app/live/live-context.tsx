import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useMemo, useSyncExternalStore } from 'react'
import type { Activity } from '../../activity/activity.ts'
import { useSession } from '../session/session-context.ts'
import { createLive, type Live, type LiveState } from './live.ts'

const LiveContext = createContext<Live | undefined>(undefined)

/** Follows the activities of the host while it is rendered. */
export function LiveProvider({ children }: { readonly children: ReactNode }) {
  const { console } = useSession()
  const queries = useQueryClient()
  const live = useMemo(() => createLive(console, queries), [console, queries])
  useEffect(() => {
    const controller = new AbortController()
    void live.follow(controller.signal)
    return () => controller.abort()
  }, [live])
  return <LiveContext value={live}>{children}</LiveContext>
}

function useLive(): Live {
  const live = useContext(LiveContext)
  if (!live) throw new Error('The live state is used outside of LiveProvider')
  return live
}

/** Returns the state of the connection and the last activities. */
export function useLiveState(): LiveState {
  const live = useLive()
  return useSyncExternalStore(live.subscribe, live.state)
}

/** Calls the listener with each new activity. Queries are read again in any case. */
export function useActivity(listener: (activity: Activity) => void): void {
  const live = useLive()
  useEffect(() => live.listen(listener), [live, listener])
}
