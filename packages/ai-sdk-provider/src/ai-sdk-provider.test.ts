import { APICallError, type LanguageModelV4StreamPart, UnsupportedFunctionalityError } from '@ai-sdk/provider'
import type { ChatCompletionChunk, ChatStream } from '@trivium/gateway-core/ports'
import { describe, expect, it } from 'vitest'
import { chatRequest, context, failureOf, latch } from '../../gateway-core/tests/provider-calls.ts'
import { v2Model, v3Model, v4Model, v4Usage } from '../tests/models.ts'
import { aiSdkProvider } from './ai-sdk-provider.ts'
import type { AiSdkLanguageModel } from './language-model.ts'

function chatWith(model: AiSdkLanguageModel) {
  const provider = aiSdkProvider({
    id: 'sdk',
    languageModels: { m: model },
    now: () => new Date(1_700_000_000_000),
    newId: () => 'new',
  })
  if (!provider.chat) throw new Error('It has no chat')
  return provider.chat
}

async function all(stream: ChatStream): Promise<readonly ChatCompletionChunk[]> {
  if (stream.kind !== 'chunks') throw new Error(`It is a ${stream.kind}`)
  const chunks: ChatCompletionChunk[] = []
  for await (const chunk of stream.chunks) chunks.push(chunk)
  return chunks
}

const deltas = (chunks: readonly ChatCompletionChunk[]) =>
  chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta))

const finish: LanguageModelV4StreamPart = {
  type: 'finish',
  finishReason: { unified: 'stop', raw: undefined },
  usage: v4Usage,
}
const text = (delta: string): LanguageModelV4StreamPart => ({ type: 'text-delta', id: '1', delta })

const usage = {
  prompt_tokens: 9,
  completion_tokens: 3,
  total_tokens: 12,
  prompt_tokens_details: { cached_tokens: 4 },
  completion_tokens_details: { reasoning_tokens: 1 },
}

describe('a completion of aiSdkProvider', () => {
  it('contains all parts of the answer of the model', async () => {
    const model = v4Model({
      result: {
        content: [
          { type: 'reasoning', text: 'Hm' },
          { type: 'text', text: 'See' },
          { type: 'source', sourceType: 'url', id: 's', url: 'https://example.com', title: 'E' },
          { type: 'text', text: ' this' },
          { type: 'file', mediaType: 'image/png', data: { type: 'data', data: new Uint8Array([1, 2, 3]) } },
          { type: 'tool-call', toolCallId: 'p', toolName: 'search', input: '{}', providerExecuted: true },
          { type: 'tool-call', toolCallId: 'c', toolName: 'f', input: '{"a":1}' },
        ],
        finishReason: { unified: 'tool-calls', raw: 'x' },
        response: { id: 'r1', modelId: 'real', timestamp: new Date(5000), headers: { 'x-request-id': 'u' } },
      },
    })
    const answer = await chatWith(model).complete(chatRequest(), context())
    expect(answer).toEqual({
      kind: 'completion',
      headers: { 'x-request-id': 'u' },
      completion: {
        id: 'r1',
        object: 'chat.completion',
        created: 5,
        model: 'real',
        choices: [
          {
            index: 0,
            finish_reason: 'tool_calls',
            logprobs: null,
            message: {
              role: 'assistant',
              content: 'See this',
              refusal: null,
              reasoning_content: 'Hm',
              annotations: [
                {
                  type: 'url_citation',
                  url_citation: { start_index: 3, end_index: 3, url: 'https://example.com', title: 'E' },
                },
              ],
              images: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AQID' } }],
              tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }],
            },
          },
        ],
        usage,
      },
    })
  })

  it('gets an id, a time and a model name if the model sets none', async () => {
    const answer = await chatWith(v4Model()).complete(chatRequest(), context())
    expect(answer).toMatchObject({ completion: { id: 'chatcmpl-new', created: 1_700_000_000, model: 'm' } })
  })

  it('omits the usage if the model has no counts', async () => {
    const none = { total: undefined }
    const model = v4Model({
      result: {
        usage: {
          inputTokens: { ...v4Usage.inputTokens, ...none },
          outputTokens: { ...v4Usage.outputTokens, ...none },
        },
      },
    })
    const answer = await chatWith(model).complete(chatRequest(), context())
    if (answer.kind !== 'completion') throw new Error('It is encoded')
    expect(answer.completion).not.toHaveProperty('usage')
  })

  it.each([
    [v3Model([]), 'stop'],
    [v2Model([]), 'length'],
  ])('equals that of version 4 for a model of version $0.specificationVersion', async (model, finish_reason) => {
    const answer = await chatWith(model).complete(chatRequest(), context())
    expect(answer).toMatchObject({
      completion: { choices: [{ message: { content: 'Hello' }, finish_reason }], usage },
    })
    expect(model.calls).toHaveLength(1)
  })

  it('passes the provider options of the host to the model', async () => {
    const model = v4Model()
    const { chat } = aiSdkProvider({
      id: 'sdk',
      languageModels: { m: model },
      providerOptions: ({ user }) => ({ fake: { who: typeof user === 'string' ? user : '' } }),
    })
    await chat?.complete(chatRequest({ user: 'u7' }), context())
    expect(model.calls[0]?.providerOptions).toEqual({ fake: { who: 'u7' } })
  })

  it('rejects with 404 for an unknown model', async () => {
    const chat = chatWith(v4Model())
    for (const model of ['x', 'toString', '__proto__']) {
      expect(await failureOf(chat.complete({ ...chatRequest(), model }, context()))).toMatchObject({
        type: 'refused',
        status: 404,
        code: 'model_not_found',
      })
    }
  })

  it.each([
    ['error', 'refused'],
    ['interrupted', 'interrupted'],
  ] as const)('rejects when the model ends with %s', async (unified, type) => {
    const model = v4Model({ result: { finishReason: { unified, raw: undefined } } })
    expect(await failureOf(chatWith(model).complete(chatRequest(), context()))).toMatchObject({ type })
  })
})

