import { describe, expect, it } from 'vitest'
import { type OpenGateway, openGateway, settled } from '../open-gateway.ts'
import type { SeenRequest } from '../upstream-server.ts'
import { dialects, scripts } from './dialect-scripts.ts'
import { type DialectUpstream, dialectUpstream } from './dialect-upstream.ts'

const fronts = ['responses', 'messages'] as const
const pairs = fronts.flatMap((front) => dialects.map((upstream) => [front, upstream] as const))

/** The name of the limit of output tokens. */
const limits = { responses: 'max_output_tokens', messages: 'max_tokens' }

const timeouts = { responses: '"code":"upstream_timeout"', messages: '"type":"timeout_error"' }

/** Sends these events, and holds the stream open until the gateway closes it. */
function holding(events: readonly string[]) {
  let begun: () => void
  let closed: () => void
  let more: (text: string) => void
  const started = new Promise<void>((resolve) => {
    begun = resolve
  })
  const ended = new Promise<void>((resolve) => {
    closed = resolve
  })
  const answer: NonNullable<Parameters<typeof dialectUpstream>[1]> = (_: SeenRequest, response) => {
    response.on('close', () => closed())
    more = (text) => void response.end(text)
    if (events.length > 0) {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(events.join(''))
    }
    begun()
  }
  return { answer, started, ended, finish: (text: string) => more(text) }
}

const ask = (open: OpenGateway, front: (typeof fronts)[number], as: string, more: object, signal?: AbortSignal) =>
  open.send(scripts[front].path, {
    as,
    body: { model: 'up/big', ...scripts[front].request, ...more },
    ...(signal ? { signal } : {}),
  })

const begin = (upstream: DialectUpstream, more: Parameters<typeof openGateway>[0] = {}) =>
  openGateway({ providers: [upstream.provider], retries: { retries: 0 }, ...more })

describe.each(pairs)('a client of %s over an upstream of %s', (front, dialect) => {
  const { events } = scripts[dialect]
  const most = { [limits[front]]: 40 }

  it('gets a refusal beyond its rate and its budget, which counts the real use', async () => {
    const upstream = await dialectUpstream(dialect)
    const open = begin(upstream)
    const { secret, key } = await open.key({ rateLimit: 2, budget: { tokensPerDay: 5_000 } })
    for (const stream of [false, true]) {
      const response = await ask(open, front, secret, { ...most, stream })
      await response.text()
      expect(response.status).toBe(200)
    }
    expect((await ask(open, front, secret, most)).status).toBe(429)
    await settled()
    await open.gateway.budgets.flush()
    expect(await open.gateway.budgets.inspect(key)).toMatchObject({ minute: 28, day: 28, reserved: 0 })
    const { secret: small } = await open.key({ budget: { tokensPerDay: 30 } })
    const refused = await ask(open, front, small, most)
    expect(refused.status).toBe(400)
    expect(JSON.stringify(await refused.json())).toContain('30 per day')
    expect(upstream.seen).toHaveLength(2)
  })

  it('reserves its limit of output while a stream runs, and settles what was sent before it disconnects', async () => {
    const { answer, ended } = holding(events.slice(0, 6))
    const open = begin(await dialectUpstream(dialect, answer))
    const { secret, key } = await open.key({ budget: { tokensPerDay: 5_000 } })
    const response = await ask(open, front, secret, { ...most, stream: true })
    const reader = response.body?.getReader()
    await reader?.read()
    expect((await open.gateway.budgets.inspect(key))?.reserved).toBeGreaterThan(40)
    await reader?.cancel()
    await ended
    await settled()
    expect(open.records).toMatchObject([{ status: 499, partial: true, estimated: true, streamed: true }])
    const [record] = open.records
    await open.gateway.budgets.flush()
    const used = (record?.inputTokens ?? 0) + (record?.outputTokens ?? 0)
    expect(record?.inputTokens).toBeGreaterThan(0)
    expect(await open.gateway.budgets.inspect(key)).toMatchObject({ minute: used, day: used, reserved: 0 })
  })

  it.each([
    false,
    true,
  ])('cancels the upstream where it disconnects before the first byte, streamed: %j', async (stream) => {
    const { answer, started, ended } = holding([])
    const open = begin(await dialectUpstream(dialect, answer))
    const { secret, key } = await open.key({ budget: { tokensPerDay: 5_000 } })
    const controller = new AbortController()
    const response = ask(open, front, secret, { ...most, stream }, controller.signal)
    await started
    controller.abort()
    await ended
    await response
    expect(open.records).toMatchObject([{ status: 499, partial: true, outputTokens: 0 }])
    await open.gateway.budgets.flush()
    expect(await open.gateway.budgets.inspect(key)).toMatchObject({ reserved: 0 })
  })

  it('gets a timeout of the first byte as an answer, and one of silence as an event', async () => {
    const silent = begin(await dialectUpstream(dialect, holding([]).answer), { timeouts: { firstByteSeconds: 0.1 } })
    const { secret } = await silent.key()
    const response = await ask(silent, front, secret, { stream: true })
    expect(response.status).toBe(504)
    expect(await response.text()).toContain(timeouts[front])
    const idle = begin(await dialectUpstream(dialect, holding(events.slice(0, 6)).answer), {
      timeouts: { idleSeconds: 0.1 },
    })
    const { secret: other } = await idle.key()
    const begun = await ask(idle, front, other, { stream: true })
    expect([begun.status, await begun.text()]).toEqual([200, expect.stringContaining(timeouts[front])])
    await settled()
    expect([silent.records, idle.records]).toMatchObject([[{ status: 504 }], [{ status: 504, partial: true }]])
  })

  it('lets the stream be drained after its disconnection, so that its usage is exact', async () => {
    const { answer, finish } = holding(events.slice(0, 6))
    const open = begin(await dialectUpstream(dialect, answer), { chat: { onDisconnect: 'drain' } })
    const finished = new Promise((resolve) => open.gateway.events.on('request.finished', resolve))
    const { secret } = await open.key()
    const response = await ask(open, front, secret, { ...most, stream: true })
    const reader = response.body?.getReader()
    await reader?.read()
    await reader?.cancel()
    finish(events.slice(6).join(''))
    await finished
    expect(open.records).toMatchObject([{ status: 499, inputTokens: 9, outputTokens: 5, estimated: false }])
  })
})
