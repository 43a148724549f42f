import * as fc from 'fast-check'
import type { AnswerEnding, ConversationAnswer } from '../../src/dialects/conversation/conversation-answer.ts'
import type { OutputPart, TextPart } from '../../src/dialects/conversation/conversation-parts.ts'
import type {
  ConversationRequest,
  ConversationTool,
  Turn,
} from '../../src/dialects/conversation/conversation-request.ts'

/** What the Messages API can carry. */
const words = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).map((text) => `${text}.`)
const mark = fc.constantFrom({}, { cacheControl: { type: 'ephemeral' } })
const text = fc.tuple(words, mark).map(([value, marked]) => ({ type: 'text' as const, text: value, ...marked }))
const id = fc.string({ minLength: 1, maxLength: 12 })
const json = fc
  .dictionary(fc.stringMatching(/^[a-z]{1,6}$/), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 })
  .map((value) => JSON.stringify(value))
const sourceOf = (...mediaTypes: readonly string[]) =>
  fc.oneof(
    fc.record({
      type: fc.constant('base64' as const),
      mediaType: fc.constantFrom(...mediaTypes),
      data: fc.base64String(),
    }),
    fc.record({ type: fc.constant('url' as const), url: fc.webUrl() }),
  )
const image = fc
  .tuple(sourceOf('image/jpeg', 'image/png', 'image/gif', 'image/webp'), mark)
  .map(([value, marked]) => ({ type: 'image' as const, source: value, ...marked }))
const file = fc
  .tuple(
    fc.oneof(sourceOf('application/pdf'), fc.record({ type: fc.constant('text' as const), text: words })),
    words,
    fc.boolean(),
  )
  .map(([value, name, citations]) => ({ type: 'file' as const, source: value, name, context: name, citations }))
const reasoning = fc.oneof(
  fc.record({
    type: fc.constant('reasoning' as const),
    text: words,
    summary: fc.constant([]),
    signature: words,
  }),
  fc.record({
    type: fc.constant('reasoning' as const),
    text: fc.constant(''),
    summary: fc.constant([]),
    redacted: words,
  }),
)
const call = fc.tuple(id, words, json).map(([callId, name, input]) => ({
  type: 'tool-call' as const,
  callId,
  kind: 'function' as const,
  name: name.replace(/[^a-z]/g, '_'),
  input,
}))
const search = fc
  .tuple(fc.stringMatching(/^srvtoolu_[a-z0-9]{1,8}$/), words, fc.webUrl())
  .map(([value, query, url]) => ({
    type: 'search-call' as const,
    id: value,
    query,
    results: [{ url, title: query, encryptedContent: query, pageAge: query }],
  }))
const cited = fc.tuple(words, fc.webUrl()).map(
  ([value, url]): TextPart => ({
    type: 'text',
    text: value,
    annotations: [{ url, title: value, start: 0, end: value.length, quote: value, encryptedIndex: value }],
  }),
)

const said: fc.Arbitrary<readonly OutputPart[]> = fc
  .tuple(
    fc.array(reasoning, { maxLength: 2 }),
    fc.array(search, { maxLength: 1 }),
    text,
    fc.array(call, { maxLength: 2 }),
  )
  .map(([thoughts, searches, answer, calls]) => [...thoughts, ...searches, answer, ...calls])

const user = fc.array(fc.oneof(text, image, file), { minLength: 1, maxLength: 3 })
const results = fc.array(fc.tuple(id, fc.array(fc.oneof(text, image, file), { maxLength: 2 }), mark), {
  minLength: 1,
  maxLength: 2,
})

const exchange = fc
  .tuple(user, said, fc.option(results))
  .map(([asked, answered, returned]): readonly Turn[] => [
    { role: 'user', content: asked, at: '' },
    { role: 'assistant', content: answered, at: '' },
    ...(returned ?? []).map(
      ([callId, content, marked]): Turn => ({ role: 'tool', callId, kind: 'function', content, at: '', ...marked }),
    ),
  ])

const turns = fc
  .tuple(fc.array(text, { maxLength: 2 }), fc.array(exchange, { maxLength: 2 }), user)
  .map(([system, exchanges, last]): readonly Turn[] => [
    ...(system.length > 0 ? [{ role: 'system' as const, content: system, at: '' }] : []),
    ...exchanges.flat(),
    { role: 'user', content: last, at: '' },
  ])

const tools = fc
  .uniqueArray(fc.stringMatching(/^[a-z]{1,8}$/), { maxLength: 3 })
  .map((names): readonly ConversationTool[] =>
    names.map((name) => ({
      type: 'function',
      name,
      description: name,
      parameters: { type: 'object', properties: {} },
      at: '',
    })),
  )

const settings = fc.record(
  {
    maxOutputTokens: fc.integer({ min: 1, max: 100_000 }),
    stop: fc.constant(['END']),
    user: words,
    serviceTier: fc.constantFrom('auto', 'default'),
    topK: fc.integer({ min: 1, max: 100 }),
    temperature: fc.constantFrom(0, 0.5, 1),
  },
  { requiredKeys: ['maxOutputTokens'] },
)

export const arbitraryRequest: fc.Arbitrary<Pick<ConversationRequest, 'stream' | 'turns' | 'tools' | 'settings'>> =
  fc.record({ stream: fc.boolean(), turns, tools, settings })

const reasons: readonly AnswerEnding['reason'][] = ['stop', 'length', 'tool-calls', 'refusal', 'pause', 'context']

const count = fc.nat({ max: 1_000_000 })

export const arbitraryAnswer: fc.Arbitrary<ConversationAnswer> = fc
  .tuple(said, cited, fc.constantFrom(...reasons), fc.tuple(count, count, count, count, count))
  .map(([parts, quote, reason, [input, output, cached, written, thought]]): ConversationAnswer => {
    const calls = parts.some(({ type }) => type === 'tool-call')
    const isImpossible = reason === (calls ? 'stop' : 'tool-calls')
    const other = calls ? ('tool-calls' as const) : ('stop' as const)
    return {
      id: 'msg_1',
      model: 'claude-example',
      created: 1_700_000_000,
      content: [quote, ...parts.map(withoutMark)],
      ending: { reason: isImpossible ? other : reason },
      usage: {
        inputTokens: input + cached + written,
        outputTokens: output,
        cachedTokens: cached,
        cacheWriteTokens: written,
        reasoningTokens: thought,
        searches: 1,
      },
    }
  })

function withoutMark(part: OutputPart): OutputPart {
  if (part.type !== 'text') return part
  const { cacheControl: _, ...rest } = part
  return rest
}
