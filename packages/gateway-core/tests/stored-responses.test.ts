import type { JsonObject, Provider, ProviderDialectRequest } from '@trivium/gateway-core/ports'
import { describe, expect, it } from 'vitest'
import { fakeProvider } from './fake-provider.ts'
import { ADMIN, expectFailure, type OpenGateway, type OpenGatewayOptions, openGateway } from './open-gateway.ts'

const encoder = new TextEncoder()
const DAY_MS = 86_400_000

const message = (number: number, text: string) => ({
  type: 'message',
  id: `msg_${number}`,
  status: 'completed',
  role: 'assistant',
  content: [{ type: 'output_text', text, annotations: [] }],
})

const answerOf = (number: number, more: JsonObject = {}) => ({
  id: `resp_up_${number}`,
  object: 'response',
  created_at: 1_700_000_000,
  status: 'completed',
  model: 'big-2026',
  output: [message(number, `Answer ${number}`)],
  usage: { input_tokens: 9, output_tokens: 2, total_tokens: 11 },
  ...more,
})

interface ResponsesUpstream {
  readonly provider: Provider
  /** The bodies that the upstream got, as it got them. */
  readonly sent: JsonObject[]
}

/** An upstream of responses, whose answers are numbered. */
function responsesUpstream(answer?: (number: number, signal: AbortSignal) => Promise<JsonObject>): ResponsesUpstream {
  const sent: JsonObject[] = []
  const record = (request: ProviderDialectRequest): number => {
    sent.push(JSON.parse(new TextDecoder().decode(request.encode())))
    return sent.length
  }
  const provider: Provider = {
    ...fakeProvider(),
    responses: {
      async complete(request, { signal }) {
        const number = record(request)
        const value = (await answer?.(number, signal)) ?? answerOf(number)
        return { bytes: encoder.encode(JSON.stringify(value)), value }
      },
      async stream(request) {
        const response = answerOf(record(request))
        const event = { type: 'response.completed', sequence_number: 0, response }
        const text = `event: response.completed\ndata: ${JSON.stringify(event)}\n\n`
        return {
          kind: 'encoded',
          start: (receiver) => {
            receiver.data(encoder.encode(text))
            receiver.end()
            return { resume: () => undefined, cancel: () => undefined }
          },
        }
      },
    },
  }
  return { provider, sent }
}

async function start(options: OpenGatewayOptions & { readonly upstream?: ResponsesUpstream } = {}) {
  const { upstream = responsesUpstream(), ...rest } = options
  const open = openGateway({ providers: [upstream.provider], ...rest })
  const { secret } = await open.key()
  const create = async (body: JsonObject, as = secret): Promise<Response> =>
    open.send('/v1/responses', { as, body: { model: 'up/big', input: 'Hello', ...body } })
  const created = async (body: JsonObject = {}) => (await create(body)).json()
  const get = (path: string, as = secret) => open.send(`/v1/responses/${path}`, { as })
  return { open, secret, upstream, create, created, get }
}

/** Reads a response until it has ended. */
async function ended(open: OpenGateway, as: string, id: string): Promise<JsonObject> {
  for (;;) {
    const response = await (await open.send(`/v1/responses/${id}`, { as })).json()
    if (response.status !== 'queued' && response.status !== 'in_progress') return response
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
}

const user = (text: string) => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] })
const assistant = (text: string) => ({
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text, annotations: [] }],
})

