import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createLab } from '../emulation/lab.ts'
import { type ServerProcess, startServer } from '../server-process.ts'
import { canSetClocks, type FakeClock, fakeClock } from './fake-clock.ts'
import { issueKey, validate } from './requests.ts'
import { type SharedStore, sharedDatabaseStores } from './shared-stores.ts'

const DAY_SECONDS = 86_400
/** More than every retention time. */
const AHEAD_SECONDS = 500 * DAY_SECONDS

const chat = async (server: ServerProcess, key: string): Promise<number> => {
  const response = await fetch(`${server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'echo-no-llm', messages: [{ role: 'user', content: 'Hello' }] }),
  })
  await response.arrayBuffer()
  return response.status
}

/** Returns the number of requests that a server accounted in the day before that time. */
async function requestsUntil(server: ServerProcess, end: Date): Promise<number> {
  const from = new Date(end.getTime() - DAY_SECONDS * 1000).toISOString()
  const response = await server.ask(`/v1/usage?from=${from}&to=${end.toISOString()}`)
  const { data }: { data: readonly { requests: number }[] } = await response.json()
  return data.reduce((sum, { requests }) => sum + requests, 0)
}

/** Resolves at the first check for removals, 10 seconds after the start. */
const untilRetentionPaused = (server: ServerProcess) =>
  vi.waitFor(() => expect(server.output()).toContain('Old data is not removed'), { timeout: 60_000 })

describe.runIf(canSetClocks)('a server that starts with a clock that is 500 days ahead', { timeout: 240_000 }, () => {
  let clock: FakeClock
  let server: ServerProcess | undefined

  beforeEach(() => {
    clock = fakeClock()
  })
  afterEach(async () => {
    await server?.[Symbol.asyncDispose]()
    clock.remove()
  })

  it('removes no key, usage, image or capture, also at a second such start', async () => {
    server = await startServer({ environment: clock.environment })
    const first = server
    const { api_key: key } = await issueKey(first, { expires_in_days: 30 })
    expect(await chat(first, key)).toBe(200)
    const generated = await first.ask('/v1/images/generations', {
      method: 'POST',
      body: { prompt: 'A house', size: '256x256' },
    })
    const { data }: { data: readonly { url: string }[] } = await generated.json()
    const imagePath = new URL(data[0]?.url ?? '').pathname
    const lab = await createLab(first)
    const pc = await lab.create('emu3', { name: 'PC1' })
    const port = `${lab.path}/emu3/vms/${pc.vm_id}/adapters/0/ports/0`
    await lab.call('POST', `${port}/start_capture`, { capture_file_name: 'a.pcap' })
    await lab.call('POST', `${port}/stop_capture`)
    const capturesOf = async (server: ServerProcess): Promise<unknown> =>
      (await server.ask(`${lab.path}/captures`)).json()
    const before = { end: new Date(Date.now() + 60_000), captures: await capturesOf(first) }
    expect(before.captures).toMatchObject([{ capture_file_name: 'a.pcap' }])
    await first.stop()

    clock.set(AHEAD_SECONDS)
    for (const _ of [1, 2]) {
      const wrong = await server.restart()
      try {
        await untilRetentionPaused(wrong)
        expect(await capturesOf(wrong)).toEqual(before.captures)
        const { api_key: newKey } = await issueKey(wrong)
        expect(await chat(wrong, newKey)).toBe(200)
      } finally {
        await wrong.stop()
      }
    }

    clock.set(0)
    const right = await server.restart()
    try {
      expect(await validate(right, key)).toMatchObject({ valid: true })
      expect(await requestsUntil(right, before.end)).toBe(2)
      expect((await right.ask(imagePath)).status).toBe(200)
      expect(await capturesOf(right)).toEqual(before.captures)
    } finally {
      await right.stop()
    }
  })
})

describe.runIf(canSetClocks).each(sharedDatabaseStores)(
  'a replica over $name that starts with a clock that is 500 days ahead',
  { timeout: 240_000 },
  (kind) => {
    it('removes no key and no usage of the other replica', async () => {
      const clock = fakeClock()
      const store: SharedStore = await kind.create()
      const start = (more = {}) => startServer({ environment: { ...store.environment, ...more } })
      const right = await start()
      try {
        const { api_key: key } = await issueKey(right, { expires_in_days: 30 })
        expect(await chat(right, key)).toBe(200)
        const end = new Date(Date.now() + 60_000)
        await vi.waitFor(async () => expect(await requestsUntil(right, end)).toBe(1), 30_000)
        clock.set(AHEAD_SECONDS)
        const wrong = await start(clock.environment)
        await untilRetentionPaused(wrong)
        await wrong[Symbol.asyncDispose]()
        expect(await validate(right, key)).toMatchObject({ valid: true })
        expect(await requestsUntil(right, end)).toBe(1)
      } finally {
        await right[Symbol.asyncDispose]()
        await store.remove()
        clock.remove()
      }
    })
  },
)