describe('a stream of aiSdkProvider', () => {
  it('contains a chunk for each delta', async () => {
    const model = v4Model({
      parts: [
        { type: 'stream-start', warnings: [] },
        { type: 'response-metadata', id: 'r1', modelId: 'real', timestamp: new Date(7000) },
        { type: 'ping' },
        { type: 'raw', rawValue: {} },
        { type: 'reasoning-start', id: '0' },
        { type: 'reasoning-delta', id: '0', delta: 'Hm' },
        { type: 'text-start', id: '1' },
        text('Hel'),
        text(''),
        text('lo'),
        { type: 'source', sourceType: 'url', id: 's', url: 'https://example.com' },
        { type: 'tool-input-start', id: 'a', toolName: 'f' },
        { type: 'tool-input-delta', id: 'a', delta: '{"x"' },
        { type: 'tool-input-delta', id: 'a', delta: ':1}' },
        { type: 'tool-input-end', id: 'a' },
        { type: 'tool-call', toolCallId: 'a', toolName: 'f', input: '{"x":1}' },
        { type: 'tool-call', toolCallId: 'b', toolName: 'g', input: '{}' },
        { type: 'tool-input-start', id: 't', toolName: 'h', inputEncoding: 'text' },
        { type: 'tool-input-delta', id: 't', delta: 'raw' },
        { type: 'tool-call', toolCallId: 't', toolName: 'h', input: '"raw"' },
        { type: 'tool-input-start', id: 'p', toolName: 'search', providerExecuted: true },
        { type: 'tool-input-delta', id: 'p', delta: '{}' },
        { type: 'tool-call', toolCallId: 'p', toolName: 'search', input: '{}', providerExecuted: true },
        { ...finish, finishReason: { unified: 'tool-calls', raw: 'x' } },
      ],
    })
    const chunks = await all(await chatWith(model).stream(chatRequest(), context()))
    const call = (index: number, id: string, name: string) => ({
      tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }],
    })
    const input = (index: number, given: string) => ({ tool_calls: [{ index, function: { arguments: given } }] })
    expect(deltas(chunks)).toEqual([
      { role: 'assistant', content: '', refusal: null },
      { reasoning_content: 'Hm' },
      { content: 'Hel' },
      { content: 'lo' },
      {
        annotations: [
          {
            type: 'url_citation',
            url_citation: { start_index: 5, end_index: 5, url: 'https://example.com', title: '' },
          },
        ],
      },
      call(0, 'a', 'f'),
      input(0, '{"x"'),
      input(0, ':1}'),
      call(1, 'b', 'g'),
      input(1, '{}'),
      call(2, 't', 'h'),
      input(2, '"raw"'),
      {},
    ])
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('tool_calls')
    expect(chunks.at(-1)).toMatchObject({ id: 'r1', created: 7, model: 'real', choices: [], usage })
    expect(chunks.every(({ id, object }) => id === 'r1' && object === 'chat.completion.chunk')).toBe(true)
  })

  it('contains a usage in every chunk for a client that requests it', async () => {
    const request = chatRequest({ stream_options: { include_usage: true } })
    const chunks = await all(await chatWith(v4Model({ parts: [text('a'), finish] })).stream(request, context()))
    expect(chunks.map((chunk) => chunk.usage === null)).toEqual([true, true, true, false])
  })

  it('contains a first and a last chunk for an empty answer', async () => {
    const chunks = await all(await chatWith(v4Model({ parts: [finish] })).stream(chatRequest(), context()))
    expect(deltas(chunks)).toEqual([{ role: 'assistant', content: '', refusal: null }, {}])
  })

  it.each([
    [
      v3Model([
        { type: 'text-delta', id: '1', delta: 'Hi' },
        { type: 'finish', finishReason: { unified: 'stop', raw: undefined }, usage: v4Usage },
      ]),
    ],
    [
      v2Model([
        { type: 'text-delta', id: '1', delta: 'Hi' },
        {
          type: 'finish',
          finishReason: 'stop',
          usage: { inputTokens: 9, outputTokens: 3, totalTokens: 12, reasoningTokens: 1, cachedInputTokens: 4 },
        },
      ]),
    ],
  ])('equals that of version 4 for a model of version $0.specificationVersion', async (model) => {
    const chunks = await all(await chatWith(model).stream(chatRequest(), context()))
    expect(deltas(chunks)).toEqual([{ role: 'assistant', content: '', refusal: null }, { content: 'Hi' }, {}])
    expect(chunks.at(-1)?.usage).toEqual(usage)
  })

  it.each([
    [[], true],
    [[text('a')], false],
  ])('fails as interrupted without a finish part', async (parts, beforeFirstByte) => {
    expect(await failureOf(all(await chatWith(v4Model({ parts })).stream(chatRequest(), context())))).toMatchObject({
      type: 'interrupted',
      beforeFirstByte,
    })
  })

  it.each([
    v3Model([{ type: 'finish', finishReason: { unified: 'other', raw: undefined }, usage: v4Usage }]),
    v2Model([
      {
        type: 'finish',
        finishReason: 'unknown',
        usage: { inputTokens: undefined, outputTokens: undefined, totalTokens: undefined },
      },
    ]),
  ])('fails as interrupted without a finish reason of the upstream ($specificationVersion)', async (model) => {
    expect(await failureOf(all(await chatWith(model).stream(chatRequest(), context())))).toMatchObject({
      type: 'interrupted',
    })
  })

  it.each([
    ['a text', 'Overloaded', { type: 'refused', status: 500, message: 'Overloaded' }],
    ['an object', { message: 'No', code: 'c' }, { type: 'refused', status: 500, message: 'No', code: 'c' }],
    ['a wrapped object', { error: { message: 'No' } }, { type: 'refused', status: 500, message: 'No' }],
    ['an unknown error', new Error('secret stack'), { type: 'refused', status: 500, message: 'The model failed.' }],
    ['nothing', undefined, { type: 'refused', status: 500, message: 'The model failed.' }],
    ['a broken connection', new TypeError('terminated'), { type: 'interrupted' }],
  ])('fails for an error part with %s', async (_, error, expected) => {
    const model = v4Model({ parts: [text('a'), { type: 'error', error }, finish] })
    const stream = await chatWith(model).stream(chatRequest(), context())
    expect(await failureOf(all(stream))).toMatchObject({ ...expected, beforeFirstByte: false })
  })

  it('fails as interrupted when the connection breaks', async () => {
    const stream = new ReadableStream<LanguageModelV4StreamPart>({
      pull: (controller) => controller.error(new TypeError('terminated')),
    })
    expect(await failureOf(all(await chatWith(v4Model({ stream })).stream(chatRequest(), context())))).toMatchObject({
      type: 'interrupted',
      beforeFirstByte: true,
    })
  })

  it.each(['signal', 'return'] as const)('cancels the silent model after %s', async (how) => {
    const cancelled = latch<void>()
    const stream = new ReadableStream<LanguageModelV4StreamPart>({
      start: (controller) => controller.enqueue(text('a')),
      cancel: () => cancelled.resolve(),
    })
    const controller = new AbortController()
    const answer = await chatWith(v4Model({ stream })).stream(chatRequest(), context(controller.signal))
    if (answer.kind !== 'chunks') throw new Error('It has no chunks')
    const chunks = answer.chunks[Symbol.asyncIterator]()
    await chunks.next()
    await chunks.next()
    const next = chunks.next()
    if (how === 'signal') {
      controller.abort()
      expect(await failureOf(next)).toMatchObject({ type: 'cancelled', beforeFirstByte: false })
    } else {
      await chunks.return?.()
      expect(await next).toEqual({ done: true, value: undefined })
    }
    await cancelled.promise
    expect(await chunks.next()).toEqual({ done: true, value: undefined })
  })
})

