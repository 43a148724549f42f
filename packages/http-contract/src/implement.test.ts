import * as v from 'valibot'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Exchange, Reply } from './exchange.ts'
import type { Failures } from './failures.ts'
import { implement } from './implement.ts'
import { type Call, defineContract, type Operation } from './operation.ts'
import { BodyTooLarge, ClientDisconnected } from './request-body.ts'
import { bytes, encodedJson, eventStream, jsonLines, jsonOr, noBody, relay } from './response-body.ts'

const json = (status: number, value: unknown): Reply => ({ kind: 'json', status, headers: {}, value })

const failures: Failures = {
  malformed: (detail) => json(400, { malformed: detail }),
  invalid: ({ part, path }) => json(422, `${part}:${path}`),
  tooLarge: (limit) => json(413, { limit }),
  methodNotAllowed: (method) => json(405, method),
  unexpected: () => json(500, 'fault'),
  interrupted: () => 'cut',
}

const mount = { origin: 'http://localhost', path: '' }

const exchange = (changes: Partial<Exchange> & { text?: string } = {}): Exchange => ({
  method: 'POST',
  params: { id: '7' },
  query: 'tag=a&tag=b',
  headers: { 'x-mode': 'fast' },
  body: () => ({ kind: 'bytes', bytes: new TextEncoder().encode(changes.text ?? '{"ports":[1]}') }),
  remoteAddress: '192.0.2.1',
  host: undefined,
  mount,
  signal: new AbortController().signal,
  closing: new AbortController().signal,
  ...changes,
})

const operation = {
  method: 'POST',
  path: '/things/{id}',
  params: v.object({ id: v.pipe(v.string(), v.transform(Number), v.number()) }),
  query: v.object({ tag: v.array(v.string()) }),
  headers: v.object({ 'x-mode': v.picklist(['fast', 'slow']) }),
  body: v.object({ ports: v.array(v.number()) }),
  bodyLimit: 10,
  responses: {
    200: v.unknown(),
    201: eventStream(v.number(), { sentinel: 'END' }),
    202: jsonLines(v.number()),
    203: bytes('image/png'),
    204: noBody,
    206: eventStream(v.number(), { commit: 'at-once' }),
    207: jsonOr(v.object({ sum: v.number() }), eventStream(v.number(), { sentinel: 'END' })),
  },
} as const satisfies Operation

const contract = defineContract({ act: operation })

type Act = Call<typeof operation, string>

const faults: unknown[] = []

// biome-ignore format: one line reads better
function routeOf(act: Parameters<typeof implement<typeof contract, string>>[1]['act'], admit?: () => { caller: string } | { reply: Reply }) {
  faults.length = 0
  const [route] = implement(contract, { act }, {
    failures,
    onFault: (error) => faults.push(error),
    admit: admit ?? (() => ({ caller: 'me' })),
    headers: () => ({ server: 'Test' }),
  })
  if (!route) throw new Error('no route')
  return route
}

async function text(reply: Reply): Promise<string> {
  if (reply.kind !== 'stream') throw new Error(`a reply of kind ${reply.kind}`)
  let all = ''
  for await (const chunk of reply.chunks) all += typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk)
  return all
}

async function* numbers(...values: readonly (number | Error)[]) {
  for (const value of values) {
    if (value instanceof Error) throw value
    yield value
  }
}

