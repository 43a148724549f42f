import { type ProviderContext, ProviderFailure } from '@trivium/gateway-core/ports'
import { describe, expect, it, vi } from 'vitest'
import { delta, encodedAnswer, fakeProvider, finish, LiveStream, usage } from './fake-provider.ts'
import { openGateway, settled } from './open-gateway.ts'

const never = () => new Promise<never>(() => undefined)

/** The upstreams ignore their signal, so that the gateway itself has to end the call. */
describe('disconnection of a client', () => {
  it('ends the upstream call of a complete answer', async () => {
    const contexts: ProviderContext[] = []
    const open = openGateway({
      providers: [
        fakeProvider({
          complete: (_, context) => {
            contexts.push(context)
            return never()
          },
        }),
      ],
    })
    const failed = vi.fn()
    open.gateway.events.on('provider.failed', failed)
    const { secret, key } = await open.key({ budget: { tokensPerDay: 100_000 } })
    const controller = new AbortController()
    const answer = open.chat(secret, {}, { signal: controller.signal })
    await vi.waitFor(() => expect(contexts).toHaveLength(1), 30_000)
    controller.abort()
    await answer
    expect(failed).not.toHaveBeenCalled()
    expect(contexts[0]?.signal.aborted).toBe(true)
    expect(open.records).toMatchObject([
      { status: 499, partial: true, estimated: true, inputTokens: 6, outputTokens: 0, provider: 'up' },
    ])
    await open.gateway.budgets.flush()
    expect(await open.gateway.budgets.inspect(key)).toMatchObject({ minute: 6, day: 6, reserved: 0 })
  })

  it('ends the upstream call of a stream before its first event', async () => {
    const live = new LiveStream()
    const open = openGateway({
      providers: [fakeProvider({ stream: () => live.stream })],
      chat: { onDisconnect: 'drain' },
    })
    const { secret, key } = await open.key({ budget: { tokensPerDay: 100_000 } })
    const controller = new AbortController()
    const answer = open.chat(secret, { stream: true }, { signal: controller.signal })
    await live.started
    controller.abort()
    await answer
    expect(open.records).toMatchObject([
      { status: 499, partial: true, estimated: true, inputTokens: 6, outputTokens: 0, provider: 'up' },
    ])
    await open.gateway.budgets.flush()
    expect(await open.gateway.budgets.inspect(key)).toMatchObject({ minute: 6, day: 6, reserved: 0 })
  })

  it('counts before the first byte too, so that prompts cannot exceed a budget', async () => {
    const provider = fakeProvider({ stream: never })
    const open = openGateway({ providers: [provider] })
    const { secret } = await open.key({ budget: { tokensPerDay: 2_500 } })
    const prompt = { stream: true, max_tokens: 1, messages: [{ role: 'user', content: 'x'.repeat(4_000) }] }
    for (const times of [1, 2]) {
      const controller = new AbortController()
      const answer = open.chat(secret, prompt, { signal: controller.signal })
      await provider.untilCalled(times)
      controller.abort()
      await answer
      await open.gateway.budgets.flush()
    }
    expect((await open.chat(secret, prompt)).status).toBe(429)
    expect(provider.calls).toHaveLength(2)
  })

  it('costs nothing during the wait after a failed attempt, and before the first one', async () => {
    const refused = new ProviderFailure({ type: 'refused', status: 503, message: 'busy' })
    const provider = fakeProvider({ complete: () => Promise.reject(refused) })
    const open = openGateway({ providers: [provider], retries: { backoffMs: 60_000, maxWaitSeconds: 60 } })
    const { secret, key } = await open.key({ budget: { tokensPerDay: 100_000 } })
    const controller = new AbortController()
    const failed = new Promise((resolve) => open.gateway.events.on('provider.failed', resolve))
    const answer = open.chat(secret, {}, { signal: controller.signal })
    await failed
    await settled()
    controller.abort()
    await answer
    const call = { requestId: 'r1', caller: { type: 'key', key }, signal: controller.signal } as const
    const body = { model: 'up/big', messages: [{ role: 'user', content: 'Hello' }] } as const
    await open.gateway.chat.complete(call, { body, raw: undefined })
    expect(provider.calls).toHaveLength(1)
    const free = { status: 499, partial: false, estimated: false, inputTokens: 0 }
    expect(open.records).toMatchObject([free, free])
    await open.gateway.budgets.flush()
    expect(await open.gateway.budgets.inspect(key)).toMatchObject({ minute: 0, day: 0, reserved: 0 })
  })

  it('ends the upstream call of a running stream, and records its usage as partial', async () => {
    const live = new LiveStream()
    const open = openGateway({ providers: [fakeProvider({ stream: () => live.stream })] })
    const { secret, key } = await open.key({ budget: { tokensPerDay: 100_000 } })
    const answer = open.chat(secret, { stream: true, messages: [{ role: 'user', content: 'x'.repeat(40) }] })
    await live.started
    live.send(delta('one'), delta('two'))
    const reader = (await answer).body?.getReader()
    await reader?.read()
    live.send(delta('three'))
    await reader?.cancel()
    await settled()
    expect(live.cancelled).toBe(true)
    expect(open.records).toMatchObject([
      { status: 499, partial: true, estimated: true, inputTokens: 14, outputTokens: 3, streamed: true },
    ])
    await open.gateway.budgets.flush()
    expect(await open.gateway.budgets.inspect(key)).toMatchObject({ minute: 17, day: 17, reserved: 0 })
  })

  it('records long pieces of a stream by their characters', async () => {
    const live = new LiveStream()
    const open = openGateway({ providers: [fakeProvider({ stream: () => live.stream })] })
    const { secret } = await open.key()
    const answer = open.chat(secret, { stream: true })
    await live.started
    for (let count = 0; count < 10; count += 1) live.send(delta('x'.repeat(4000)))
    const reader = (await answer).body?.getReader()
    await reader?.read()
    await reader?.cancel()
    await settled()
    const [record] = open.records
    expect(record).toMatchObject({ status: 499, partial: true, estimated: true })
    expect(Math.abs((record?.outputTokens ?? 0) - 10_000)).toBeLessThan(200)
  })

  it('lets a running stream be drained, so that its usage is exact', async () => {
    const live = new LiveStream()
    const open = openGateway({
      providers: [fakeProvider({ stream: () => live.stream })],
      chat: { onDisconnect: 'drain' },
    })
    const { secret, key } = await open.key({ budget: { tokensPerDay: 100_000 } })
    const answer = open.chat(secret, { stream: true })
    await live.started
    live.send(delta('one'))
    const reader = (await answer).body?.getReader()
    await reader?.read()
    await reader?.cancel()
    expect(live.cancelled).toBe(false)
    expect(open.records).toEqual([])
    live.send(delta('two'), finish, usage, '[DONE]')
    expect(open.records).toMatchObject([
      { status: 499, partial: true, estimated: false, inputTokens: 9, outputTokens: 2 },
    ])
    await open.gateway.budgets.flush()
    expect(await open.gateway.budgets.inspect(key)).toMatchObject({ minute: 11, day: 11, reserved: 0 })
  })

  it('cancels a drained stream that exceeds the limits', async () => {
    const live = new LiveStream()
    const open = openGateway({
      providers: [fakeProvider({ stream: () => live.stream })],
      chat: { onDisconnect: 'drain', drain: { maxBytes: 1_000 } },
    })
    const { secret } = await open.key()
    const answer = open.chat(secret, { stream: true })
    await live.started
    live.send(delta('one'))
    await (await answer).body?.cancel()
    live.send(delta('x'.repeat(2_000)))
    expect(live.cancelled).toBe(true)
    expect(open.records).toMatchObject([{ status: 499, partial: true, estimated: true }])
  })

  it('changes nothing after a complete answer', async () => {
    const open = openGateway({ providers: [fakeProvider({ complete: () => encodedAnswer() })] })
    const { secret } = await open.key()
    const controller = new AbortController()
    await open.chat(secret, {}, { signal: controller.signal })
    controller.abort()
    expect(open.records).toMatchObject([{ status: 200, inputTokens: 9 }])
  })

  it('prevents further attempts where it happens between two', async () => {
    const controller = new AbortController()
    const provider = fakeProvider({
      complete: () => {
        controller.abort()
        throw new Error('broken')
      },
    })
    const open = openGateway({
      providers: [provider],
      models: { both: { targets: [{ model: 'up/big' }], fallbacks: ['up/big'] } },
    })
    const { secret } = await open.key()
    await open.chat(secret, { model: 'both' }, { signal: controller.signal })
    expect(provider.calls).toHaveLength(1)
    expect(open.records).toMatchObject([{ status: 499 }])
  })
})
