import { describe, expect, it } from 'vitest'
import { chatTranslation } from '../../../src/dialects/chat/chat-translation.ts'
import type { ConversationEvent } from '../../../src/dialects/conversation/conversation-answer.ts'
import type { OutputPart } from '../../../src/dialects/conversation/conversation-parts.ts'
import type { ConversationTool } from '../../../src/dialects/conversation/conversation-request.ts'
import type { JsonObject } from '../../../src/dialects/dialect.ts'
import { answerContext } from '../answer-context.ts'
import { readStream, streamOf } from '../split-events.ts'

const chunkOf = (delta: JsonObject, more: JsonObject = {}): JsonObject => ({
  id: 'chatcmpl-7',
  object: 'chat.completion.chunk',
  created: 1_700_000_001,
  model: 'example',
  choices: [{ index: 0, delta, finish_reason: null, ...more }],
})
const last = (finish_reason = 'stop') => chunkOf({}, { finish_reason })

const stepsOf = (chunks: readonly JsonObject[], tools: readonly ConversationTool[] = [], end = true) =>
  readStream(
    chatTranslation.readEvents(answerContext({ tools })),
    streamOf([...chunks, ...(end ? ['[DONE]' as const] : [])].map((value) => ({ value }))),
  )

const partsOf = (steps: readonly ConversationEvent[]): readonly OutputPart[] =>
  steps.flatMap((step) => (step.type === 'part-end' ? [step.part] : []))

const finishOf = (steps: readonly ConversationEvent[]) => steps.find(({ type }) => type === 'finish')

const call = (delta: JsonObject) => chunkOf({ tool_calls: [delta] })