describe('implement', () => {
  it('answers a malformed body when `onRefused` throws, and reports what it threw', async () => {
    const seen: unknown[] = []
    const [route] = implement(
      contract,
      { act: () => ({ status: 200, body: 'done' }) },
      {
        failures,
        admit: () => ({ caller: 'me' }),
        onRefused: () => {
          throw new Error('the counter of the host')
        },
        onFault: (error, { path }, id) => seen.push([error, path, id]),
      },
    )
    expect(await route?.handle(exchange({ text: '{' }))).toMatchObject({ status: 400 })
    expect(await route?.handle(exchange({ text: '{}' }))).toMatchObject({ status: 422 })
    expect(seen).toEqual(Array(2).fill([new Error('the counter of the host'), '/things/{id}', 'act']))
  })

  it('answers when the `onFault` of the host throws', async () => {
    const { act } = contract
    const [route] = implement(
      { act },
      { act: () => Promise.reject(new Error('broken')) },
      {
        failures,
        onFault: () => {
          throw new Error('no room in the log')
        },
      },
    )
    expect(await route?.handle(exchange())).toMatchObject({ status: 500 })
    expect(route?.fail(new Error('broken'), mount)).toMatchObject({ status: 500 })
  })

  it('calls the handler with the checked parts and the caller', async () => {
    const seen: Pick<Act, 'params' | 'query' | 'headers' | 'body' | 'caller' | 'rawQuery'>[] = []
    const route = routeOf(({ params, query, headers, body, caller, rawQuery, rawBody, signal }) => {
      seen.push({ params, query, headers, body, caller, rawQuery })
      return { status: 200, body: { raw: new TextDecoder().decode(rawBody), aborted: signal.aborted } }
    })
    expect(await route.handle(exchange())).toEqual({
      kind: 'json',
      status: 200,
      headers: { server: 'Test' },
      value: { raw: '{"ports":[1]}', aborted: false },
    })
    expect(seen).toEqual([
      {
        params: { id: 7 },
        query: { tag: ['a', 'b'] },
        headers: { 'x-mode': 'fast' },
        body: { ports: [1] },
        caller: 'me',
        rawQuery: 'tag=a&tag=b',
      },
    ])
  })

  it.each([
    ['a parameter', { params: { id: 'x' }, query: '', headers: {}, text: '{"ports":[1,"2"]}' }, 'params:id'],
    ['the query', { query: '', headers: {}, text: '{"ports":[1,"2"]}' }, 'query:tag'],
    ['a header', { headers: {}, text: '{"ports":[1,"2"]}' }, 'headers:x-mode'],
    ['the body', { text: '{"ports":[1,"2","3"]}' }, 'body:ports.1'],
  ])('refuses a request whose first mismatch is in %s, and does not call the handler', async (_, changes, first) => {
    const route = routeOf(() => {
      throw new Error('called')
    })
    const refused = await route.handle(exchange(changes))
    expect(refused).toMatchObject({
      status: 422,
      headers: { server: 'Test' },
      value: first,
    })
    expect(faults).toEqual([])
  })

  it('calls `admit` before it reads the body', async () => {
    const route = routeOf(
      () => ({ status: 204 }),
      () => ({ reply: json(401, 'who?') }),
    )
    const body = () => {
      throw new Error('read')
    }
    expect(await route.handle(exchange({ body }))).toMatchObject({ status: 401, value: 'who?' })
  })

  it('answers malformed bodies, too large bodies and faults with the replies of `failures`', async () => {
    const route = routeOf(() => {
      throw new Error('secret')
    })
    expect(await route.handle(exchange({ text: '{' }))).toMatchObject({ status: 400 })
    const body = async (limit: number) => {
      throw new BodyTooLarge(limit)
    }
    expect(await route.handle(exchange({ body }))).toMatchObject({ status: 413, value: { limit: 10 } })
    expect(faults).toEqual([])
    expect(await route.handle(exchange())).toMatchObject({ status: 500, value: 'fault' })
    expect(faults).toEqual([new Error('secret')])
  })

  it('reports no fault when the client disconnects', async () => {
    const signal = AbortSignal.abort()
    const body = () => {
      throw new ClientDisconnected()
    }
    await routeOf(() => ({ status: 204 })).handle(exchange({ signal, body }))
    await routeOf(({ signal }) => signal.throwIfAborted() ?? { status: 204 }).handle(exchange({ signal }))
    expect(faults).toEqual([])
    await routeOf(() => {
      throw new TypeError('a fault after the abort')
    }).handle(exchange({ signal }))
    expect(faults).toHaveLength(1)
  })

  it('throws for an operation without a handler', () => {
    // @ts-expect-error: a handler is missing
    expect(() => implement(contract, {}, { failures })).toThrow("Operation 'act' has no handler")
  })
})

