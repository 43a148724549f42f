import type { ByteReceiver, JsonObject, Provider } from '@trivium/gateway-core/ports'
import { expect, it } from 'vitest'
import { fakeProvider } from './fake-provider.ts'
import { expectFailure, type OpenGatewayOptions, openGateway } from './open-gateway.ts'

const encoder = new TextEncoder()

interface Event extends JsonObject {
  readonly type: string
  readonly sequence_number: number
  readonly response?: JsonObject
}

const message = (text: string) => ({
  type: 'message',
  id: 'msg_1',
  status: 'completed',
  role: 'assistant',
  content: [{ type: 'output_text', text, annotations: [] }],
})

const answer = {
  id: 'resp_up',
  object: 'response',
  created_at: 1_700_000_000,
  status: 'completed',
  model: 'big-2026',
  store: false,
  previous_response_id: null,
  output: [message('Hello you')],
  usage: { input_tokens: 9, output_tokens: 2, total_tokens: 11 },
}

const delta = (text: string) => ({
  type: 'response.output_text.delta',
  sequence_number: 7,
  item_id: 'msg_1',
  output_index: 0,
  content_index: 0,
  delta: text,
})

/** An upstream of responses whose events the test sends. */
function streamingUpstream() {
  let opened: (receiver: ByteReceiver) => void = () => {}
  const state = {
    cancelled: 0,
    receiver: new Promise<ByteReceiver>((resolve) => {
      opened = resolve
    }),
    async send(...events: readonly JsonObject[]) {
      const receiver = await state.receiver
      for (const event of events)
        receiver.data(encoder.encode(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`))
    },
    begin: () =>
      state.send(
        { type: 'response.created', sequence_number: 5, response: { ...answer, status: 'in_progress', output: [] } },
        {
          type: 'response.in_progress',
          sequence_number: 6,
          response: { ...answer, status: 'in_progress', output: [] },
        },
        delta('Hello '),
      ),
    async finish() {
      await state.send(delta('you'), { type: 'response.completed', sequence_number: 8, response: answer })
      ;(await state.receiver).end()
    },
    provider: {
      ...fakeProvider(),
      responses: {
        async complete() {
          return { bytes: encoder.encode(JSON.stringify(answer)), value: answer }
        },
        async stream() {
          return {
            kind: 'encoded',
            start: (receiver) => {
              opened(receiver)
              return {
                resume: () => undefined,
                cancel() {
                  state.cancelled += 1
                },
              }
            },
          }
        },
      },
    } satisfies Provider,
  }
  return state
}

async function start(options: OpenGatewayOptions = {}) {
  const upstream = streamingUpstream()
  const open = openGateway({ providers: [upstream.provider], ...options })
  const { secret } = await open.key()
  const create = (body: JsonObject = {}, signal?: AbortSignal) =>
    open.send('/v1/responses', {
      as: secret,
      body: { model: 'up/big', input: 'Hello', background: true, stream: true, ...body },
      ...(signal && { signal }),
    })
  const stream = (id: string, after?: number, from = open) =>
    from.send(`/v1/responses/${id}?stream=true${after === undefined ? '' : `&starting_after=${after}`}`, { as: secret })
  return { open, secret, upstream, create, stream }
}

/** Reads the events of a stream, one after the other. */
async function* eventsOf(response: Response): AsyncGenerator<Event, undefined> {
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of response.body ?? new ReadableStream<Uint8Array>()) {
    text += decoder.decode(chunk, { stream: true })
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const data = /^data: (.*)$/m.exec(text.slice(0, end))?.[1]
      text = text.slice(end + 2)
      if (data) yield JSON.parse(data)
    }
  }
  return undefined
}

async function allOf(response: Response): Promise<readonly Event[]> {
  const events: Event[] = []
  for await (const event of eventsOf(response)) events.push(event)
  return events
}

async function take(events: AsyncGenerator<Event, undefined>, count: number): Promise<readonly Event[]> {
  const taken: Event[] = []
  while (taken.length < count) {
    const { value } = await events.next()
    if (!value) throw new Error(`The stream ended after ${taken.length} events.`)
    taken.push(value)
  }
  return taken
}

const types = [
  'response.created',
  'response.queued',
  'response.in_progress',
  'response.output_text.delta',
  'response.output_text.delta',
  'response.completed',
]

it('a response in the background is streamed with the numbers and the state of the gateway', async () => {
  const { create, upstream, open, secret } = await start()
  const created = await create({ instructions: 'Be brief.', metadata: { a: 'b' } })
  await upstream.begin()
  await upstream.finish()
  const events = await allOf(created)
  expect(events.map(({ type }) => type)).toEqual(types)
  expect(events.map((event) => event.sequence_number)).toEqual([0, 1, 2, 3, 4, 5])
  const id = events[0]?.response?.id
  expect(id).toMatch(/^resp_[0-9a-f]{48}$/)
  expect(events[0]?.response).toMatchObject({ status: 'queued', metadata: { a: 'b' }, output: [] })
  expect(events[2]?.response).toMatchObject({ id, status: 'in_progress', background: true, store: true })
  const stored = await (await open.send(`/v1/responses/${id}`, { as: secret })).json()
  expect(stored).toEqual({ ...answer, id, background: true, store: true, instructions: 'Be brief.' })
  expect(events.at(-1)?.response).toEqual(stored)
  expect(open.records).toMatchObject([{ status: 200, inputTokens: 9, outputTokens: 2 }])
})

it('a response in the background continues when its client disconnects, and its events are read again', async () => {
  const { create, stream, upstream } = await start()
  const client = new AbortController()
  const first = eventsOf(await create({}, client.signal))
  await upstream.begin()
  const got = await take(first, 3)
  const id = String(got[0]?.response?.id)
  await first.return(undefined)
  client.abort()
  const second = eventsOf(await stream(id, 2))
  expect(await take(second, 1)).toMatchObject([{ sequence_number: 3, delta: 'Hello ' }])
  await upstream.finish()
  expect(await take(second, 2)).toMatchObject([{ sequence_number: 4, delta: 'you' }, { sequence_number: 5 }])
  expect((await second.next()).done).toBe(true)
  expect((await allOf(await stream(id))).map(({ type }) => type)).toEqual(types)
  expect(await allOf(await stream(id, 4))).toMatchObject([{ type: 'response.completed', sequence_number: 5 }])
  expect(upstream.cancelled).toBe(0)
})

it('events of another process are refused while the response runs, and then made from the whole response', async () => {
  const { create, stream, upstream, open } = await start()
  const other = openGateway({ providers: [upstream.provider], repositories: open.repositories })
  const created = eventsOf(await create())
  await upstream.begin()
  const id = String((await take(created, 1))[0]?.response?.id)
  await expectFailure(await stream(id, undefined, other), 409, { code: 'response_events_unavailable' })
  await upstream.finish()
  while (!(await created.next()).done) {}
  const events = await allOf(await stream(id, undefined, other))
  expect(events.map(({ type }) => type.replace('response.', ''))).toEqual([
    'created',
    'queued',
    'in_progress',
    'output_item.added',
    'content_part.added',
    'output_text.delta',
    'output_text.done',
    'content_part.done',
    'output_item.done',
    'completed',
  ])
  expect(events.map((event) => event.sequence_number)).toEqual([...events.keys()])
  expect(events[5]?.delta).toBe('Hello you')
  expect(events.at(-1)?.response).toMatchObject({ id, output: answer.output })
  expect(await allOf(await stream(id, 3, other))).toEqual([{ ...events.at(-1), sequence_number: 4 }])
})

it('events that are dropped beyond the bound are not replayed, and the response is read to its end', async () => {
  const { create, stream, upstream } = await start({ responses: { maxEventBytes: 1_500 } })
  const created = eventsOf(await create())
  await upstream.begin()
  const id = String((await take(created, 4))[0]?.response?.id)
  await upstream.send(...Array.from({ length: 30 }, () => delta('more ')))
  await take(created, 30)
  await expectFailure(await stream(id), 409, { code: 'response_events_unavailable' })
  await upstream.finish()
  expect((await take(created, 2)).at(-1)).toMatchObject({ type: 'response.completed', sequence_number: 35 })
  expect((await allOf(await stream(id))).at(-1)).toMatchObject({ type: 'response.completed' })
})

it('events end with the failure of the upstream', async () => {
  const { create, stream, upstream } = await start()
  const created = await create()
  await upstream.begin()
  ;(await upstream.receiver).end()
  const events = await allOf(created)
  expect(events.at(-1)).toMatchObject({ type: 'response.failed', response: { status: 'failed' } })
  const id = String(events[0]?.response?.id)
  expect((await allOf(await stream(id))).at(-1)).toEqual(events.at(-1))
})

it('a cancellation ends the events and the call of the upstream', async () => {
  const { create, upstream, open, secret } = await start()
  const created = eventsOf(await create())
  await upstream.begin()
  const id = String((await take(created, 4))[0]?.response?.id)
  await open.send(`/v1/responses/${id}/cancel`, { as: secret, method: 'POST' })
  expect(await take(created, 1)).toMatchObject([{ type: 'response.cancelled', response: { id, status: 'cancelled' } }])
  expect((await created.next()).done).toBe(true)
  await expect.poll(() => upstream.cancelled).toBe(1)
})

it('the events of a deleted response end with an error, and are dropped', async () => {
  const { create, stream, upstream, open, secret } = await start()
  const created = eventsOf(await create())
  await upstream.begin()
  const id = String((await take(created, 4))[0]?.response?.id)
  await open.send(`/v1/responses/${id}`, { as: secret, method: 'DELETE' })
  expect(await take(created, 1)).toMatchObject([{ type: 'error', sequence_number: 4 }])
  expect((await created.next()).done).toBe(true)
  await expectFailure(await stream(id), 404, {})
})

it('a response has no events where it was not created in the background, is unknown or another caller asks', async () => {
  const { open, secret, stream, create, upstream } = await start()
  const plain = await (await create({ background: false, stream: false })).json()
  await expectFailure(await stream(plain.id), 400, { param: 'stream', code: 'response_not_in_background' })
  await expectFailure(await stream('resp_none'), 404, {})
  const created = eventsOf(await create())
  await upstream.begin()
  const id = String((await take(created, 1))[0]?.response?.id)
  const { secret: bob } = await open.key({ username: 'bob' })
  await expectFailure(await open.send(`/v1/responses/${id}?stream=true`, { as: bob }), 404, {})
  for (const query of ['stream=yes', 'stream=true&starting_after=-1', `starting_after=${'9'.repeat(16)}`]) {
    expect((await open.send(`/v1/responses/${id}?${query}`, { as: secret })).status).toBe(400)
  }
})

it('a stream in the background is refused where it is not admitted', async () => {
  const { create } = await start()
  await expectFailure(await create({ model: 'up/none' }), 404, { code: 'model_not_found' })
  await expectFailure(await create({ store: false }), 400, { param: 'store' })
})

it('events of a relayed stream say what the client requested, where the gateway changed the request', async () => {
  const { create, open, secret, upstream } = await start()
  const first = await (await create({ background: false, stream: false })).json()
  const body = { background: false, previous_response_id: first.id, instructions: 'Be brief.' }
  const streaming = create(body)
  await upstream.begin()
  await upstream.finish()
  const events = await allOf(await streaming)
  const id = events[0]?.response?.id
  expect(id).not.toBe('resp_up')
  for (const { response } of events.filter((event) => event.response))
    expect(response).toMatchObject({ id, previous_response_id: first.id, store: true, instructions: 'Be brief.' })
  expect(events.map((event) => event.sequence_number)).toEqual([5, 6, 7, 7, 8])
  expect(await (await open.send(`/v1/responses/${id}`, { as: secret })).json()).toEqual(events.at(-1)?.response)
})

it('a whole response gets another id where that of the upstream is taken', async () => {
  const { create, open, secret } = await start()
  const first = await (await create({ background: false, stream: false })).json()
  const second = await (await create({ background: false, stream: false })).json()
  expect(first).toEqual(answer)
  expect(second).toEqual({ ...answer, id: expect.stringMatching(/^resp_[0-9a-f]{48}$/) })
  expect(await (await open.send(`/v1/responses/${second.id}`, { as: secret })).json()).toEqual(second)
})
