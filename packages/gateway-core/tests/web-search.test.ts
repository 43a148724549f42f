import { SearchFailure } from '@trivium/gateway-core/ports'
import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { type OpenGatewayOptions, openGateway, settled } from './open-gateway.ts'
import { type AskedModel, type ModelAnswer, pages, pagesEngine, searchFor, searchingModel } from './searching-model.ts'

const CITED = 'They learn [1](https://example.com/switches) alone.'

const searchOnce = (round: number): ModelAnswer =>
  round === 1 ? { text: 'I search.', calls: [searchFor('how switches learn')] } : { text: CITED }

async function start(
  answerOf: (round: number, asked: AskedModel) => ModelAnswer = searchOnce,
  {
    engine = pagesEngine(),
    ...options
  }: OpenGatewayOptions & { readonly engine?: ReturnType<typeof pagesEngine> } = {},
) {
  const model = searchingModel(answerOf)
  const open = openGateway({ providers: [model], searchEngines: [engine], ...options })
  const { secret, key } = await open.key()
  const openai = new OpenAI({ apiKey: secret, baseURL: 'http://gateway.test/v1', fetch: open.fetch, maxRetries: 0 })
  const respond = (more: object = {}) =>
    open.send('/v1/responses', {
      as: secret,
      body: { model: 'up/big', input: 'How?', tools: [{ type: 'web_search' }], ...more },
    })
  const message = (more: object = {}) =>
    open.send('/v1/messages', {
      as: secret,
      body: {
        model: 'up/big',
        max_tokens: 100,
        messages: [{ role: 'user', content: 'How?' }],
        tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 3 }],
        ...more,
      },
    })
  return { open, model, engine, openai, respond, message, key, secret }
}

const weather = { type: 'function', name: 'weather', parameters: { type: 'object', properties: {} } }

const kindsOf = (output: readonly { readonly type: string }[]) => output.map(({ type }) => type)

