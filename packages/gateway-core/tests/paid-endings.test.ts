import type { NewApiKey } from '@trivium/gateway-core'
import { describe, expect, it } from 'vitest'
import { delta, encodedAnswer, fakeProvider, finish, LiveStream, usage } from './fake-provider.ts'
import { type OpenGateway, type OpenGatewayOptions, openGateway } from './open-gateway.ts'

/** What the answer of the fake upstream costs: 9 tokens of input, 2 of output. */
const ANSWER = 29_000
/** The most that 100 tokens of output cost. */
const OUTPUT = 1_000_000

const money: Partial<NewApiKey> = JSON.parse('{"budget":{"spend":{"most":100000000,"period":"total"}}}')
const never = () => new Promise<never>(() => undefined)

const openPriced = (options: OpenGatewayOptions) =>
  openGateway({ prices: { 'up/*': { input: 1, output: 10 } }, ...options })

/** Requests a whole answer, and leaves while the upstream works on it. */
async function leave(open: OpenGateway, provider: ReturnType<typeof fakeProvider>) {
  const { secret, key } = await open.key(money)
  const client = new AbortController()
  const answer = open.chat(secret, { max_completion_tokens: 100 }, { signal: client.signal })
  await provider.untilCalled(1)
  const { reservedCost } = await open.gateway.budgets.inspect(key)
  client.abort()
  return { answer, key, reservedCost }
}

/** Requests a stream, and reads its first event. */
async function openStream(options: OpenGatewayOptions = {}, differences: Readonly<Record<string, unknown>> = {}) {
  const live = new LiveStream()
  const open = openPriced({ providers: [fakeProvider({ stream: () => live.stream })], ...options })
  const { secret, key } = await open.key(money)
  const answer = open.chat(secret, { stream: true, max_completion_tokens: 100, ...differences })
  await live.started
  live.send(delta('Hi'))
  const reader = (await answer).body?.getReader()
  await reader?.read()
  return { live, open, key, reader }
}

const spentOf = async (open: OpenGateway, key: Parameters<OpenGateway['gateway']['budgets']['inspect']>[0]) => {
  await open.gateway.budgets.flush()
  const { spent, reservedCost, running } = await open.gateway.budgets.inspect(key)
  expect([reservedCost, running]).toEqual([0, 0])
  expect(open.records.at(-1)?.cost).toBe(spent.total)
  return spent.total
}

