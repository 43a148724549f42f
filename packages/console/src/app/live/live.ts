import type { QueryClient } from '@tanstack/react-query'
import { expectOk } from '@trivium/http-client'
import type { Activity } from '../../activity/activity.ts'
import type { ConsoleClient } from '../session/session.ts'
import { pause } from './pause.ts'

export type LiveStatus = 'connecting' | 'live' | 'reconnecting'

export interface LiveState {
  readonly status: LiveStatus
  /** The last 100 activities, newest first. */
  readonly activities: readonly Activity[]
}

export interface Live {
  readonly state: () => LiveState
  /** Calls the listener after each change of the state. @returns a function that ends this */
  subscribe(listener: () => void): () => void
  /** Calls the listener with each new activity. @returns a function that ends this */
  listen(listener: (activity: Activity) => void): () => void
  /** Follows the host until the signal aborts, and connects again after failures. Never rejects. */
  follow(signal: AbortSignal): Promise<void>
}

const MAX_ACTIVITIES = 100
const GATHER_MS = 200
const FIRST_WAIT_MS = 1000
const MAX_WAIT_MS = 15_000

/**
 * Follows the activities of the host, and reads the queries of their topics again. Disconnects while the tab is hidden,
 * because browsers allow few connections to a server.
 */
export function createLive(client: ConsoleClient, queries: QueryClient): Live {
  let state: LiveState = { status: 'connecting', activities: [] }
  const subscribers = new Set<() => void>()
  const listeners = new Set<(activity: Activity) => void>()
  const stale = new Set<string>()
  let last = 0

  const change = (next: Partial<LiveState>) => {
    state = { ...state, ...next }
    for (const notify of subscribers) notify()
  }

  const invalidate = (activity: Activity) => {
    if (stale.size === 0) {
      setTimeout(() => {
        const topics = new Set(stale)
        stale.clear()
        void queries.invalidateQueries({
          predicate: ({ queryKey: [service, topic] }) => topics.has(`${service}/${topic}`),
        })
      }, GATHER_MS)
    }
    for (const topic of activity.topics) stale.add(`${activity.service}/${topic}`)
  }

  const receive = (activity: Activity, isNew: boolean) => {
    // A connection that is being closed can repeat activities of the next one.
    if (activity.number <= last) return
    if (last > 0 && activity.number > last + 1) void queries.invalidateQueries()
    last = activity.number
    change({ activities: [activity, ...state.activities].slice(0, MAX_ACTIVITIES) })
    if (!isNew) return
    invalidate(activity)
    for (const listener of listeners) listener(activity)
  }

  const connect = async (signal: AbortSignal, opened: () => void) => {
    const isReconnect = state.status === 'reconnecting'
    // The query cache ends the session when the host refuses a query.
    const { last_activity: before } = await queries.fetchQuery({
      queryKey: ['host', 'live'],
      queryFn: () => expectOk(client.getHost({ signal })),
      staleTime: 0,
      retry: false,
    })
    // After a restart the host numbers from 1.
    if (before < last) last = 0
    const activities = await expectOk(client.watchActivities({ query: { after: last }, signal }))
    opened()
    change({ status: 'live' })
    if (isReconnect) void queries.invalidateQueries()
    for await (const activity of activities) receive(activity, activity.number > before)
  }

  return {
    state: () => state,
    subscribe(listener) {
      subscribers.add(listener)
      return () => subscribers.delete(listener)
    },
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async follow(signal) {
      let wait = FIRST_WAIT_MS
      while (!signal.aborted) {
        await untilVisible(signal)
        const visibleSignal = whileVisible(signal)
        await connect(visibleSignal, () => {
          wait = FIRST_WAIT_MS
        }).catch(() => undefined)
        if (signal.aborted) return
        change({ status: 'reconnecting' })
        if (document.hidden) continue
        await pause(wait, signal)
        wait = Math.min(2 * wait, MAX_WAIT_MS)
      }
    },
  }
}

function untilVisible(signal: AbortSignal): Promise<void> {
  if (!document.hidden) return Promise.resolve()
  return new Promise((resolve) => {
    const onVisibilityChange = () => {
      if (document.hidden && !signal.aborted) return
      document.removeEventListener('visibilitychange', onVisibilityChange)
      signal.removeEventListener('abort', onVisibilityChange)
      resolve()
    }
    document.addEventListener('visibilitychange', onVisibilityChange)
    signal.addEventListener('abort', onVisibilityChange)
  })
}

function whileVisible(signal: AbortSignal): AbortSignal {
  const controller = new AbortController()
  const onVisibilityChange = () => {
    if (!document.hidden && !signal.aborted) return
    document.removeEventListener('visibilitychange', onVisibilityChange)
    controller.abort()
  }
  document.addEventListener('visibilitychange', onVisibilityChange)
  signal.addEventListener('abort', onVisibilityChange, { once: true })
  return controller.signal
}
