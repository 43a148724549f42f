import { memoryBudgets } from '@trivium/gateway-core/memory'
import { type ProviderErrorInit, ProviderFailure } from '@trivium/gateway-core/ports'
import { describe, expect, it } from 'vitest'
import {
  completionText,
  delta,
  encodedAnswer,
  fakeProvider,
  finish,
  LiveStream,
  textStream,
  usage,
} from './fake-provider.ts'
import {
  ADMIN,
  expectFailure,
  expectMessageFailure,
  type OpenGateway,
  type OpenGatewayOptions,
  openGateway,
} from './open-gateway.ts'

const inspect = async (open: OpenGateway, key: Parameters<OpenGateway['gateway']['budgets']['inspect']>[0]) => {
  await open.gateway.budgets.flush()
  return open.gateway.budgets.inspect(key)
}

describe('token budget', () => {
  it('refuses by the estimate before a request, and counts the real use after it', async () => {
    const open = openGateway()
    const { secret, key } = await open.key({ budget: { tokensPerMinute: 100 } })
    // "Hello" and its message are estimated as 6 tokens.
    expect((await open.chat(secret, { max_tokens: 94 })).status).toBe(200)
    expect(await inspect(open, key)).toMatchObject({ minute: 11, day: 11, reserved: 0 })
    const response = await open.chat(secret, { max_completion_tokens: 84 })
    await expectFailure(response, 429, { type: 'tokens', code: 'rate_limit_exceeded' })
    expect(response.headers.get('retry-after')).toBe('55')
    open.time += 55_000
    expect((await open.chat(secret, { max_tokens: 94 })).status).toBe(200)
  })

  it('refuses with `insufficient_quota` and the time of midnight, without a time to sleep, where the limit is per day', async () => {
    const open = openGateway()
    const { secret } = await open.key({ budget: { tokensPerDay: 1_100 } })
    for (let request = 0; request < 7; request += 1) expect((await open.chat(secret)).status).toBe(200)
    const response = await open.chat(secret)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'x-should-retry': 'false',
      'x-trivium-budget-reset': '2026-01-03T00:00:00Z',
    })
    expect(response.headers.has('retry-after')).toBe(false)
    const message = 'Token budget of 1100 per day exceeded. The budget starts again at 2026-01-03T00:00:00Z.'
    await expectFailure(response, 429, { type: 'tokens', code: 'insufficient_quota', message })
  })

  it('reserves tokens for each of the `n` answers', async () => {
    const open = openGateway()
    const { secret } = await open.key({ budget: { tokensPerMinute: 100 } })
    expect((await open.chat(secret, { max_tokens: 40, n: 3 })).status).toBe(400)
    expect((await open.chat(secret, { max_tokens: 40, n: 2 })).status).toBe(200)
    expect((await open.chat(secret, { max_tokens: 42, n: 2 })).status).toBe(429)
  })

  it.each([
    [{ tokensPerMinute: 100 }, 'minute'],
    [{ tokensPerDay: 100, tokensPerMinute: 1_000 }, 'day'],
  ])('refuses what the budget $0 can never fit, without a time to wait', async (budget, window) => {
    const open = openGateway()
    const { secret, key } = await open.key({ budget })
    const response = await open.chat(secret, { max_tokens: 95 })
    expect(response.headers.has('retry-after')).toBe(false)
    const message = expect.stringMatching(`may use 101 tokens.* 100 per ${window}.*max_tokens`)
    await expectFailure(response, 400, { type: 'invalid_request_error', code: 'tokens_exceed_limit', message })
    expect(await inspect(open, key)).toMatchObject({ minute: 0, day: 0, reserved: 0 })
  })

  it.each([
    ['/v1/chat/completions', { messages: [{ role: 'user', content: 'Hello' }] }, 'max_completion_tokens'],
    ['/v1/chat/completions', { messages: [{ role: 'user', content: 'Hello' }], max_tokens: 95 }, 'max_tokens'],
    ['/v1/responses', { input: 'Hello' }, 'max_output_tokens'],
    ['/v1/completions', { prompt: 'Hello', max_tokens: 95 }, 'max_tokens'],
    ['/v1/embeddings', { input: 'x'.repeat(1_000) }, null],
  ])('names the field of %s that limits the output of %j', async (path, fields, param) => {
    const open = openGateway()
    const { secret } = await open.key({ budget: { tokensPerMinute: 90 } })
    const response = await open.send(path, { as: secret, body: { model: 'up/big', ...fields } })
    const remedy = param === null ? ' Shorten the input.' : ` Lower '${param}' or shorten the input.`
    const message = expect.stringContaining(remedy)
    await expectFailure(response, 400, { code: 'tokens_exceed_limit', param, message })
  })

  it('names the field of messages that limits the output', async () => {
    const open = openGateway()
    const { secret } = await open.key({ budget: { tokensPerMinute: 90 } })
    const body = { model: 'up/big', max_tokens: 95, messages: [{ role: 'user', content: 'Hello' }] }
    const message = expect.stringContaining("Lower 'max_tokens'")
    await expectMessageFailure(
      await open.send('/v1/messages', { as: secret, body }),
      400,
      'invalid_request_error',
      message,
    )
  })

  it('counts reservations of running streams, so that simultaneous requests cannot exceed it', async () => {
    const streams = Array.from({ length: 3 }, () => new LiveStream())
    let next = 0
    const open = openGateway({ providers: [fakeProvider({ stream: () => streams[next++]?.stream ?? textStream('') })] })
    const { secret, key } = await open.key({ budget: { tokensPerMinute: 100 } })
    const ask = () => open.chat(secret, { stream: true, max_tokens: 40 })
    const running = [ask(), ask()]
    await Promise.all(streams.slice(0, 2).map(({ started }) => started))
    expect((await ask()).status).toBe(429)
    for (const stream of streams.slice(0, 2)) stream.send(delta('x'), finish, usage, '[DONE]')
    for (const answer of running) await (await answer).text()
    expect(await inspect(open, key)).toMatchObject({ minute: 22, day: 22, reserved: 0 })
    const third = ask()
    await streams[2]?.started
    streams[2]?.send(delta('x'), '[DONE]')
    await (await third).text()
  })

  it('reserves nothing for the admin and for keys without a budget', async () => {
    const budgets = memoryBudgets()
    const open = openGateway({
      repositories: { budgets: { ...budgets, reserve: () => Promise.reject(new Error('asked')) } },
    })
    const { secret } = await open.key()
    expect([(await open.chat(ADMIN)).status, (await open.chat(secret)).status]).toEqual([200, 200])
  })

  it('emits an event with the refused key', async () => {
    const open = openGateway()
    const refused: unknown[] = []
    open.gateway.events.on('budget.exceeded', ({ caller }, error) =>
      refused.push([caller.type === 'key' && caller.key.username, 'window' in error && error.window]),
    )
    const { secret } = await open.key({ budget: { tokensPerDay: 100 } })
    await open.chat(secret, { max_tokens: 94 })
    await open.chat(secret, { max_tokens: 94 })
    expect(refused).toEqual([['ada', 'day']])
  })
})

