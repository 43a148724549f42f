import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ServerProcess, startServer } from '../server-process.ts'
import { canSetClocks, type FakeClock, fakeClock } from './fake-clock.ts'
import { issueKey, use } from './requests.ts'
import { type SharedStore, sharedStores } from './shared-stores.ts'

const MONTH_SECONDS = 30 * 86_400
const LIMIT = 5

describe.runIf(canSetClocks).each(sharedStores)(
  'servers whose clocks differ, over $name',
  { timeout: 120_000 },
  (kind) => {
    let store: SharedStore
    let clocks: readonly [FakeClock, FakeClock]
    let right: ServerProcess
    let wrong: ServerProcess

    beforeAll(async () => {
      store = await kind.create()
      clocks = [fakeClock(), fakeClock()]
      const [first, second] = await Promise.all(
        clocks.map(({ environment }) => startServer({ environment: { ...store.environment, ...environment } })),
      )
      if (!first || !second) throw new Error('there are not two servers')
      right = first
      wrong = second
    }, 120_000)
    afterAll(async () => {
      await Promise.all([right, wrong].map((server) => server?.[Symbol.asyncDispose]()))
      for (const clock of clocks ?? []) clock.remove()
      await store?.remove()
    })

    const setAll = (seconds: number) => {
      for (const clock of clocks) clock.set(seconds)
    }
    const useOften = async (server: ServerProcess, key: string): Promise<number> => {
      let admitted = 0
      for (let request = 0; request < 2 * LIMIT; request += 1) if ((await use(server, key)) === 200) admitted += 1
      return admitted
    }
    const retryAfter = async (server: ServerProcess, key: string): Promise<number> => {
      const response = await fetch(`${server.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } })
      await response.arrayBuffer()
      return Number(response.headers.get('retry-after') ?? 0)
    }

    it.each([
      ['ahead', MONTH_SECONDS],
      ['late', -MONTH_SECONDS],
    ])('refuse a key for one window at most after requests on a clock that was a month %s', async (_, offset) => {
      setAll(0)
      const { api_key: key } = await issueKey(right, { rate_limit: LIMIT })
      const before = await use(right, key)
      clocks[1].set(offset)
      const meanwhile = await useOften(wrong, key)
      clocks[1].set(0)
      const waits = [await retryAfter(right, key), await retryAfter(wrong, key)]
      console.info(
        `${kind.name}: ${before} before, ${meanwhile} admitted meanwhile, retry-after ${waits.join(' and ')}`,
      )
      expect(meanwhile).toBeLessThanOrEqual(LIMIT)
      expect(Math.max(...waits)).toBeLessThanOrEqual(60)
      setAll(61)
      expect(await useOften(right, key)).toBe(LIMIT)
      expect(await useOften(wrong, key)).toBe(0)
    })

    it('admit at most one window more while a clock stays a month ahead', async () => {
      setAll(0)
      const { api_key: key } = await issueKey(right, { rate_limit: LIMIT })
      clocks[1].set(MONTH_SECONDS)
      let admitted = 0
      for (let request = 0; request < 4 * LIMIT; request += 1) {
        for (const server of [right, wrong]) if ((await use(server, key)) === 200) admitted += 1
      }
      console.info(`${kind.name}: ${admitted} of ${8 * LIMIT} admitted with a limit of ${LIMIT}`)
      expect(admitted).toBeLessThanOrEqual(2 * LIMIT)
    })

    it('accept tokens again in the next minute after a clock that was a month ahead', async () => {
      setAll(0)
      const { api_key: key } = await issueKey(right, { rate_limit: 1000, tokens_per_minute: 200 })
      const chat = async (server: ServerProcess) => {
        const response = await fetch(`${server.url}/v1/chat/completions`, {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body: JSON.stringify({
            model: 'echo-no-llm',
            max_tokens: 100,
            messages: [{ role: 'user', content: 'word '.repeat(60) }],
          }),
        })
        await response.arrayBuffer()
        return response.status
      }
      clocks[1].set(MONTH_SECONDS)
      while ((await chat(wrong)) === 200);
      clocks[1].set(0)
      await chat(right)
      setAll(60)
      expect(await chat(right)).toBe(200)
    })
  },
)
