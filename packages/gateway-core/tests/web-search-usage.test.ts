import { ProviderFailure } from '@trivium/gateway-core/ports'
import { describe, expect, it } from 'vitest'
import { type OpenGatewayOptions, openGateway, settled } from './open-gateway.ts'
import { type ModelAnswer, pagesEngine, searchFor, searchingModel, usageOf } from './searching-model.ts'

const usage = usageOf(100_000, 5_000)
const searching: ModelAnswer = { text: 'I search.', calls: [searchFor('how switches learn')], usage }
const answered: ModelAnswer = { text: 'They learn.', usage }

const overloaded = () => new ProviderFailure({ type: 'refused', status: 500, message: 'A failure', retryable: true })

const never = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason))
  })

async function start(
  answerOf: (round: number, signal: AbortSignal) => ModelAnswer | Promise<ModelAnswer>,
  options: OpenGatewayOptions = {},
) {
  const model = searchingModel((round, _, { signal }) => answerOf(round, signal))
  const open = openGateway({
    providers: [model],
    searchEngines: [pagesEngine()],
    retries: { backoffMs: 0 },
    ...options,
  })
  const { secret } = await open.key()
  const respond = (more: object = {}, signal?: AbortSignal) =>
    open.send('/v1/responses', {
      as: secret,
      body: { model: 'up/big', input: 'How?', tools: [{ type: 'web_search' }], ...more },
      ...(signal && { signal }),
    })
  const chats = () => open.records.filter(({ operation }) => operation === 'chat')
  return { open, model, respond, chats }
}

describe('the usage of an answer whose model searches', () => {
  it('has the rounds before a timeout of the request', async () => {
    const { respond, chats } = await start((round, signal) => (round < 3 ? searching : never(signal)))
    expect((await respond({ timeout: 1 })).status).toBe(504)
    const [record] = chats()
    expect(record).toMatchObject({ status: 504, outputTokens: 10_000, partial: true })
    // The third round has read its prompt.
    expect(record?.inputTokens).toBeGreaterThan(200_000)
  })

  it('has the rounds before the client disconnects', async () => {
    const left = new AbortController()
    const { respond, chats } = await start((round, signal) => {
      if (round < 3) return searching
      left.abort()
      return never(signal)
    })
    await respond({}, left.signal)
    expect(chats()).toMatchObject([{ status: 499, outputTokens: 10_000, partial: true }])
  })

  it('has the rounds before a failure, which is retried from there', async () => {
    const { respond, chats, model } = await start((round) => {
      if (round < 3) return searching
      throw overloaded()
    })
    expect((await respond()).status).toBe(502)
    expect(chats()).toMatchObject([{ status: 502, inputTokens: 200_000, outputTokens: 10_000, partial: true }])
    expect(model.asked.map(({ messages }) => messages.length)).toEqual([1, 3, 5, 5])
  })

  it('has every round once where a later one succeeds when it is retried', async () => {
    const { respond, chats } = await start((round) => {
      if (round === 3) throw overloaded()
      return round < 3 ? searching : answered
    })
    const response = await (await respond()).json()
    expect(response.output.map(({ type }: { type: string }) => type)).toEqual([
      'message',
      'web_search_call',
      'message',
      'web_search_call',
      'message',
    ])
    expect(chats()).toMatchObject([{ status: 200, inputTokens: 300_000, outputTokens: 15_000, partial: false }])
  })

  it('estimates the rounds before a failure where the upstream reports none', async () => {
    const { respond, chats } = await start((round) => {
      if (round < 3) return { ...searching, text: 'word '.repeat(400), usage: null }
      throw overloaded()
    })
    await respond()
    const [record] = chats()
    expect(record).toMatchObject({ estimated: true, partial: true })
    expect(record?.inputTokens).toBeGreaterThan(0)
    expect(record?.outputTokens).toBeGreaterThan(1_000)
  })

  it('has the rounds before a fallback that cannot continue them, which is not asked', async () => {
    const native = { asked: 0 }
    const { respond, chats } = await start(
      (round) => {
        if (round < 3) return searching
        throw overloaded()
      },
      {
        providers: [
          searchingModel((round) => {
            if (round < 3) return searching
            throw overloaded()
          }),
          {
            id: 'native',
            models: async () => [{ id: 'big', kind: 'chat', ownedBy: 'native', created: 0 }],
            responses: {
              complete: async () => {
                native.asked += 1
                return { value: {}, bytes: new Uint8Array() }
              },
              stream: async () => ({ kind: 'whole', value: {} }),
            },
          },
        ],
        models: { both: { targets: [{ model: 'up/big' }], fallbacks: ['native/big'] } },
      },
    )
    expect((await respond({ model: 'both' })).status).toBe(502)
    expect(native.asked).toBe(0)
    expect(chats()).toMatchObject([{ status: 502, outputTokens: 10_000 }])
  })

  it.each([
    'timeout',
    'failure',
    'disconnect',
  ])('has the rounds before a streamed one that ends by a %s', async (how) => {
    const left = new AbortController()
    const { respond, chats } = await start((round, signal) => {
      if (round < 3) return searching
      if (how === 'failure') throw overloaded()
      if (how === 'disconnect') left.abort()
      return never(signal)
    })
    const response = await respond({ stream: true, ...(how === 'timeout' && { timeout: 1 }) }, left.signal)
    await response.text().catch(() => undefined)
    await settled()
    const [record] = chats()
    expect(record).toMatchObject({ outputTokens: 10_000, partial: true })
    expect(record?.inputTokens).toBeGreaterThanOrEqual(200_000)
  })

  it('adds what a later round of a stream has sent before it was cut', async () => {
    const { respond, chats } = await start((round) =>
      round < 3 ? searching : { text: 'They learn from frames.', isCut: true, usage },
    )
    await (await respond({ stream: true })).text()
    await settled()
    const [record] = chats()
    expect(record).toMatchObject({ partial: true, estimated: true })
    // About one for each event of the last round.
    expect(record?.outputTokens).toBeGreaterThan(10_003)
    expect(record?.outputTokens).toBeLessThan(10_008)
  })
})