describe('a request of a caller with a limit of money', () => {
  it('costs its answer where the client leaves before it', async () => {
    const { promise: gate, resolve: finishAnswer } = Promise.withResolvers<void>()
    const provider = fakeProvider({ complete: () => gate.then(() => encodedAnswer()) })
    const open = openPriced({ providers: [provider] })
    const { answer, key } = await leave(open, provider)
    expect(provider.calls[0]?.context.signal.aborted).toBe(false)
    expect(open.records).toEqual([])
    finishAnswer()
    await answer
    expect(await spentOf(open, key)).toBe(ANSWER)
    expect(open.records).toMatchObject([{ status: 499, partial: true, estimated: false, outputTokens: 2 }])
  })

  it.each([
    ['longer than a drain', { maxSeconds: 0.01 }],
    ['while as many as may be are drained', { maxStreams: 0 }],
  ])('costs the most that it can where the upstream works on it %s', async (_, drain) => {
    const provider = fakeProvider({ complete: never })
    const open = openPriced({ providers: [provider], chat: { drain } })
    const { answer, key, reservedCost } = await leave(open, provider)
    await answer
    expect(reservedCost).toBeGreaterThan(OUTPUT)
    expect(await spentOf(open, key)).toBe(reservedCost)
    expect(provider.calls[0]?.context.signal.aborted).toBe(true)
    expect(open.records).toMatchObject([{ status: 499, partial: true, estimated: true }])
  })

  it('costs the most that it can where the gateway is closed after the client has left', async () => {
    const provider = fakeProvider({ complete: never })
    const open = openPriced({ providers: [provider] })
    const { answer, key, reservedCost } = await leave(open, provider)
    await open.gateway.close()
    await answer
    const { spent } = await open.repositories.budgets.inspect(key.id, new Date(open.time))
    expect(spent.total).toBe(reservedCost)
  })

  it('costs nothing where the upstream fails after the client has left, and has no further attempt', async () => {
    const { promise: gate, reject: fail } = Promise.withResolvers<never>()
    const provider = fakeProvider({ complete: () => gate })
    const open = openPriced({ providers: [provider] })
    const { answer, key } = await leave(open, provider)
    fail(new Error('down'))
    await answer
    expect(await spentOf(open, key)).toBe(0)
    expect(provider.calls).toHaveLength(1)
    expect(open.records).toMatchObject([{ status: 499 }])
  })

  it('costs the most that it can where the time of the gateway ends it', async () => {
    const open = openPriced({ providers: [fakeProvider({ complete: never })], timeouts: { totalSeconds: 0.05 } })
    const { secret, key } = await open.key(money)
    expect((await open.chat(secret, { max_completion_tokens: 100 })).status).toBe(504)
    expect(await spentOf(open, key)).toBeGreaterThan(OUTPUT)
    expect(open.records).toMatchObject([{ status: 504, partial: true, estimated: true }])
  })

  it('has its stream drained where the client leaves', async () => {
    const { live, open, key, reader } = await openStream()
    await reader?.cancel()
    expect(live.cancelled).toBe(false)
    live.send(finish, usage, '[DONE]')
    expect(await spentOf(open, key)).toBe(ANSWER)
    expect(open.records).toMatchObject([{ status: 499, partial: true, estimated: false }])
  })

  it('costs the most that it can where its stream is not drained to the end', async () => {
    const { live, open, key, reader } = await openStream({ chat: { drain: { maxBytes: 100 } } })
    await reader?.cancel()
    live.send(delta('x'.repeat(200)))
    expect(live.cancelled).toBe(true)
    expect(await spentOf(open, key)).toBeGreaterThan(OUTPUT)
    expect(open.records).toMatchObject([{ status: 499, partial: true, estimated: true }])
  })

  it('costs the most that it can where images are reported without their tokens', async () => {
    const images = {
      generate: async () => ({ images: [{ bytes: new Uint8Array([1]), contentType: 'image/png' as const }] }),
    }
    const up = fakeProvider({ images, models: async () => [{ id: 'big', kind: 'image', ownedBy: 'up', created: 1 }] })
    const open = openPriced({ providers: [up] })
    const { secret, key } = await open.key(money)
    const body = { model: 'up/big', prompt: 'A hat', response_format: 'b64_json' }
    expect((await open.send('/v1/images/generations', { as: secret, body })).status).toBe(200)
    expect(await spentOf(open, key)).toBeGreaterThan(OUTPUT)
    expect(open.records).toMatchObject([{ status: 200, partial: false, estimated: true, images: 1 }])
  })

  it('costs the most that it can where its stream is cut, also after a count that is not the last', async () => {
    const { live, open, key, reader } = await openStream()
    live.send({ ...delta('there'), usage: usage.usage })
    live.fail({ type: 'interrupted', message: 'The upstream was cut.', retryable: true, beforeFirstByte: false })
    await reader?.read()
    expect(await spentOf(open, key)).toBeGreaterThan(OUTPUT)
    expect(open.records).toMatchObject([{ status: 502, partial: true, estimated: true }])
  })

  it('costs what was counted where the upstream itself ends its stream with an error', async () => {
    const { live, open, key, reader } = await openStream()
    live.send({ error: { message: 'Overloaded', type: 'overloaded_error' } })
    live.end()
    await reader?.read()
    expect(await spentOf(open, key)).toBeLessThan(OUTPUT / 10)
    expect(open.records).toMatchObject([{ partial: true, estimated: true }])
  })
})