describe('token reservation', () => {
  const failing = (init: ProviderErrorInit) => () => {
    throw new ProviderFailure(init)
  }
  const withProvider = (options: Parameters<typeof fakeProvider>[0]): OpenGatewayOptions => ({
    providers: [fakeProvider(options)],
    retries: { retries: 0 },
  })
  const events = (...list: readonly object[]) => list.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')

  it.each<[string, OpenGatewayOptions, boolean, number]>([
    ['after a complete answer', {}, false, 11],
    [
      'after an answer without usage',
      withProvider({ complete: () => encodedAnswer(completionText.replace(/,"usage".*\}\}?$/, '}')) }),
      false,
      19,
    ],
    ['after a refusal', withProvider({ complete: failing({ type: 'refused', status: 500, message: 'x' }) }), false, 0],
    [
      'after a bad request',
      withProvider({ complete: failing({ type: 'refused', status: 400, message: 'x' }) }),
      false,
      0,
    ],
    ['after a fault', withProvider({ complete: () => JSON.parse('') }), false, 0],
    [
      'after a stream',
      withProvider({ stream: () => textStream(`${events(delta('x'), finish, usage)}data: [DONE]\n\n`) }),
      true,
      11,
    ],
    [
      'after a stream without usage',
      withProvider({ stream: () => textStream(`${events(delta('x'), delta('y'), finish)}data: [DONE]\n\n`) }),
      true,
      8,
    ],
    ['after a stream that was cut', withProvider({ stream: () => textStream(events(delta('x'))) }), true, 7],
    [
      'after a stream that was refused',
      withProvider({ stream: failing({ type: 'unreachable', message: 'x' }) }),
      true,
      0,
    ],
    [
      'after a stream that began with an error',
      withProvider({ stream: () => textStream(events({ error: { message: 'x' } })) }),
      true,
      0,
    ],
    [
      'after a stream that continued with an error',
      withProvider({ stream: () => textStream(events(delta('x'), { error: { message: 'x' } })) }),
      true,
      7,
    ],
  ])('settles its tokens %s', async (_, options, stream, tokens) => {
    const open = openGateway(options)
    const { secret, key } = await open.key({ budget: { tokensPerDay: 10_000 } })
    await (await open.chat(secret, { stream })).text()
    expect(await inspect(open, key)).toMatchObject({ minute: tokens, day: tokens, reserved: 0 })
  })

  it('settles its tokens when the client cancels an unread stream', async () => {
    const live = new LiveStream()
    const open = openGateway({ providers: [fakeProvider({ stream: () => live.stream })] })
    const { secret, key } = await open.key({ budget: { tokensPerDay: 10_000 } })
    const answer = open.chat(secret, { stream: true })
    await live.started
    live.send(delta('x'))
    await (await answer).body?.cancel()
    expect((await inspect(open, key)).reserved).toBe(0)
  })

  it('expires where the store fails to settle it', async () => {
    const budgets = memoryBudgets()
    const open = openGateway({
      repositories: { budgets: { ...budgets, settle: () => Promise.reject(new Error('down')) } },
    })
    const { secret, key } = await open.key({ budget: { tokensPerDay: 10_000 } })
    await open.chat(secret, { timeout: 10 })
    expect((await inspect(open, key)).reserved).toBeGreaterThan(0)
    expect(open.faults).toHaveLength(1)
    open.time += 70_000
    expect((await inspect(open, key)).reserved).toBe(0)
  })
})