/** Returns the events of a stream. */
const eventsOf = async (response: Response) =>
  (await response.text())
    .split('\n\n')
    .flatMap((text) => /^data: (\{.*)$/m.exec(text)?.[1] ?? [])
    .map((data) => JSON.parse(data))

describe('web search over a chat upstream, for clients of responses', () => {
  it('uses the engine of the gateway, and shows items and citations', async () => {
    const { openai, model, engine, open } = await start()
    const response = await openai.responses.create({
      model: 'up/big',
      input: 'How?',
      tools: [{ type: 'web_search', user_location: { type: 'approximate', country: 'DE' } }],
    })
    expect(kindsOf(response.output)).toEqual(['message', 'web_search_call', 'message'])
    expect(response.output[1]).toMatchObject({
      status: 'completed',
      action: { type: 'search', query: 'how switches learn' },
    })
    expect(response.output[2]).toMatchObject({
      content: [
        {
          text: CITED,
          annotations: [
            {
              type: 'url_citation',
              url: 'https://example.com/switches',
              title: 'Switches',
              start_index: 11,
              end_index: 44,
            },
          ],
        },
      ],
    })
    expect(response.usage).toMatchObject({ input_tokens: 20, output_tokens: 10, total_tokens: 30 })
    expect(engine.queries).toMatchObject([{ text: 'how switches learn', type: 'text', maxResults: 8, region: 'de-de' }])
    expect(model.asked[1]?.messages.slice(1)).toMatchObject([
      { role: 'assistant', content: 'I search.', tool_calls: [{ function: { name: 'web_search' } }] },
      { role: 'tool', tool_call_id: 'call_1_0', content: expect.stringContaining('[1] Switches\nhttps://example.com') },
    ])
    expect(open.records).toMatchObject([
      { operation: 'search', model: 'pages', inputTokens: 0 },
      { operation: 'chat', inputTokens: 20, outputTokens: 10, estimated: false },
    ])
  })

  it('streams the events of a hosted search, in one answer', async () => {
    const { openai, open } = await start()
    const stream = openai.responses.stream({ model: 'up/big', input: 'How?', tools: [{ type: 'web_search' }] })
    const types: string[] = []
    for await (const { type } of stream) types.push(type)
    const response = await stream.finalResponse()
    expect(types.filter((type) => type.includes('web_search') || type.includes('annotation'))).toEqual([
      'response.web_search_call.in_progress',
      'response.web_search_call.searching',
      'response.web_search_call.completed',
      'response.output_text.annotation.added',
    ])
    expect(types.filter((type) => /created|response\.completed/.test(type))).toEqual([
      'response.created',
      'response.completed',
    ])
    expect(kindsOf(response.output)).toEqual(['message', 'web_search_call', 'message'])
    expect(response.output_text).toBe(`I search.${CITED}`)
    expect(response.usage).toMatchObject({ input_tokens: 20, output_tokens: 10 })
    await settled()
    expect(open.records).toMatchObject([
      { operation: 'search' },
      { operation: 'chat', inputTokens: 20, outputTokens: 10 },
    ])
  })

  it('gives the same answer whole and streamed', async () => {
    const { respond } = await start((round) => searchOnce(((round - 1) % 2) + 1))
    const whole = await (await respond()).json()
    const events = await eventsOf(await respond({ stream: true }))
    const streamed = events.at(-1).response
    const withoutIds = (output: readonly object[]) =>
      JSON.parse(JSON.stringify(output).replaceAll(/"id":"[^"]*"/g, '"id":""'))
    expect(withoutIds(streamed.output)).toEqual(withoutIds(whole.output))
    expect(streamed.usage).toEqual(whole.usage)
    expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((_, index) => index))
  })

  it('counts as one request of the rate limit', async () => {
    const { respond, open, key } = await start()
    const before = await open.remaining(key)
    await respond()
    expect(await open.remaining(key)).toBe(before - 1)
  })

  it.each([false, true])('ends with an answer where the model always searches, stream: %s', async (stream) => {
    const { respond, model, engine } = await start(() => ({ calls: [searchFor('more')] }))
    const response = await respond({ stream })
    const { output, status } = stream ? (await eventsOf(response)).at(-1).response : await response.json()
    expect(status).toBe('completed')
    expect(kindsOf(output)).toEqual(Array.from({ length: 5 }, () => 'web_search_call'))
    expect(model.asked).toHaveLength(6)
    expect(model.asked[5]?.tool_choice).toBe('none')
    expect(engine.queries.length).toBeLessThanOrEqual(5)
  })

  it('executes no more searches than the request allows, however many the model calls in one answer', async () => {
    const many = Array.from({ length: 500 }, (_, index) => searchFor(`number ${index}`))
    const { respond, engine, model } = await start((round) => (round === 1 ? { calls: many } : { text: 'Done.' }))
    const { output } = await (await respond()).json()
    expect(output).toHaveLength(9)
    expect(engine.queries).toHaveLength(8)
    expect(model.asked[1]?.messages).toHaveLength(10)
  })

  it('limits the searches to max_tool_calls', async () => {
    const { respond, engine } = await start(() => ({ calls: [searchFor('a'), searchFor('b')] }))
    const response = await respond({ max_tool_calls: 1 })
    expect(response.headers.get('x-trivium-omitted')).toBeNull()
    expect((await response.json()).output).toHaveLength(1)
    expect(engine.queries).toHaveLength(1)
  })

  it('runs at most 4 searches of an answer at the same time', async () => {
    let running = 0
    let most = 0
    const engine = pagesEngine(async () => {
      running += 1
      most = Math.max(most, running)
      await settled()
      running -= 1
      return { type: 'text', results: pages }
    })
    const calls = ['a', 'b', 'c', 'd', 'e', 'f'].map(searchFor)
    const { respond } = await start((round) => (round === 1 ? { calls } : { text: 'Done.' }), { engine })
    await (await respond()).json()
    expect(most).toBe(4)
    expect(engine.queries).toHaveLength(6)
  })

  it.each([false, true])('reports a failed search to the model, stream: %s', async (stream) => {
    const engine = pagesEngine(() => Promise.reject(new SearchFailure({ type: 'blocked', message: 'A captcha' })))
    const { respond, model } = await start(searchOnce, { engine })
    const response = await respond({ stream })
    const { output, status } = stream ? (await eventsOf(response)).at(-1).response : await response.json()
    expect(status).toBe('completed')
    expect(kindsOf(output)).toEqual(['message', 'web_search_call', 'message'])
    expect(model.asked[1]?.messages.at(-1)).toMatchObject({ content: expect.stringContaining('The search has failed') })
  })

  it.each([
    ['not JSON'],
    [{}],
    [{ query: 7 }],
    [{ query: '  ' }],
    [[]],
  ])('reports arguments without a query to the model: %j', async (input) => {
    const { respond, engine, model } = await start((round) =>
      round === 1 ? { calls: [{ name: 'web_search', input }] } : { text: 'Done.' },
    )
    expect((await respond()).status).toBe(200)
    expect(engine.queries).toEqual([])
    expect(model.asked).toHaveLength(2)
  })

  it.each([
    false,
    true,
  ])('leaves calls of the client to it, without the searches beside them, stream: %s', async (stream) => {
    const { respond, engine } = await start(() => ({ calls: [searchFor('x'), { name: 'weather', input: {} }] }))
    const response = await respond({ stream, tools: [{ type: 'web_search' }, weather] })
    const { output } = stream ? (await eventsOf(response)).at(-1).response : await response.json()
    expect(output).toMatchObject([{ type: 'function_call', name: 'weather', call_id: 'call_1_1' }])
    expect(engine.queries).toEqual([])
  })

  it('searches where Codex sends its default, and names the field', async () => {
    const { respond, engine } = await start()
    const codexDefault = { type: 'web_search', external_web_access: false, search_content_types: ['text', 'image'] }
    const response = await respond({ tools: [codexDefault] })
    expect(response.headers.get('x-trivium-omitted')).toBe('tools.external_web_access, tools.search_content_types')
    expect(engine.queries).toHaveLength(1)
    const live = await respond({ tools: [{ type: 'web_search', external_web_access: true }] })
    expect(live.headers.get('x-trivium-omitted')).toBeNull()
  })

  it('leaves a function with the name web_search to the client', async () => {
    const { respond, model, engine } = await start(() => ({ calls: [searchFor('x')] }))
    const tools = [{ type: 'web_search' }, { ...weather, name: 'web_search' }]
    const { output } = await (await respond({ tools })).json()
    expect(output).toMatchObject([{ type: 'function_call', name: 'web_search' }])
    expect(engine.queries).toEqual([])
    expect(model.asked[0]?.tools).toMatchObject([
      { function: { name: 'web_search' } },
      { function: { name: 'web_search_2' } },
    ])
  })

  it('forces the first search where the choice of a tool does', async () => {
    const { respond, model } = await start()
    expect((await respond({ tool_choice: { type: 'web_search' } })).status).toBe(200)
    expect(model.asked.map(({ tool_choice: choice }) => choice)).toEqual([
      { type: 'function', function: { name: 'web_search' } },
      undefined,
    ])
  })

  it('finds only pages of the domains that the client admits', async () => {
    const { respond, model, engine } = await start()
    await respond({ tools: [{ type: 'web_search', filters: { allowed_domains: ['example.org'] } }] })
    expect(engine.queries).toMatchObject([{ maxResults: 30 }])
    const result = JSON.stringify(model.asked[1]?.messages.at(-1))
    expect(result).toContain('https://docs.example.org/routers')
    expect(result).not.toContain('https://example.com/switches')
  })

  it('searches for a response in the background', async () => {
    const { respond, open, secret } = await start()
    const { id } = await (await respond({ background: true })).json()
    for (;;) {
      const response = await (await open.send(`/v1/responses/${id}`, { as: secret })).json()
      if (response.status === 'completed') {
        expect(kindsOf(response.output)).toEqual(['message', 'web_search_call', 'message'])
        return
      }
      expect(['queued', 'in_progress']).toContain(response.status)
      await settled()
    }
  })

  it('ends the search and asks the model no more where the client disconnects', async () => {
    let aborted: (() => void) | undefined
    const isAborted = new Promise<void>((resolve) => {
      aborted = resolve
    })
    let began: (() => void) | undefined
    const hasBegun = new Promise<void>((resolve) => {
      began = resolve
    })
    const engine = pagesEngine((_, { signal }) => {
      began?.()
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          aborted?.()
          reject(signal.reason)
        })
      })
    })
    const { respond, model, open } = await start(searchOnce, { engine })
    const response = await respond({ stream: true })
    const reader = response.body?.getReader()
    await reader?.read()
    await hasBegun
    await reader?.cancel()
    await isAborted
    await settled()
    expect(model.asked).toHaveLength(1)
    expect(open.records).toMatchObject([
      { operation: 'chat', status: 499, partial: true },
      { operation: 'search', status: 499 },
    ])
  })

  it('ends the stream with an error where the upstream fails after a search', async () => {
    const { respond, open } = await start((round) => {
      if (round === 2) throw new Error('A fault')
      return searchOnce(round)
    })
    const events = await eventsOf(await respond({ stream: true }))
    expect(events.slice(-2)).toMatchObject([{ type: 'error' }, { type: 'response.failed' }])
    expect(open.faults).toMatchObject([{ message: 'A fault' }])
  })
})