describe('the reader of chunks', () => {
  it('reads text from its first role to the usage after the finish reason', () => {
    const steps = stepsOf([
      chunkOf({ role: 'assistant', content: '' }),
      chunkOf({ content: 'Good ' }),
      chunkOf({ content: 'day' }),
      last(),
      { ...chunkOf({}), choices: [], usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 } },
    ])
    expect(steps).toEqual([
      { type: 'start', id: 'chatcmpl-7', model: 'example', created: 1_700_000_001 },
      { type: 'part', index: 0, part: { type: 'text', text: '' } },
      { type: 'text', index: 0, text: 'Good ' },
      { type: 'text', index: 0, text: 'day' },
      { type: 'part-end', index: 0, part: { type: 'text', text: 'Good day' } },
      { type: 'finish', ending: { reason: 'stop' }, usage: { inputTokens: 5, outputTokens: 2 } },
    ])
  })

  it('starts with the first choice, after an event without one', () => {
    const steps = stepsOf([
      { id: '', model: '', choices: [], prompt_filter_results: [] },
      chunkOf({ content: 'A' }),
      last(),
    ])
    expect(steps[0]).toMatchObject({ type: 'start', id: 'chatcmpl-7' })
  })

  it.each([
    ['reasoning_content', { reasoning_content: 'Think' }],
    ['reasoning', { reasoning: 'Think' }],
    ['a list with thinking', { content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Think' }] }] }],
  ])('reads reasoning in %s, which ends where the text begins', (_, delta) => {
    expect(partsOf(stepsOf([chunkOf(delta), chunkOf({ content: 'Hi' }), last()]))).toEqual([
      { type: 'reasoning', text: 'Think', summary: [] },
      { type: 'text', text: 'Hi' },
    ])
  })

  it('gives a signature to the reasoning before it, and keeps redacted thinking', () => {
    const steps = stepsOf([
      chunkOf({ reasoning_content: 'Think' }),
      chunkOf({ thinking_blocks: [{ type: 'thinking', thinking: 'Think', signature: 's1' }] }),
      chunkOf({ thinking_blocks: [{ type: 'redacted_thinking', data: 'r1' }] }),
      chunkOf({ thinking_blocks: [{ type: 'thinking', thinking: 'Alone', signature: 's2' }] }),
      last(),
    ])
    expect(partsOf(steps)).toEqual([
      { type: 'reasoning', text: 'Think', summary: [], signature: 's1' },
      { type: 'reasoning', text: '', summary: [], redacted: 'r1' },
      { type: 'reasoning', text: 'Alone', summary: [], signature: 's2' },
    ])
  })

  it('reads a refusal, and log probabilities', () => {
    const logprobs = { content: [{ token: 'No', logprob: -1 }] }
    const steps = stepsOf([chunkOf({ content: 'No' }, { logprobs }), chunkOf({ refusal: 'I cannot.' }), last()])
    expect(partsOf(steps)).toEqual([
      { type: 'text', text: 'No', logProbabilities: logprobs.content },
      { type: 'refusal', text: 'I cannot.' },
    ])
  })

  it('counts places of sources from the text that they belong to', () => {
    const citation = { url: 'https://example.com/', title: 'T', start_index: 3, end_index: 5 }
    const steps = stepsOf([
      chunkOf({ content: 'One' }),
      chunkOf({ reasoning_content: 'Think' }),
      chunkOf({ content: 'Two', annotations: [{ type: 'url_citation', url_citation: citation }] }),
      last(),
    ])
    expect(partsOf(steps).at(-1)).toEqual({
      type: 'text',
      text: 'Two',
      annotations: [{ url: 'https://example.com/', title: 'T', start: 0, end: 2 }],
    })
  })

  it('reads images', () => {
    const images = [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }]
    expect(partsOf(stepsOf([chunkOf({ images }), last()]))).toEqual([
      { type: 'image', source: { type: 'base64', mediaType: 'image/png', data: 'AAAA' } },
    ])
  })

  it('reads calls that overlap, and ends them together', () => {
    const steps = stepsOf([
      call({ index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '' } }),
      call({ index: 1, id: 'b', type: 'function', function: { name: 'g', arguments: '{' } }),
      call({ index: 0, function: { arguments: '{"x":1}' } }),
      call({ index: 1, function: { arguments: '}' } }),
      last('tool_calls'),
    ])
    expect(steps.filter(({ type }) => type === 'text')).toEqual([
      { type: 'text', index: 1, text: '{' },
      { type: 'text', index: 0, text: '{"x":1}' },
      { type: 'text', index: 1, text: '}' },
    ])
    expect(partsOf(steps)).toMatchObject([
      { callId: 'a', name: 'f', input: '{"x":1}' },
      { callId: 'b', name: 'g', input: '{}' },
    ])
  })

  it.each([
    ['the same index', 0],
    ['no index', undefined],
  ])('reads whole calls of one delta each that have %s', (_, index) => {
    const place = index === undefined ? {} : { index }
    const steps = stepsOf([
      call({ ...place, id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }),
      call({ ...place, id: 'b', type: 'function', function: { name: 'f', arguments: { x: 1 } } }),
      last('stop'),
    ])
    expect(partsOf(steps)).toMatchObject([
      { callId: 'a', input: '{}' },
      { callId: 'b', input: '{"x":1}' },
    ])
    expect(finishOf(steps)).toMatchObject({ ending: { reason: 'tool-calls' } })
  })

  it('creates the id of a call without one, and waits for its name', () => {
    const steps = stepsOf([
      call({ index: 0, function: { arguments: '{"a"' } }),
      call({ index: 0, function: { name: 'f', arguments: ':1}' } }),
      last('tool_calls'),
    ])
    expect(steps.slice(1, 3)).toEqual([
      {
        type: 'part',
        index: 0,
        part: { type: 'tool-call', callId: 'call_id1', kind: 'function', name: 'f', input: '' },
      },
      { type: 'text', index: 0, text: '{"a":1}' },
    ])
  })

  it('returns the namespace of a tool, and the input of a custom tool that was offered as a function', () => {
    const tools: readonly ConversationTool[] = [
      { type: 'function', name: 'read', namespace: 'files', at: 'tools[0]' },
      { type: 'custom', name: 'patch', at: 'tools[1]' },
    ]
    const steps = stepsOf(
      [
        call({ index: 0, id: 'a', type: 'function', function: { name: 'files__read', arguments: '{}' } }),
        call({ index: 1, id: 'b', type: 'function', function: { name: 'patch', arguments: '{"inp' } }),
        call({ index: 1, function: { arguments: 'ut":"line\\n"}' } }),
        last('tool_calls'),
      ],
      tools,
    )
    expect(partsOf(steps)).toMatchObject([
      { kind: 'function', name: 'read', namespace: 'files', input: '{}' },
      { kind: 'custom', name: 'patch', input: 'line\n' },
    ])
    expect(steps.filter((step) => step.type === 'text' && step.index === 1)).toEqual([
      { type: 'text', index: 1, text: 'line\n' },
    ])
  })

  it.each([
    ['stop', 'stop'],
    ['length', 'length'],
    ['content_filter', 'content-filter'],
    ['tool_calls', 'tool-calls'],
    ['function_call', 'tool-calls'],
    ['eos', 'stop'],
  ])('reads the finish reason %s', (reason, expected) => {
    expect(finishOf(stepsOf([chunkOf({ content: 'A' }), last(reason)]))).toMatchObject({ ending: { reason: expected } })
  })

  it('reads the usage of x_groq, and counts by the names of DeepSeek', () => {
    const groq = { ...last(), x_groq: { usage: { prompt_tokens: 3, completion_tokens: 4 } } }
    expect(finishOf(stepsOf([groq]))).toMatchObject({ usage: { inputTokens: 3, outputTokens: 4 } })
    const usage = {
      prompt_tokens: 9,
      completion_tokens: 8,
      prompt_cache_hit_tokens: 7,
      completion_tokens_details: { reasoning_tokens: 6 },
    }
    expect(finishOf(stepsOf([{ ...last(), usage }]))).toMatchObject({ usage: { cachedTokens: 7, reasoningTokens: 6 } })
  })

  it('reports an error inside the stream, and reads no later chunk', () => {
    const steps = stepsOf([
      chunkOf({ content: 'A' }),
      { error: { message: 'Overloaded', type: 'overloaded_error' } },
      chunkOf({ content: 'B' }),
      last(),
    ])
    expect(steps.at(-1)).toMatchObject({
      type: 'error',
      error: { type: 'refused', status: 529, message: 'Overloaded' },
    })
  })

  it('leaves a stream without a finish reason unfinished', () => {
    expect(finishOf(stepsOf([chunkOf({ content: 'A' })], [], false))).toBeUndefined()
  })

  it('ignores further choices', () => {
    const other = { ...chunkOf({}), choices: [{ index: 1, delta: { content: 'B' }, finish_reason: 'stop' }] }
    expect(partsOf(stepsOf([other, chunkOf({ content: 'A' }), last()]))).toEqual([{ type: 'text', text: 'A' }])
  })

  it.each([[{ choices: {} }], [{ choices: 'none' }]])('refuses a chunk whose choices are not a list: %j', (chunk) => {
    expect(() => stepsOf([chunk])).toThrow('The upstream sent an event')
  })
})

