import { QueryCache, QueryClient } from '@tanstack/react-query'
import { createClient } from '@trivium/http-client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createLive } from '../src/app/live/live.ts'
import { consoleContract } from '../src/routes/console-contract.ts'

const activity = (number: number) => ({
  number,
  at: '2026-01-02T03:04:05Z',
  service: 'gateway' as const,
  type: 'key.created',
  summary: `activity ${number}`,
  topics: ['keys' as const],
  ids: {},
})

beforeEach(() => {
  vi.stubGlobal('document', { hidden: false, addEventListener() {}, removeEventListener() {} })
})

afterEach(() => {
  vi.unstubAllGlobals()
})

/** A host with two activities that sends both on every connection, regardless of `after`. */
const repeatingHost = createClient(consoleContract, {
  baseUrl: 'http://host',
  fetch: async (input) =>
    new URL(new Request(input).url).pathname.endsWith('/activities')
      ? new Response([1, 2].map((number) => `data: ${JSON.stringify(activity(number))}\n\n`).join(''), {
          headers: { 'content-type': 'text/event-stream' },
        })
      : Response.json({ version: '1', services: [], state: [], last_activity: 2 }),
})

it('shows an activity once when two connections deliver it', async () => {
  const live = createLive(repeatingHost, new QueryClient())
  const controller = new AbortController()
  const connected = new Promise<void>((resolve) => {
    let times = 0
    live.subscribe(() => {
      if (live.state().status === 'reconnecting' && ++times === 2) resolve()
    })
  })
  const follows = [live.follow(controller.signal), live.follow(controller.signal)]
  await connected
  controller.abort()
  await Promise.all(follows)
  expect(live.state().activities.map(({ number }) => number)).toEqual([2, 1])
})

/** A host whose password has changed. */
const refusingHost = createClient(consoleContract, {
  baseUrl: 'http://host',
  fetch: async () => Response.json({ message: 'Wrong password' }, { status: 401 }),
})

it('reports a refusal of the host to the session, also when no view sends requests', async () => {
  const controller = new AbortController()
  const refused = new Promise<Error>((resolve) => {
    const queryCache = new QueryCache({ onError: resolve })
    void createLive(refusingHost, new QueryClient({ queryCache })).follow(controller.signal)
  })
  expect(await refused).toMatchObject({ status: 401 })
  controller.abort()
})