describe('web search over a chat upstream, for clients of messages', () => {
  it('shows a server tool with its result, and cites the pages', async () => {
    const { message } = await start()
    const answer = await (await message()).json()
    expect(kindsOf(answer.content)).toEqual(['text', 'server_tool_use', 'web_search_tool_result', 'text'])
    const [, use, result, text] = answer.content
    expect(use).toMatchObject({ name: 'web_search', input: { query: 'how switches learn' } })
    expect(result).toMatchObject({
      tool_use_id: use.id,
      content: [
        { type: 'web_search_result', url: 'https://example.com/switches', title: 'Switches' },
        { type: 'web_search_result', url: 'https://docs.example.org/routers' },
      ],
    })
    expect(text.citations).toMatchObject([{ type: 'web_search_result_location', url: 'https://example.com/switches' }])
    expect(answer).toMatchObject({
      stop_reason: 'end_turn',
      usage: { input_tokens: 20, output_tokens: 10, server_tool_use: { web_search_requests: 1 } },
    })
  })

  it('streams blocks one after the other', async () => {
    const { message } = await start()
    const events = await eventsOf(await message({ stream: true }))
    const blocks = events.filter(({ type }) => type === 'content_block_start')
    expect(blocks.map(({ index, content_block: block }) => [index, block.type])).toEqual([
      [0, 'text'],
      [1, 'server_tool_use'],
      [2, 'web_search_tool_result'],
      [3, 'text'],
    ])
    expect(events.filter(({ delta }) => delta?.type === 'citations_delta')).toHaveLength(1)
    expect(events.at(-2)).toMatchObject({ delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 10 } })
    expect(events.at(-1)).toEqual({ type: 'message_stop' })
  })

  it('limits the searches to max_uses', async () => {
    const { message, model } = await start(() => ({ calls: [searchFor('a'), searchFor('b')] }))
    const answer = await (await message()).json()
    expect(answer.usage.server_tool_use).toEqual({ web_search_requests: 3, web_fetch_requests: 0 })
    expect(answer.stop_reason).toBe('end_turn')
    expect(model.asked).toHaveLength(3)
  })

  it('forces the first search where the choice of a tool does', async () => {
    const { message, model } = await start()
    expect((await message({ tool_choice: { type: 'tool', name: 'web_search' } })).status).toBe(200)
    expect(model.asked[0]?.tool_choice).toEqual({ type: 'function', function: { name: 'web_search' } })
  })
})