describe('a failure of a model', () => {
  const callError = (statusCode: number | undefined, more: object = {}) =>
    new APICallError({
      message: 'Too many',
      url: 'http://10.0.0.1/v1',
      requestBodyValues: {},
      ...(statusCode === undefined ? {} : { statusCode }),
      ...more,
    })

  it.each([
    [
      callError(429, {
        responseBody: '{"error":{"type":"requests","code":"rate_limit_exceeded","param":"model"}}',
        responseHeaders: { 'retry-after': '9' },
      }),
      {
        type: 'refused',
        status: 429,
        message: 'Too many',
        upstreamType: 'requests',
        code: 'rate_limit_exceeded',
        param: 'model',
        retryAfterSeconds: 9,
        retryable: true,
      },
    ],
    [
      callError(503, { responseHeaders: { 'retry-after': 'Tue, 14 Nov 2023 22:13:27 GMT' } }),
      { type: 'refused', status: 503, retryAfterSeconds: 7 },
    ],
    [callError(529, { responseHeaders: { 'retry-after-ms': '1500' } }), { status: 529, retryAfterSeconds: 1.5 }],
    [callError(400, { responseBody: '<html>' }), { type: 'refused', status: 400, retryable: false }],
    [callError(401), { type: 'refused', status: 401, message: 'The upstream refused the credentials of the gateway.' }],
    [callError(undefined), { type: 'unreachable', message: 'The upstream cannot be reached.' }],
    [callError(200), { type: 'malformed' }],
    [new UnsupportedFunctionalityError({ functionality: 'topK' }), { type: 'unsupported', param: 'topK' }],
    [new TypeError('fetch failed'), { type: 'unreachable' }],
    [Object.assign(new Error('x'), { name: 'AI_JSONParseError' }), { type: 'malformed' }],
    [Object.assign(new Error('Bad prompt'), { name: 'AI_InvalidPromptError' }), { type: 'refused', status: 400 }],
    [Object.assign(new Error('x'), { name: 'TimeoutError' }), { type: 'timed-out' }],
  ])('becomes a ProviderFailure (%o)', async (fails, expected) => {
    const chat = chatWith(v4Model({ fails }))
    expect(await failureOf(chat.complete(chatRequest(), context()))).toMatchObject(expected)
    expect(await failureOf(chat.stream(chatRequest(), context()))).toMatchObject(expected)
  })

  it('stays unchanged if it is a fault', async () => {
    const fault = new RangeError('A bug')
    await expect(chatWith(v4Model({ fails: fault })).complete(chatRequest(), context())).rejects.toBe(fault)
  })

  it('becomes a cancellation when the model ignores the signal', async () => {
    const controller = new AbortController()
    const deaf = { ...v4Model(), doGenerate: () => new Promise<never>(() => {}) }
    const failure = failureOf(chatWith(deaf).complete(chatRequest(), context(controller.signal)))
    controller.abort()
    expect(await failure).toMatchObject({ type: 'cancelled' })
  })
})

it('aiSdkProvider lists its models', async () => {
  const provider = aiSdkProvider({ id: 'sdk', languageModels: { a: v4Model(), b: v2Model([]) } })
  expect(await provider.models(context())).toEqual([
    { id: 'a', kind: 'chat', ownedBy: 'fake', created: 0 },
    { id: 'b', kind: 'chat', ownedBy: 'fake', created: 0 },
  ])
  expect(provider.images).toBeUndefined()
})

it('aiSdkProvider creates models for ids that are not listed', async () => {
  const created: string[] = []
  const provider = aiSdkProvider({
    id: 'sdk',
    languageModels: { listed: v4Model() },
    languageModel: (id) => {
      created.push(id)
      return id === 'absent' ? undefined : v4Model()
    },
  })
  expect(await provider.models(context())).toMatchObject([{ id: 'listed' }])
  const { chat } = provider
  if (!chat) throw new Error('It has no chat')
  for (const model of ['listed', 'other']) {
    const answer = await chat.complete({ ...chatRequest(), model }, context())
    expect(answer.kind).toBe('completion')
  }
  expect(created).toEqual(['other'])
  expect(await failureOf(chat.complete({ ...chatRequest(), model: 'absent' }, context()))).toMatchObject({
    status: 404,
  })
})