describe('a stored response', () => {
  it('a response is read as it was answered, and its bytes are those of the upstream', async () => {
    const { created, get, upstream } = await start()
    const response = await created({ metadata: { a: 'b' } })
    expect(response).toEqual(answerOf(1))
    expect(upstream.sent).toEqual([{ model: 'big', input: 'Hello', metadata: { a: 'b' } }])
    expect(await (await get('resp_up_1')).json()).toEqual(answerOf(1))
  })

  it('a response is stored from the last event of a stream', async () => {
    const { create, get } = await start()
    const streamed = await create({ stream: true })
    expect(await streamed.text()).toContain('response.completed')
    expect(await (await get('resp_up_1')).json()).toEqual(answerOf(1))
  })

  it('a response is not stored where the client does not want it, and where the gateway has no store', async () => {
    const { created, get } = await start()
    await created({ store: false })
    await expectFailure(await get('resp_up_1'), 404, { message: "Response with id 'resp_up_1' not found." })
    const without = await start({ responses: false })
    await without.created()
    await expectFailure(await without.get('resp_up_1'), 404, {})
    const next = await without.create({ previous_response_id: 'resp_up_1' })
    await expectFailure(next, 400, { param: 'previous_response_id', code: 'previous_response_not_found' })
  })

  it('a conversation is refused by every operation where the gateway has no store', async () => {
    const { open, secret, create } = await start({ responses: false })
    const refused = { code: 'conversations_not_stored', message: 'This gateway stores no conversations.' }
    const items = [{ type: 'message', role: 'user', content: 'Hello' }]
    for (const [path, method, body] of [
      ['', 'POST', {}],
      ['', 'POST', { items }],
      ['/conv_1', 'GET'],
      ['/conv_1', 'POST', { metadata: {} }],
      ['/conv_1', 'DELETE'],
      ['/conv_1/items', 'GET'],
      ['/conv_1/items', 'POST', { items }],
      ['/conv_1/items/msg_1', 'GET'],
      ['/conv_1/items/msg_1', 'DELETE'],
    ] as const) {
      const response = await open.send(`/v1/conversations${path}`, { as: secret, method, body })
      await expectFailure(response, 400, { ...refused, param: null })
    }
    await expectFailure(await create({ conversation: 'conv_1' }), 400, { ...refused, param: 'conversation' })
  })

  it('a response is found by its own caller and the admin only', async () => {
    const { open, created, create, get, upstream } = await start()
    await created()
    const { secret: other } = await open.key({ username: 'bob' })
    await expectFailure(await get('resp_up_1', other), 404, {})
    await expectFailure(await open.send('/v1/responses/resp_up_1', { as: other, method: 'DELETE' }), 404, {})
    await expectFailure(await create({ previous_response_id: 'resp_up_1' }, other), 400, {
      code: 'previous_response_not_found',
    })
    const reference = [{ type: 'item_reference', id: 'msg_1' }]
    expect((await create({ input: reference }, other)).status).toBe(200)
    expect(upstream.sent[1]).toEqual({ model: 'big', input: reference })
    expect((await get('resp_up_1', ADMIN)).status).toBe(200)
  })

  it('a response is deleted', async () => {
    const { open, secret, created, get } = await start()
    await created()
    const deleted = await open.send('/v1/responses/resp_up_1', { as: secret, method: 'DELETE' })
    expect(await deleted.json()).toEqual({ id: 'resp_up_1', object: 'response', deleted: true })
    await expectFailure(await get('resp_up_1'), 404, {})
  })

  it('a response expires after its retention', async () => {
    const { open, created, get } = await start({ responses: { retentionDays: 2 } })
    await created()
    open.time += 2 * DAY_MS - 1
    expect((await get('resp_up_1')).status).toBe(200)
    open.time += 1
    await expectFailure(await get('resp_up_1'), 404, {})
  })

  it('a response is answered, but not stored, where it is too large', async () => {
    const { create, get } = await start({ responses: { maxStoredBytes: 100 } })
    expect((await create({})).status).toBe(200)
    await expectFailure(await get('resp_up_1'), 404, {})
  })

  it('has input items, which are listed in pages', async () => {
    const { created, get } = await start()
    await created({ input: [{ role: 'user', content: 'One' }, { ...user('Two'), id: 'msg_two' }, user('Three')] })
    const page = await (await get('resp_up_1/input_items?order=asc&limit=2')).json()
    expect(page).toMatchObject({ object: 'list', last_id: 'msg_two', has_more: true, data: [user('One'), user('Two')] })
    expect(page.first_id).toBe(page.data[0].id)
    const rest = await (await get('resp_up_1/input_items?order=asc&after=msg_two')).json()
    expect(rest).toMatchObject({ data: [user('Three')], has_more: false })
    const before = await (await get('resp_up_1/input_items?before=msg_two')).json()
    expect(before).toMatchObject({ data: [user('Three')], has_more: false })
    const last = await (await get(`resp_up_1/input_items?order=asc&limit=1&before=${rest.last_id}`)).json()
    expect(last).toMatchObject({ data: [user('Two')], has_more: true })
    const between = `order=asc&after=${page.first_id}&before=${rest.last_id}`
    expect((await (await get(`resp_up_1/input_items?${between}`)).json()).data).toMatchObject([user('Two')])
    expect((await (await get('resp_up_1/input_items?before=msg_none')).json()).data).toEqual([])
    const latest = await (await get('resp_up_1/input_items')).json()
    expect(latest.data).toMatchObject([user('Three'), user('Two'), user('One')])
    await expectFailure(await get('resp_up_1/input_items?limit=101'), 400, { param: 'limit' })
  })
})