describe('a reply of implement', () => {
  it('carries JSON or events, as the handler answers, under one status', async () => {
    const whole = await routeOf(() => ({ status: 207, body: { sum: 3 } })).handle(exchange())
    expect(whole).toMatchObject({ kind: 'json', value: { sum: 3 } })
    const encoded = await routeOf(() => ({ status: 207, body: encodedJson('{}') })).handle(exchange())
    expect(encoded).toMatchObject({ kind: 'bytes', headers: { 'content-type': 'application/json' } })
    async function* numbers() {
      yield 1
      yield 2
    }
    const events = await routeOf(() => ({ status: 207, body: numbers() })).handle(exchange())
    expect(events.headers).toMatchObject({ 'content-type': 'text/event-stream' })
    const texts: unknown[] = []
    if (events.kind === 'stream') for await (const chunk of events.chunks) texts.push(chunk)
    expect(texts.join('')).toBe('data: 1\n\ndata: 2\n\ndata: END\n\n')
  })

  it('carries encoded JSON unchanged, but encodes a value that imitates it', async () => {
    const encoded = await routeOf(() => ({ status: 200, body: encodedJson('{"a":1}') })).handle(exchange())
    expect(encoded).toMatchObject({ kind: 'bytes', value: '{"a":1}' })
    const forged = { kind: 'encoded-json', text: 'not JSON' }
    expect(await routeOf(() => ({ status: 200, body: forged })).handle(exchange())).toMatchObject({
      kind: 'json',
      value: forged,
    })
  })

  it('carries bytes with their declared content type, unless the handler sets another', async () => {
    const body = new Uint8Array([1])
    expect(await routeOf(() => ({ status: 203, body })).handle(exchange())).toEqual({
      kind: 'bytes',
      status: 203,
      headers: { server: 'Test', 'content-type': 'image/png' },
      value: body,
    })
    const jpeg = await routeOf(() => ({ status: 203, body, headers: { 'content-type': 'image/jpeg' } })).handle(
      exchange(),
    )
    expect(jpeg.headers['content-type']).toBe('image/jpeg')
  })

  it('streams events, and ends with the event of `interrupted` when the source fails after the first', async () => {
    const whole = await routeOf(() => ({ status: 201, body: numbers(1, 2) })).handle(exchange())
    expect(whole.headers).toMatchObject({ server: 'Test', 'content-type': 'text/event-stream' })
    expect(await text(whole)).toBe('data: 1\n\ndata: 2\n\ndata: END\n\n')
    const cut = await routeOf(() => ({ status: 201, body: numbers(1, new Error('x')) })).handle(exchange())
    expect(await text(cut)).toBe('data: 1\n\ndata: "cut"\n\n')
    expect(faults).toEqual([new Error('x')])
  })

  it('becomes a 500 when a stream fails before its first item', async () => {
    for (const status of [201, 202] as const) {
      const reply = await routeOf(() => ({ status, body: numbers(new Error('x')) })).handle(exchange())
      expect(reply).toMatchObject({ kind: 'json', status: 500 })
    }
  })

  it('keeps its status when a stream that commits immediately fails', async () => {
    const reply = await routeOf(() => ({ status: 206, body: numbers(new Error('x')) })).handle(exchange())
    expect([reply.status, await text(reply)]).toEqual([206, 'data: "cut"\n\n'])
  })

  it('rejects and reports a fault when the source of JSON lines fails', async () => {
    const lines = await routeOf(() => ({ status: 202, body: numbers(1, new Error('x')) })).handle(exchange())
    await expect(text(lines)).rejects.toThrow('x')
    expect(faults).toEqual([new Error('x')])
  })

  it('ends when the client disconnects before the first item of the source', async () => {
    const controller = new AbortController()
    let end: () => void = () => undefined
    const body: AsyncIterable<number> = {
      [Symbol.asyncIterator]: () => ({
        next: () =>
          new Promise((resolve) => {
            end = () => resolve({ done: true, value: undefined })
            setImmediate(() => controller.abort())
          }),
        return: async () => {
          end()
          return { done: true, value: undefined }
        },
      }),
    }
    const reply = await routeOf(() => ({ status: 201, body })).handle(exchange({ signal: controller.signal }))
    expect(reply.kind).toBe('stream')
  })

  it('carries a relay with the headers of an event stream', async () => {
    const body = relay(
      () => ({ resume: () => undefined, close: () => undefined }),
      () => undefined,
    )
    const reply = await routeOf(() => ({ status: 201, body, headers: { 'x-a': 'b' } })).handle(exchange())
    expect(reply).toMatchObject({
      kind: 'relay',
      start: body.start,
      headers: { 'content-type': 'text/event-stream', 'x-a': 'b', server: 'Test' },
    })
  })

  it('becomes a 500 when the transport cannot write it', () => {
    const route = routeOf(() => ({ status: 204 }))
    expect(route.fail(new Error('line break'), mount)).toMatchObject({ status: 500, headers: { server: 'Test' } })
    expect(faults).toEqual([new Error('line break')])
  })
})

describe('a caller that loses the right while it sends the body', () => {
  it('gets the refusal, and the handler does not run', async () => {
    const clock = vi.spyOn(performance, 'now').mockReturnValue(0)
    onTestFinished(() => void clock.mockRestore())
    let admitted = true
    let handled = 0
    const answer = () => {
      handled += 1
      return { status: 200, body: 'done' } as const
    }
    const [route] = implement(
      contract,
      { act: answer },
      {
        failures,
        admit: () => (admitted ? { caller: undefined } : { reply: json(401, 'ended'), reason: 'host_rule' }),
      },
    )
    const slow = exchange({
      body: async () => {
        admitted = false
        clock.mockReturnValue(1_000)
        return { kind: 'bytes', bytes: new TextEncoder().encode('{"ports":[1]}') }
      },
    })
    expect(await route?.handle(slow)).toMatchObject({ status: 401, value: 'ended' })
    expect(handled).toBe(0)
    admitted = true
    expect(await route?.handle(exchange())).toMatchObject({ status: 200 })
  })

  it('has another admission after its first one has ended', async () => {
    const clock = vi.spyOn(performance, 'now').mockReturnValue(0)
    onTestFinished(() => void clock.mockRestore())
    const events: string[] = []
    let admissions = 0
    const [route] = implement(
      contract,
      { act: () => ({ status: 200, body: 'done' }) as const },
      {
        failures,
        admit: () => {
          admissions += 1
          const number = admissions
          events.push(`admitted ${number}`)
          return { caller: undefined, onBodyRead: () => void events.push(`read ${number}`) }
        },
      },
    )
    const slow = exchange({
      body: async () => {
        clock.mockReturnValue(1_000)
        return { kind: 'bytes', bytes: new TextEncoder().encode('{"ports":[1]}') }
      },
    })
    expect(await route?.handle(slow)).toMatchObject({ status: 200 })
    expect(events).toEqual(['admitted 1', 'read 1', 'admitted 2', 'read 2'])
  })
})