describe('the writer of chunks', () => {
  const chunksOf = (steps: readonly ConversationEvent[], requested: JsonObject = {}): readonly unknown[] => {
    const writer = chatTranslation.writeEvents(answerContext({}, requested))
    return steps
      .map((step) => writer.write(step))
      .join('')
      .split('\n\n')
      .filter((text) => text !== '')
      .map((text) => (text === 'data: [DONE]' ? text : JSON.parse(text.slice(6))))
  }
  const start: ConversationEvent = { type: 'start', id: 'x', model: 'm', created: 1 }
  const finish: ConversationEvent = {
    type: 'finish',
    ending: { reason: 'refusal' },
    usage: { inputTokens: 1, outputTokens: 2, reasoningTokens: 1 },
  }

  it('begins with the role, and ends with the finish reason, the usage and [DONE]', () => {
    expect(chunksOf([start, finish])).toMatchObject([
      { object: 'chat.completion.chunk', choices: [{ delta: { role: 'assistant', content: '' } }] },
      { choices: [{ delta: {}, finish_reason: 'content_filter' }] },
      { choices: [], usage: { total_tokens: 3, completion_tokens_details: { reasoning_tokens: 1 } } },
      'data: [DONE]',
    ])
  })

  it('has an empty usage in each chunk where the client requested the usage', () => {
    const [first] = chunksOf([start, finish], { stream_options: { include_usage: true } })
    expect(first).toHaveProperty('usage', null)
    expect(chunksOf([start, finish])[0]).not.toHaveProperty('usage')
  })

  it('writes summaries of reasoning as its text', () => {
    const part: OutputPart = { type: 'reasoning', text: '', summary: [] }
    const steps: readonly ConversationEvent[] = [
      start,
      { type: 'part', index: 0, part },
      { type: 'summary', index: 0, summary: 0, text: 'One' },
      { type: 'summary', index: 0, summary: 1, text: 'Two' },
      { type: 'part-end', index: 0, part: { ...part, summary: ['One', 'Two'], encrypted: 'e' } },
    ]
    expect(chunksOf(steps).slice(1)).toMatchObject([
      { choices: [{ delta: { reasoning_content: 'One' } }] },
      { choices: [{ delta: { reasoning_content: '\n\nTwo' } }] },
    ])
  })

  it('writes the arguments of a call without any as an empty object', () => {
    const part: OutputPart = { type: 'tool-call', callId: 'c', kind: 'function', name: 'f', input: '' }
    const chunks = chunksOf([start, { type: 'part', index: 0, part }, { type: 'part-end', index: 0, part }])
    expect(chunks.at(-1)).toMatchObject({
      choices: [{ delta: { tool_calls: [{ index: 0, function: { arguments: '{}' } }] } }],
    })
  })

  it('ends with an error in the form of chat completions, and shows no pings', () => {
    const error = { type: 'interrupted', message: 'Cut.', retryable: true, beforeFirstByte: false } as const
    expect(chunksOf([start, { type: 'ping' }, { type: 'error', error }]).slice(1)).toEqual([
      { error: { message: 'Cut.', type: 'server_error', param: null, code: 'upstream_incomplete' } },
    ])
  })
})