describe('web search that the gateway must not execute', () => {
  const refusal = { routes: { authorize: { search: 'admin' } } } as const
  const cases: readonly (readonly [string, OpenGatewayOptions])[] = [
    ['the caller may not use the operation', refusal],
    ['it has no engine', { searchEngines: [] }],
    ['the host switches it off', { search: { byModels: false } }],
  ]

  it.each(cases)('leaves the tool out and names it: %s', async (_, options) => {
    const { respond, model, engine } = await start(undefined, options)
    const response = await respond()
    expect(response.status).toBe(200)
    expect(response.headers.get('x-trivium-omitted')).toBe('web_search')
    expect(model.asked[0]?.tools).toBeUndefined()
    expect(engine.queries).toEqual([])
  })

  it.each(cases)('refuses a choice that forces the tool: %s', async (_, options) => {
    const { respond } = await start(undefined, options)
    expect((await respond({ tool_choice: { type: 'web_search' } })).status).toBe(400)
  })

  it('asks the rule of the host about the operation search', async () => {
    const operations: string[] = []
    const search = ({ operation }: { readonly operation: string }) => {
      operations.push(operation)
      return 'default' as const
    }
    const { respond, engine } = await start(undefined, { routes: { authorize: { search } } })
    await respond()
    expect(operations).toEqual(['search'])
    expect(engine.queries).toHaveLength(1)
  })
})