describe('a request that continues a response', () => {
  it('gets the turns before it, and is not stored by its upstream', async () => {
    const { created, upstream } = await start()
    await created({ instructions: 'Be brief.' })
    const second = await created({ input: 'And then?', previous_response_id: 'resp_up_1' })
    expect(second).toMatchObject({ previous_response_id: 'resp_up_1', store: true })
    await created({ input: 'Finally?', previous_response_id: second.id, reasoning: { effort: 'low' } })
    const turns = [user('Hello'), assistant('Answer 1'), { ...user('And then?'), content: 'And then?' }]
    expect(upstream.sent[1]).toEqual({ model: 'big', input: turns, store: false })
    expect(upstream.sent[2]).toEqual({
      model: 'big',
      input: [
        user('Hello'),
        assistant('Answer 1'),
        user('And then?'),
        assistant('Answer 2'),
        { type: 'message', role: 'user', content: 'Finally?' },
      ],
      store: false,
      reasoning: { effort: 'low' },
      include: ['reasoning.encrypted_content'],
    })
  })

  it('keeps encrypted reasoning, and leaves out reasoning that only its upstream has', async () => {
    const encrypted = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAA' }
    const upstream = responsesUpstream(async (number) =>
      answerOf(number, { output: [encrypted, { type: 'reasoning', id: 'rs_2', summary: [] }, message(number, 'Yes')] }),
    )
    const { created } = await start({ upstream })
    await created()
    await created({ input: 'Why?', previous_response_id: 'resp_up_1' })
    expect(upstream.sent[1]).toMatchObject({
      input: [user('Hello'), encrypted, assistant('Yes'), { content: 'Why?' }],
      include: ['reasoning.encrypted_content'],
    })
  })

  it('a request is answered by an upstream of chat completions', async () => {
    const provider = fakeProvider()
    const { created, get } = await start({ providers: [provider] })
    const first = await created({ instructions: 'Be brief.' })
    expect(first).toMatchObject({ object: 'response', status: 'completed' })
    const second = await created({ input: 'And then?', previous_response_id: first.id })
    expect(second.previous_response_id).toBe(first.id)
    expect(provider.calls[1]?.body.messages).toMatchObject([{ role: 'user' }, { role: 'assistant' }, { role: 'user' }])
    expect(JSON.stringify(provider.calls[1]?.body)).not.toContain('brief')
    expect(await (await get(second.id)).json()).toEqual(second)
  })

  it('a request is refused where a response before it is absent, deleted or failed', async () => {
    const upstream = responsesUpstream(async (number) => answerOf(number, number === 3 ? { status: 'failed' } : {}))
    const { open, secret, created, create } = await start({ upstream })
    await expectFailure(await create({ previous_response_id: 'resp_none' }), 400, {
      message: "Previous response with id 'resp_none' not found.",
      param: 'previous_response_id',
      code: 'previous_response_not_found',
    })
    await created()
    const second = await created({ previous_response_id: 'resp_up_1' })
    await open.send('/v1/responses/resp_up_1', { as: secret, method: 'DELETE' })
    await expectFailure(await create({ previous_response_id: second.id }), 400, {
      message: "Previous response with id 'resp_up_1' not found.",
    })
    await created()
    await expectFailure(await create({ previous_response_id: 'resp_up_3' }), 400, {
      code: 'previous_response_unfinished',
    })
    expect(upstream.sent).toHaveLength(3)
  })

  it('a request is refused beyond the turns and the bytes that are put together', async () => {
    const { created, create } = await start({ responses: { maxTurns: 2 } })
    await created()
    const second = await created({ previous_response_id: 'resp_up_1' })
    const third = await created({ previous_response_id: second.id })
    const tooLong = { param: 'previous_response_id', code: 'context_length_exceeded' }
    await expectFailure(await create({ previous_response_id: third.id }), 400, tooLong)
    const small = await start({ responses: { maxContextBytes: 1_000 } })
    await small.created({ input: 'a'.repeat(1_000) })
    await expectFailure(await small.create({ previous_response_id: 'resp_up_1' }), 400, tooLong)
  })

  it('refers to items of earlier outputs', async () => {
    const { created, create, upstream } = await start()
    await created()
    await created({ input: [user('Hello'), { type: 'item_reference', id: 'msg_1' }, user('And then?')] })
    expect(upstream.sent[1]).toEqual({
      model: 'big',
      input: [user('Hello'), assistant('Answer 1'), user('And then?')],
      store: false,
    })
    const references = [
      { type: 'item_reference', id: 'msg_1' },
      { type: 'item_reference', id: 'msg_none' },
    ]
    await expectFailure(await create({ input: references }), 400, { param: 'input[1]', code: 'item_not_found' })
    await created({ input: references.slice(1) })
    expect(upstream.sent[2]).toEqual({ model: 'big', input: references.slice(1) })
  })
})

