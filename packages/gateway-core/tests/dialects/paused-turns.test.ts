import { describe, expect, it } from 'vitest'
import { openGateway, settled } from '../open-gateway.ts'
import type { SeenRequest } from '../upstream-server.ts'
import { dialectUpstream } from './dialect-upstream.ts'

const usage = {
  input_tokens: 10,
  output_tokens: 3,
  cache_read_input_tokens: 1,
  server_tool_use: { web_search_requests: 1 },
}

const said = (text: string) => ({ type: 'text', text })
const search = (number: number) => ({
  type: 'server_tool_use',
  id: `srvtoolu_${number}`,
  name: 'web_search',
  input: { query: `query ${number}` },
})
const found = (number: number) => ({
  type: 'web_search_tool_result',
  tool_use_id: `srvtoolu_${number}`,
  content: [{ type: 'web_search_result', url: `https://example.com/${number}`, title: 'T', encrypted_content: 'e' }],
})

interface Answered {
  readonly content: readonly object[]
  readonly stop: string
}

/** The first answer pauses amid a search, and the second one ends it. */
const pausedOnce = (round: number): Answered =>
  round === 1
    ? { content: [said('I search.'), search(1)], stop: 'pause_turn' }
    : { content: [found(1), said('Found.')], stop: 'end_turn' }

const event = (value: { readonly type: string }) => `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`

function messageEvents(id: string, { content, stop }: Answered): string {
  const message = { id, type: 'message', role: 'assistant', model: 'big', content: [], usage }
  const blocks = content.flatMap((block, index) => {
    if ('text' in block) {
      return [
        { type: 'content_block_start', index, content_block: { type: 'text', text: '' } },
        { type: 'content_block_delta', index, delta: { type: 'text_delta', text: block.text } },
        { type: 'content_block_stop', index },
      ]
    }
    if ('input' in block) {
      const partial_json = JSON.stringify(block.input)
      return [
        { type: 'content_block_start', index, content_block: { ...block, input: {} } },
        { type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json } },
        { type: 'content_block_stop', index },
      ]
    }
    return [
      { type: 'content_block_start', index, content_block: block },
      { type: 'content_block_stop', index },
    ]
  })
  const last = [
    { type: 'message_delta', delta: { stop_reason: stop, stop_sequence: null }, usage },
    { type: 'message_stop' },
  ]
  return [{ type: 'message_start', message }, ...blocks, ...last].map(event).join('')
}

async function start(answerOf: (round: number) => Answered | 'failed' = pausedOnce) {
  let round = 0
  const server = await dialectUpstream('messages', ({ body }: SeenRequest, response) => {
    round += 1
    const answer = answerOf(round)
    if (answer === 'failed') {
      response.writeHead(500, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ type: 'error', error: { type: 'api_error', message: 'Busy today' } }))
      return
    }
    const isStream = JSON.parse(body).stream === true
    response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' })
    if (isStream) response.end(messageEvents(`msg_${round}`, answer))
    else {
      const { content, stop } = answer
      const message = { id: `msg_${round}`, type: 'message', role: 'assistant', model: 'big', content, usage }
      response.end(JSON.stringify({ ...message, stop_reason: stop, stop_sequence: null }))
    }
  })
  const open = openGateway({ providers: [server.provider], retries: { retries: 0 } })
  const { secret } = await open.key()
  const bodies = () => server.seen.map(({ body }) => JSON.parse(body))
  const respond = (more: object = {}) =>
    open.send('/v1/responses', {
      as: secret,
      body: { model: 'up/big', input: 'How?', tools: [{ type: 'web_search' }], tool_choice: 'required', ...more },
    })
  const chat = (more: object = {}) =>
    open.send('/v1/chat/completions', {
      as: secret,
      body: {
        model: 'up/big',
        messages: [{ role: 'user', content: 'How?' }],
        web_search_options: {},
        ...more,
      },
    })
  return { open, bodies, respond, chat }
}

const eventsOf = (text: string) =>
  text.split('\n\n').flatMap((one) => {
    const data = /^data: (\{.*)$/m.exec(one)?.[1]
    return data === undefined ? [] : [JSON.parse(data)]
  })

describe('a messages upstream that pauses its turn', () => {
  it('continues it, and gives one whole response', async () => {
    const { respond, bodies, open } = await start()
    const response = await (await respond()).json()
    expect(response).toMatchObject({ status: 'completed', incomplete_details: null })
    expect(response.output).toMatchObject([
      { type: 'message', content: [{ text: 'I search.' }] },
      {
        type: 'web_search_call',
        status: 'completed',
        action: { query: 'query 1', sources: [{ url: 'https://example.com/1' }] },
      },
      { type: 'message', content: [{ text: 'Found.' }] },
    ])
    expect(response.usage).toMatchObject({
      input_tokens: 22,
      input_tokens_details: { cached_tokens: 2 },
      output_tokens: 6,
    })
    const [first, second] = bodies()
    expect(first.tool_choice).toEqual({ type: 'any' })
    expect(second).toEqual({
      ...first,
      tool_choice: { type: 'auto' },
      messages: [...first.messages, { role: 'assistant', content: [said('I search.'), search(1)] }],
    })
    expect(open.records).toMatchObject([{ status: 200, inputTokens: 22, outputTokens: 6, estimated: false }])
  })

  it('continues it, and gives one streamed response', async () => {
    const { respond, bodies, open } = await start()
    const events = eventsOf(await (await respond({ stream: true })).text())
    const types = events.map(({ type }) => type)
    expect(types.filter((type) => /created|response\.completed/.test(type))).toEqual([
      'response.created',
      'response.completed',
    ])
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index))
    const { response } = events.at(-1)
    expect(response.output).toMatchObject([
      { type: 'message', content: [{ text: 'I search.' }] },
      { type: 'web_search_call', action: { sources: [{ url: 'https://example.com/1' }] } },
      { type: 'message', content: [{ text: 'Found.' }] },
    ])
    expect(response.usage).toMatchObject({ input_tokens: 22, output_tokens: 6 })
    expect(bodies()[1].messages).toEqual([
      ...bodies()[0].messages,
      { role: 'assistant', content: [said('I search.'), search(1)] },
    ])
    await settled()
    expect(open.records).toMatchObject([{ status: 200, inputTokens: 22, outputTokens: 6, estimated: false }])
  })

  it('continues it for clients of chat completions', async () => {
    const whole = await start()
    expect(await (await whole.chat()).json()).toMatchObject({
      id: 'msg_1',
      choices: [{ message: { content: 'I search.Found.' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 22, completion_tokens: 6 },
    })
    const streamed = await start()
    const chunks = eventsOf(await (await streamed.chat({ stream: true })).text())
    expect(new Set(chunks.map(({ id }) => id))).toEqual(new Set(['msg_1']))
    const choices = chunks.flatMap((chunk) => chunk.choices)
    expect(choices.map(({ delta }) => delta.content ?? '').join('')).toBe('I search.Found.')
    expect(choices.flatMap(({ finish_reason: reason }) => reason ?? [])).toEqual(['stop'])
  })

  it('ends as incomplete after 5 continuations', async () => {
    const always = (round: number): Answered => ({ content: [search(round), found(round)], stop: 'pause_turn' })
    const whole = await start(always)
    expect(await (await whole.respond()).json()).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
    })
    expect(whole.bodies()).toHaveLength(6)
    expect(whole.bodies()[5].messages[1].content).toHaveLength(10)
    expect(whole.bodies()[5].messages).toHaveLength(2)
    const streamed = await start(always)
    const choices = eventsOf(await (await streamed.chat({ stream: true })).text()).flatMap((chunk) => chunk.choices)
    expect(choices.flatMap(({ finish_reason: reason }) => reason ?? [])).toEqual(['length'])
    expect(streamed.bodies()).toHaveLength(6)
  })

  it('ends the stream with an error where a continuation fails', async () => {
    const { respond, open } = await start((round) => (round === 1 ? pausedOnce(1) : 'failed'))
    const text = await (await respond({ stream: true })).text()
    expect(text).toContain('I search.')
    expect(text).toContain('Busy today')
    expect(text).not.toContain('response.completed')
    await settled()
    expect(open.records).toMatchObject([{ status: 502, partial: true, inputTokens: 11 }])
  })

  it('books the rounds before one that fails', async () => {
    const { respond, open } = await start((round) => (round === 1 ? pausedOnce(1) : 'failed'))
    expect((await respond()).status).toBe(502)
    await settled()
    expect(open.records).toMatchObject([{ status: 502, partial: true, inputTokens: 11, outputTokens: 3 }])
  })

  it('passes the pause to clients of messages', async () => {
    const { open, bodies } = await start()
    const { secret } = await open.key()
    const response = await open.send('/v1/messages', {
      as: secret,
      body: { model: 'up/big', max_tokens: 100, messages: [{ role: 'user', content: 'How?' }] },
    })
    expect(await response.json()).toMatchObject({ stop_reason: 'pause_turn' })
    expect(bodies()).toHaveLength(1)
  })
})