describe('a conversation', () => {
  it('a conversation is created, read, changed and deleted by its own caller', async () => {
    const { open, secret } = await start()
    const body = { metadata: { topic: 'tea' }, items: [user('Hello')] }
    const conversation = await (await open.send('/v1/conversations', { as: secret, body })).json()
    const path = `/v1/conversations/${conversation.id}`
    expect(conversation).toEqual({
      id: expect.stringMatching(/^conv_[0-9a-f]{48}$/),
      object: 'conversation',
      created_at: open.time / 1_000,
      metadata: { topic: 'tea' },
    })
    expect(await (await open.send(path, { as: secret })).json()).toEqual(conversation)
    const changed = await open.send(path, { as: secret, body: { metadata: { topic: 'coffee' } } })
    expect((await changed.json()).metadata).toEqual({ topic: 'coffee' })
    const { secret: other } = await open.key({ username: 'bob' })
    await expectFailure(await open.send(path, { as: other }), 404, { code: 'conversation_not_found' })
    const deleted = await open.send(path, { as: secret, method: 'DELETE' })
    expect(await deleted.json()).toEqual({ id: conversation.id, object: 'conversation.deleted', deleted: true })
    await expectFailure(await open.send(path, { as: secret }), 404, { code: 'conversation_not_found' })
  })

  it('lists, reads, adds and deletes items', async () => {
    const { open, secret } = await start()
    const { id } = await (await open.send('/v1/conversations', { as: secret, body: {} })).json()
    const path = `/v1/conversations/${id}/items`
    const added = await open.send(path, { as: secret, body: { items: [user('One'), user('Two')] } })
    const { data } = await added.json()
    expect(data).toMatchObject([user('One'), user('Two')])
    expect(await (await open.send(`${path}?order=asc&limit=1`, { as: secret })).json()).toMatchObject({
      data: [data[0]],
      has_more: true,
    })
    const pages = [
      { query: `order=asc&before=${data[1].id}`, items: [data[0]] },
      { query: `limit=1&before=${data[0].id}`, items: [data[1]] },
      { query: `order=asc&before=${data[0].id}`, items: [] },
      { query: `order=asc&after=${data[0].id}&before=${data[1].id}`, items: [] },
    ]
    for (const { query, items } of pages) {
      expect(await (await open.send(`${path}?${query}`, { as: secret })).json()).toMatchObject({ data: items })
    }
    expect(await (await open.send(`${path}/${data[1].id}`, { as: secret })).json()).toEqual(data[1])
    const removed = await open.send(`${path}/${data[1].id}`, { as: secret, method: 'DELETE' })
    expect((await removed.json()).id).toBe(id)
    await expectFailure(await open.send(`${path}/${data[1].id}`, { as: secret }), 404, {
      code: 'conversation_item_not_found',
    })
  })

  it('gives its items to responses, which add theirs', async () => {
    const { open, secret, created, create, upstream } = await start()
    const body = { items: [user('My name is Ada.')] }
    const { id } = await (await open.send('/v1/conversations', { as: secret, body })).json()
    expect(await created({ conversation: id })).toMatchObject({ conversation: { id } })
    await (await create({ conversation: { id }, input: [user('Again')], stream: true })).text()
    const { data } = await (await open.send(`/v1/conversations/${id}/items?order=asc`, { as: secret })).json()
    expect(data).toMatchObject([
      user('My name is Ada.'),
      user('Hello'),
      assistant('Answer 1'),
      user('Again'),
      assistant('Answer 2'),
    ])
    expect(upstream.sent[1]?.input).toEqual([
      user('My name is Ada.'),
      user('Hello'),
      assistant('Answer 1'),
      user('Again'),
    ])
    await expectFailure(await create({ conversation: 'conv_none' }), 404, { param: 'conversation' })
    await expectFailure(await create({ conversation: id, previous_response_id: 'resp_up_1' }), 400, {
      code: 'mutually_exclusive_parameters',
    })
  })
})

describe('a response in the background', () => {
  it('a response is answered as queued, and is read once it has ended', async () => {
    let release = () => {}
    const upstream = responsesUpstream(
      (number) =>
        new Promise((resolve) => {
          release = () => resolve(answerOf(number))
          if (number > 1) release()
        }),
    )
    const { open, secret, created, get } = await start({ upstream })
    const queued = await created({ background: true, metadata: { a: 'b' } })
    expect(queued).toMatchObject({ object: 'response', status: 'queued', background: true, metadata: { a: 'b' } })
    expect(await (await get(queued.id)).json()).toEqual({ ...queued, status: 'in_progress' })
    await expect
      .poll(() => upstream.sent)
      .toEqual([{ model: 'big', input: 'Hello', metadata: { a: 'b' }, store: false }])
    release()
    const response = await ended(open, secret, queued.id)
    expect(response).toEqual({
      ...answerOf(1),
      id: queued.id,
      background: true,
      store: true,
      previous_response_id: null,
    })
    expect(open.records).toMatchObject([{ status: 200, inputTokens: 9, outputTokens: 2 }])
    expect((await created({ previous_response_id: queued.id })).previous_response_id).toBe(queued.id)
  })

  it('a response is refused immediately where it is not admitted, and is not stored then', async () => {
    const { create } = await start()
    await expectFailure(await create({ background: true, model: 'up/none' }), 404, { code: 'model_not_found' })
    await expectFailure(await create({ background: true, store: false }), 400, { param: 'store' })
  })

  it('a response is stored as failed where its upstream fails', async () => {
    const upstream = responsesUpstream(async () => {
      throw new Error('a fault')
    })
    const { open, secret, created } = await start({ upstream, retries: { retries: 0 } })
    const response = await ended(open, secret, (await created({ background: true })).id)
    expect(response).toMatchObject({ status: 'failed', error: { message: 'The provider failed.' }, output: [] })
  })

  it('a response is cancelled, which ends the call of its upstream', async () => {
    const upstream = waitingUpstream()
    const { open, secret, created, get } = await start({ upstream: upstream.upstream })
    const { id } = await created({ background: true })
    const { id: other } = await created({ background: true, store: true })
    const cancelled = await open.send(`/v1/responses/${id}/cancel`, { as: secret, method: 'POST' })
    expect(await cancelled.json()).toMatchObject({ id, status: 'cancelled' })
    await expect.poll(() => upstream.aborted).toBe(1)
    expect((await (await get(id)).json()).status).toBe('cancelled')
    expect((await (await get(other)).json()).status).toBe('in_progress')
    const again = await open.send(`/v1/responses/${id}/cancel`, { as: secret, method: 'POST' })
    expect((await again.json()).status).toBe('cancelled')
  })

  it('a response is cancelled by another replica', { timeout: 10_000 }, async () => {
    const upstream = waitingUpstream()
    const one = await start({ upstream: upstream.upstream })
    const { id } = await one.created({ background: true })
    const other = openGateway({ providers: [upstream.upstream.provider], repositories: one.open.repositories })
    const cancelled = await other.send(`/v1/responses/${id}/cancel`, { as: one.secret, method: 'POST' })
    expect((await cancelled.json()).status).toBe('cancelled')
    await expect.poll(() => upstream.aborted, { timeout: 8_000 }).toBe(1)
  })

  it('a response has failed after its gateway is closed, and after its process has crashed', async () => {
    const upstream = waitingUpstream()
    const one = await start({ upstream: upstream.upstream })
    const { id } = await one.created({ background: true })
    await one.open.gateway.close()
    const other = openGateway({ repositories: one.open.repositories })
    const closed = await (await other.send(`/v1/responses/${id}`, { as: one.secret })).json()
    expect(closed).toMatchObject({ status: 'failed', error: { code: 'server_error' } })

    const two = await start({ upstream: upstream.upstream })
    const { id: running } = await two.created({ background: true })
    const survivor = openGateway({ repositories: two.open.repositories })
    survivor.time += 31_000
    const crashed = await (await survivor.send(`/v1/responses/${running}`, { as: two.secret })).json()
    expect(crashed).toMatchObject({ status: 'failed', error: { code: 'server_error' } })
  })

  it('a response is refused beyond the number of a key and of all', async () => {
    const { upstream } = waitingUpstream()
    const bounds = { maxBackground: 2, maxBackgroundPerOwner: 1 }
    const { open, created, create } = await start({ upstream, responses: bounds })
    await created({ background: true })
    const refused = { code: 'too_many_background_responses' }
    await expectFailure(await create({ background: true }), 429, refused)
    const { secret: bob } = await open.key({ username: 'bob' })
    expect((await create({ background: true }, bob)).status).toBe(200)
    const { secret: eve } = await open.key({ username: 'eve' })
    await expectFailure(await create({ background: true }, eve), 429, refused)
  })

  it('a response cannot be cancelled where it does not run in the background', async () => {
    const { open, secret, created } = await start()
    await created()
    const cancelled = await open.send('/v1/responses/resp_up_1/cancel', { as: secret, method: 'POST' })
    await expectFailure(cancelled, 400, { code: 'response_not_in_background' })
  })
})

/** An upstream that answers nothing until it is aborted. */
function waitingUpstream() {
  const state = {
    aborted: 0,
    upstream: responsesUpstream(
      (_, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            state.aborted += 1
            reject(signal.reason)
          })
        }),
    ),
  }
  return state
}
